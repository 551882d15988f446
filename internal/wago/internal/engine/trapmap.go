package engine

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
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

// trapOf returns the trap that wazero reports in err, or nil. The module has so
// many functions.
func trapOf(err error, functions int) *TrapError {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if t := reflect.TypeOf(e); t.Kind() == reflect.Pointer && t.Elem().PkgPath() == runtimeErrorPackage {
			code, ok := trapCodes[e.Error()]
			if !ok {
				return &TrapError{Code: TrapBuiltin, causes: []error{e}, trace: traceOf(err, functions)}
			}
			return &TrapError{Code: code, trace: traceOf(err, functions)}
		}
	}
	return nil
}

const (
	traceHeading = "wasm stack trace:\n\t"
	traceFrames  = 5
)

// traceOf returns the innermost frames of the stack trace in wazero's text,
// without those of functions that the module doesn't have: the countdown's.
func traceOf(err error, functions int) []string {
	_, trace, ok := strings.Cut(err.Error(), traceHeading)
	if !ok {
		return nil
	}
	trace, _, _ = strings.Cut(trace, "\n\n")
	frames := strings.Split(trace, "\n\t")
	for i := range frames {
		frames[i] = strings.TrimSpace(frames[i])
	}
	frames = slices.DeleteFunc(frames, func(frame string) bool { return numberOf(frame) >= functions })
	return frames[:min(len(frames), traceFrames)]
}

// numberOf returns the index of a frame's function if it has no name, or -1.
func numberOf(frame string) int {
	function, _, _ := strings.Cut(frame, "(")
	_, index, _ := strings.Cut(function, ".$")
	n, err := strconv.Atoi(index)
	if err != nil {
		return -1
	}
	return n
}
