package wago

import (
	"fmt"
	"strings"
)

// PanicError is a panic that the host caught: in a host function, whose guest call it ends, or in other plugin code. It
// matches [ErrCallbackPanic], and whatever the panic's value matches if that is an error (a runtime.Error for example).
//
// Safe for concurrent use while nobody writes to it.
type PanicError struct {
	Plugin string // ID of the plugin whose code it was; empty for an embedder's import
	Where  string // which code: "host function env.run", "Start", …
	Value  any    // what it panicked with
	Stack  []byte // the goroutine's stack at the panic, as printed by runtime/debug.Stack
}

// Error names the plugin, the code and the value, on one line; the stack is left to the reader of the field.
func (e *PanicError) Error() string {
	owner := ""
	if e.Plugin != "" {
		owner = " of plugin " + e.Plugin
	}
	return fmt.Sprintf("%s: %s%s: %s", ErrCallbackPanic, e.Where, owner, strings.ReplaceAll(fmt.Sprint(e.Value), "\n", " "))
}

// Unwrap returns [ErrCallbackPanic] and, if the value is an error, the value.
func (e *PanicError) Unwrap() []error {
	if err, ok := e.Value.(error); ok {
		return []error{ErrCallbackPanic, err}
	}
	return []error{ErrCallbackPanic}
}
