package engine

// Error is a constant error of this package. Detailed errors wrap one with %w,
// so that errors.Is finds it. Safe for concurrent use.
type Error string

// Error returns the text of the constant.
func (e Error) Error() string { return string(e) }

const (
	// ErrUnsupported is wrapped by the error for anything the engine refuses to
	// pretend: imported memories, tables, tags and mutable globals, reference
	// types in the signature of an import, and unknown WASI functions. Change the
	// guest.
	ErrUnsupported = Error("engine: unsupported")
	// ErrInvalidModule is wrapped when the bytes are not a valid module, or one
	// that the compiler can't take.
	ErrInvalidModule = Error("engine: invalid module")
	// ErrLink is wrapped when a valid module can't be instantiated with the given
	// bindings: a host or a constant is missing, or a WASI setting is malformed.
	ErrLink = Error("engine: cannot link")
	// ErrEngineClosed is returned by every method that needs an open engine.
	ErrEngineClosed = Error("engine: closed")
	// ErrEngineInUse is wrapped by Close while instances or compilations are
	// open, with their number. Close them first.
	ErrEngineInUse = Error("engine: still in use")
	// ErrModuleClosed is returned by Instantiate for a module that was closed.
	ErrModuleClosed = Error("engine: module closed")
	// ErrForeignModule is returned by Instantiate for nil or for a module that
	// another engine compiled.
	ErrForeignModule = Error("engine: module of another engine")
	// ErrInstanceClosed is returned by calls on a closed instance.
	ErrInstanceClosed = Error("engine: instance closed")
	// ErrInstanceEnded is what every [EndedError] unwraps to.
	ErrInstanceEnded = Error("engine: instance ended")
	// ErrNoExport is wrapped when the named function or global isn't exported.
	ErrNoExport = Error("engine: no such export")
	// ErrArity is wrapped when a call passes the wrong number of slots.
	ErrArity = Error("engine: wrong number of arguments")
	// ErrImmutable is wrapped when SetGlobal names a constant.
	ErrImmutable = Error("engine: global is immutable")
	// ErrLimit is what every [LimitError] unwraps to.
	ErrLimit = Error("engine: limit exceeded")
	// ErrTable is what every [TableError] unwraps to.
	ErrTable = Error("engine: not a void table entry")
	// ErrHostTrap stands for the missing error of a HostTrap{}.
	ErrHostTrap = Error("engine: host function trapped without an error")
)
