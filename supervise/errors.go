package supervise

// Error is the type of this package's error constants; compare them with errors.Is.
//
// Safe for concurrent use.
type Error string

// Error returns the text of the constant.
func (e Error) Error() string { return string(e) }

const (
	// ErrUnknownPolicy says that a number or a name is none of the policies. Correct the value: the names
	// are those [Policy.String] gives.
	ErrUnknownPolicy Error = "supervise: unknown policy"
	// ErrInvalidConfig says that a [Config] holds a value out of bounds. The error that wraps it names
	// field, value and bound.
	ErrInvalidConfig Error = "supervise: invalid configuration"
)
