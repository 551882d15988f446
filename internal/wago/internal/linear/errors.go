package linear

// Error is the type of this package's error constants.
type Error string

// Error returns the text of the constant.
func (e Error) Error() string { return string(e) }

// ErrMemory is wrapped when the system refuses a memory or can't take one back; the text has the number of bytes and the
// system's reason. Close instances, lower the limit of their memories, or use the Go heap.
const ErrMemory Error = "linear: memory refused"
