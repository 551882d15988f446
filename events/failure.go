package events

import (
	"fmt"
	"runtime"
	"sync"
)

const (
	maxFailures = 16       // subscriptions whose failures are kept in detail
	maxStack    = 8 * 1024 // bytes of a stack that are kept
)

// failures is what went wrong in callbacks and hasn't been reported.
//
// Safe for concurrent use.
type failures struct {
	// mu guards all of it. It is not the bus's: nobody who publishes waits while a stack is written down.
	mu   sync.Mutex
	kept []*CallbackError // one per subscription, the first maxFailures of them
	more uint64           // failures of other subscriptions
}

// add notes that a callback of the subscription didn't return: value is what it panicked with, nil if it ended its
// goroutine. It must be called while the callback's stack still stands.
func (f *failures) add(s Subscription, name string, value any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, k := range f.kept {
		if k.Subscription == s {
			k.Count++
			return
		}
	}
	if len(f.kept) == maxFailures {
		f.more++
		return
	}
	stack := make([]byte, maxStack)
	stack = stack[:runtime.Stack(stack, false)]
	f.kept = append(f.kept, &CallbackError{Subscription: s, Func: name, Count: 1, Value: value, Stack: string(stack)})
}

// take returns what hasn't been reported, as errors. They are the caller's: nothing changes in them any more.
func (f *failures) take() []error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, k := range f.kept {
		errs = append(errs, k)
	}
	if f.more > 0 {
		errs = append(errs, fmt.Errorf("%w: %d times more, in other subscriptions", ErrCallbackFailed, f.more))
	}
	f.kept, f.more = nil, 0
	return errs
}
