package lease

// Error is the type of this package's error constants.
type Error string

// Error returns the text of the constant.
func (e Error) Error() string { return string(e) }

// ErrClosed is returned bare by [Gate.Enter] when the gate is not open: not yet, or not any more. The caller was not
// admitted and must not call Leave.
const ErrClosed Error = "lease: gate is not open"
