// Package recorder has a test that fails nobody: it keeps what is reported to it, for tests of what reports.
package recorder

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// TB is a test that keeps what is reported to it. What it doesn't keep it has from the test that it was made with.
//
// Safe for concurrent use.
type TB struct {
	testing.TB
	mu   sync.Mutex
	text strings.Builder // guarded by mu
}

// Errorf keeps a message.
func (r *TB) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(&r.text, format+"\n", args...)
}

// Fatalf keeps a message and ends the goroutine, as a test's does.
func (r *TB) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// Logf does nothing.
func (r *TB) Logf(string, ...any) {}

// Cleanup does nothing: what is started with a recorder is closed by hand.
func (r *TB) Cleanup(func()) {}

func (r *TB) reported() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// Complaints runs f on a goroutine of its own and returns what it has reported to the test that it is given.
func Complaints(t testing.TB, f func(testing.TB)) string {
	r := &TB{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return r.reported()
}
