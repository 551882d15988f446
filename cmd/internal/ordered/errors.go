package ordered

// Error is the type of the package's sentinel errors.
type Error string

// Error returns the text of e.
func (e Error) Error() string { return string(e) }

// ErrEnded: the queue takes no more inputs, because Close or Abandon was called or the sink failed.
const ErrEnded Error = "ordered: the queue has ended"
