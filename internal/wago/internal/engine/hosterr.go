package engine

import "fmt"

// HostExit is the value a host function panics with to end the guest's call as
// if the guest had exited. Safe for concurrent use.
type HostExit struct {
	// Code is the exit code; 0 counts as success for most callers.
	Code int32
}

// ExitError is the error of a call that ended with [HostExit] or with WASI's
// proc_exit, code 0 included: the caller decides what 0 means. Safe for
// concurrent use.
type ExitError struct {
	// Code is the exit code.
	Code int32
}

// Error names the exit code.
func (e *ExitError) Error() string { return fmt.Sprintf("guest exited with code %d", e.Code) }

// HostTrap is the value a host function panics with to abort the guest's call.
// Safe for concurrent use.
type HostTrap struct {
	// Err is what the call returns, unchanged. Nil stands for ErrHostTrap.
	Err error
}

// HostPanicError is the error of a call in which a host function panicked with
// anything but [HostExit] or [HostTrap]. Safe for concurrent use.
type HostPanicError struct {
	// Value is what it panicked with.
	Value any
	// Stack is the Go stack of the panic, as debug.Stack prints it; empty when
	// the panic came from inside wazero.
	Stack []byte
}

// Error names the panic's value.
func (e *HostPanicError) Error() string { return fmt.Sprintf("host function panicked: %v", e.Value) }

// Unwrap returns the panic's value where it is an error, such as a runtime.Error.
func (e *HostPanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
