package record

import (
	"bufio"
	"errors"
	"io"
)

// bufferSize is how much is read from the stream at once (bytes).
const bufferSize = 64 << 10

// Reader cuts a stream into records. Not safe for concurrent use; its owner guards it.
type Reader struct {
	in        *bufio.Reader
	separator byte
	max       int
	read      int64
}

// NewReader returns a reader of in's records, which end with separator and are at most max bytes long without it.
func NewReader(in io.Reader, separator byte, max int) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, bufferSize), separator: separator, max: max}
}

// Bytes returns how many bytes of the stream the records so far took, separators included.
func (r *Reader) Bytes() int64 { return r.read }

// Next appends the next record to buf and returns it without its separator. It returns io.EOF after the last one, a
// *TooLongError for a record over the limit, whose bytes are skipped, and the stream's own error, which loses the record it
// interrupts.
func (r *Reader) Next(buf []byte) ([]byte, error) {
	start, length := len(buf), int64(0)
	for {
		part, err := r.in.ReadSlice(r.separator)
		r.read += int64(len(part))
		ended := err == nil
		if ended {
			part = part[:len(part)-1]
		}
		length += int64(len(part))
		if length <= int64(r.max) {
			buf = append(buf, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case ended, errors.Is(err, io.EOF) && length > 0:
			return r.checked(buf, start, length)
		default:
			return buf[:start], err
		}
	}
}

func (r *Reader) checked(buf []byte, start int, length int64) ([]byte, error) {
	if length > int64(r.max) {
		return buf[:start], &TooLongError{Length: length, Max: r.max}
	}
	return buf, nil
}
