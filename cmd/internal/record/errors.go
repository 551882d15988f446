package record

import "fmt"

// Error is the type of the package's sentinel errors.
type Error string

// Error returns the text of e.
func (e Error) Error() string { return string(e) }

// ErrTooLong: a record is longer than the reader takes; wrapped in a *TooLongError. The next record can be read.
const ErrTooLong Error = "record too long"

// TooLongError says how long a record was that is over the limit. It wraps ErrTooLong.
type TooLongError struct {
	Length int64 // the record's own length (bytes)
	Max    int   // what the reader takes (bytes)
}

// Error names both lengths.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("%s: %d bytes, at most %d are taken", string(ErrTooLong), e.Length, e.Max)
}

// Unwrap returns ErrTooLong.
func (e *TooLongError) Unwrap() error { return ErrTooLong }
