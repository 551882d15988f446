package countdown

// Error is a constant error of this package. Safe for concurrent use.
type Error string

// Error returns the text of the constant.
func (e Error) Error() string { return string(e) }

const (
	// ErrUnknownInstruction is wrapped by [Rewrite] for an instruction whose
	// length it doesn't know. Stop the module in another way.
	ErrUnknownInstruction = Error("countdown: unknown instruction")
	// ErrMemory is wrapped by [Rewrite] for a module whose memory can't take a
	// [Gate]: an imported or a shared one, or one that starts with more than
	// MaxMemoryPages. Stop the module in another way.
	ErrMemory = Error("countdown: unsupported memory")
	// ErrMalformed is wrapped by [Rewrite] for bytes that are not a valid module.
	ErrMalformed = Error("countdown: malformed module")
)
