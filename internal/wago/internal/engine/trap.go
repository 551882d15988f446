package engine

import (
	"fmt"
	"strings"
)

// TrapCode says why a guest trapped. Safe for concurrent use.
type TrapCode uint32

const (
	TrapNone                 TrapCode = 0  // no trap
	TrapUnreachable          TrapCode = 1  // the unreachable instruction
	TrapBuiltin              TrapCode = 2  // any trap without a code of its own
	TrapLinMemOutOfBounds    TrapCode = 3  // memory access, or data segment, out of bounds
	TrapLinMemCouldNotExtend TrapCode = 4  // never produced: memory.grow returns -1
	TrapIndirectOutOfBounds  TrapCode = 5  // indirect call or table access: null or out of range
	TrapIndirectWrongSig     TrapCode = 6  // indirect call of a function of another type
	TrapLinkedMemNotLinked   TrapCode = 7  // never produced
	TrapLinkedMemOutOfBounds TrapCode = 8  // never produced
	TrapDivZero              TrapCode = 9  // integer division by zero
	TrapDivOverflow          TrapCode = 10 // integer overflow, of a division or of a conversion
	TrapTruncOverflow        TrapCode = 11 // conversion of NaN to an integer
	TrapInterrupted          TrapCode = 12 // the call's context ended
	TrapStackFenceBreached   TrapCode = 13 // call stack exhausted
	TrapCalledFnNotLinked    TrapCode = 14 // never produced
	TrapTableOutOfBounds     TrapCode = 15 // never produced: see TrapIndirectOutOfBounds
)

var trapNames = [...]string{
	TrapNone:                 "no trap",
	TrapUnreachable:          "unreachable",
	TrapBuiltin:              "runtime error",
	TrapLinMemOutOfBounds:    "out of bounds memory access",
	TrapLinMemCouldNotExtend: "memory could not be extended",
	TrapIndirectOutOfBounds:  "invalid table access",
	TrapIndirectWrongSig:     "indirect call type mismatch",
	TrapLinkedMemNotLinked:   "linked memory not linked",
	TrapLinkedMemOutOfBounds: "out of bounds linked memory access",
	TrapDivZero:              "integer divide by zero",
	TrapDivOverflow:          "integer overflow",
	TrapTruncOverflow:        "invalid conversion to integer",
	TrapInterrupted:          "interrupted",
	TrapStackFenceBreached:   "stack overflow",
	TrapCalledFnNotLinked:    "called function not linked",
	TrapTableOutOfBounds:     "out of bounds table access",
}

// String returns a few words that name the trap.
func (c TrapCode) String() string {
	if int(c) < len(trapNames) {
		return trapNames[c]
	}
	return fmt.Sprintf("trap(%d)", uint32(c))
}

// TrapError is the error of a call whose guest trapped. With TrapInterrupted it
// unwraps to the context's error and to its cause. Safe for concurrent use.
type TrapError struct {
	// Code says why.
	Code TrapCode

	trace  []string
	causes []error
}

// Error names the trap, what caused it, and the innermost guest functions.
func (e *TrapError) Error() string {
	var b strings.Builder
	b.WriteString("wasm trap: ")
	b.WriteString(e.Code.String())
	for _, cause := range e.causes {
		b.WriteString(": ")
		b.WriteString(cause.Error())
	}
	if len(e.trace) > 0 {
		b.WriteString(" (at ")
		b.WriteString(strings.Join(e.trace, " < "))
		b.WriteString(")")
	}
	return b.String()
}

// Unwrap returns what caused the trap: the error and the cause of the context
// that ended, or nothing.
func (e *TrapError) Unwrap() []error { return e.causes }
