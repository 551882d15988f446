package workerstest_test

import (
	"fmt"
	"runtime"
	"sync"
)

// recorder is a TB that keeps what a check complains about.
type recorder struct {
	mu     sync.Mutex
	errors []string // guarded by mu
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// FailNow ends the goroutine, as a test's does.
func (r *recorder) FailNow() { runtime.Goexit() }

func (r *recorder) failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.errors) > 0
}
