package wago

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// callbacks knows the goroutines on which plugin code runs, so that a close called from one of them can be told.
type callbacks struct {
	mu  sync.Mutex
	ids map[uint64]struct{} // guarded by mu
}

func (c *callbacks) add(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids == nil {
		c.ids = make(map[uint64]struct{})
	}
	c.ids[id] = struct{}{}
}

func (c *callbacks) remove(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.ids, id)
}

func (c *callbacks) has(id uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.ids[id]
	return ok
}

// contain runs plugin code on a goroutine of its own and waits for it: a panic comes back as *PanicError and a Goexit as
// ErrCallbackGoexit, and neither takes the caller's goroutine along.
func (c *callbacks) contain(plugin, where string, fn func() error) error {
	done := make(chan error, 1)
	go func() {
		id := goroutineID()
		c.add(id)
		result := fmt.Errorf("%w: %s of plugin %s", ErrCallbackGoexit, where, plugin)
		defer func() {
			if value := recover(); value != nil {
				result = &PanicError{Plugin: plugin, Where: where, Value: value, Stack: debug.Stack()}
			}
			c.remove(id)
			done <- result
		}()
		result = fn()
	}()
	return <-done
}
