package measure

import "fmt"

// Error is the type of the package's sentinel errors.
type Error string

// Error returns the text of e.
func (e Error) Error() string { return string(e) }

// ErrUnavailable is wrapped by a row's Open when this machine can't say: the row is skipped, with the reason.
const ErrUnavailable Error = "not available here"

// Unavailable says why a row can't be measured. It wraps [ErrUnavailable].
func Unavailable(reason string) error { return fmt.Errorf("%w: %s", ErrUnavailable, reason) }
