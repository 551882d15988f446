package ledger

import (
	"errors"
	"fmt"
)

// findings are what does not hold.
//
// Not safe for concurrent use.
type findings []error

// hold notes a finding unless ok.
func (f *findings) hold(ok bool, format string, args ...any) {
	if !ok {
		*f = append(*f, fmt.Errorf(format, args...))
	}
}

// same notes a finding unless the two are equal.
func (f *findings) same(what string, got, want uint64) {
	f.hold(got == want, "%s: %d, want %d", what, got, want)
}

// between notes a finding unless low ≤ got ≤ high.
func (f *findings) between(what string, got, low, high uint64) {
	f.hold(low <= got && got <= high, "%s: %d, want %d to %d", what, got, low, high)
}

// err joins what was found; nil when all holds.
func (f findings) err() error { return errors.Join(f...) }
