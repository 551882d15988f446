package engine

import (
	"errors"
	"reflect"
	"strings"
)

// wazero keeps the type of its runtime errors to itself, so it is known by name.
const runtimeErrorPackage = "github.com/tetratelabs/wazero/internal/wasmruntime"

// trapCodes maps the text of wazero's runtime errors. It has one text for a
// division and for a conversion that overflow, and one for every wrong table
// access: the code named first in trap.go stands for both.
var trapCodes = map[string]TrapCode{
	"unreachable":                   TrapUnreachable,
	"out of bounds memory access":   TrapLinMemOutOfBounds,
	"invalid table access":          TrapIndirectOutOfBounds,
	"indirect call type mismatch":   TrapIndirectWrongSig,
	"integer divide by zero":        TrapDivZero,
	"integer overflow":              TrapDivOverflow,
	"invalid conversion to integer": TrapTruncOverflow,
	"stack overflow":                TrapStackFenceBreached,
}

// trapOf returns the trap that wazero reports in err, or nil.
func trapOf(err error) *TrapError {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if t := reflect.TypeOf(e); t.Kind() == reflect.Pointer && t.Elem().PkgPath() == runtimeErrorPackage {
			code, ok := trapCodes[e.Error()]
			if !ok {
				return &TrapError{Code: TrapBuiltin, causes: []error{e}, trace: traceOf(err)}
			}
			return &TrapError{Code: code, trace: traceOf(err)}
		}
	}
	return nil
}

const (
	traceHeading = "wasm stack trace:\n\t"
	traceFrames  = 5
)

// traceOf returns the innermost frames of the stack trace in wazero's text.
func traceOf(err error) []string {
	_, trace, ok := strings.Cut(err.Error(), traceHeading)
	if !ok {
		return nil
	}
	trace, _, _ = strings.Cut(trace, "\n\n")
	frames := strings.Split(trace, "\n\t")
	for i := range frames {
		frames[i] = strings.TrimSpace(frames[i])
	}
	return frames[:min(len(frames), traceFrames)]
}
