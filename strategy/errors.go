package strategy

// Error is the type of this package's error constants; compare them with errors.Is.
//
// Safe for concurrent use.
type Error string

// Error returns the text of the constant.
func (e Error) Error() string { return string(e) }

const (
	// ErrUnknownKind says that a number or a name is none of the strategies. Correct the value: the names
	// are those [Kind.String] gives.
	ErrUnknownKind Error = "strategy: unknown kind"
	// ErrTooManyReplicas says that [Options.Replicas] is above [MaxReplicas]. Ask for fewer.
	ErrTooManyReplicas Error = "strategy: too many replicas"
)
