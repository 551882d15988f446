package pooltest_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// recorder is a test that keeps what is reported to it.
type recorder struct {
	testing.TB
	mu   sync.Mutex
	text strings.Builder // guarded by mu
}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(&r.text, format+"\n", args...)
}

// Fatalf ends the goroutine, as a test's does.
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Logf(string, ...any) {}

// Cleanup does nothing: what is started with a recorder is closed by hand.
func (r *recorder) Cleanup(func()) {}

func (r *recorder) reported() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// complaints returns what f reports to the test that it is given.
func complaints(t *testing.T, f func(testing.TB)) string {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return r.reported()
}
