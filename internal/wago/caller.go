package wago

import (
	"fmt"
	"sync/atomic"
)

// caller is the HostModule of one host call: 16 bytes, made at the call's entry and expired at its end.
//
// Safe for concurrent use.
type caller struct {
	act *activation // set once: the guest call in which the host call happens
	// ended is nil while the call lasts and nobody watches it, then the channel its watchers share, then expired.
	ended atomic.Pointer[chan struct{}]
}

// expired marks callers whose host call has returned.
var expired = func() *chan struct{} {
	ch := make(chan struct{})
	close(ch)
	return &ch
}()

var _ HostModule = (*caller)(nil)

// Memory returns memory 0 while the host call lasts.
func (c *caller) Memory() []byte {
	if c == nil || !c.live() {
		return nil
	}
	guest := c.act.in.guest.Load()
	if guest == nil {
		return nil
	}
	return guest.Memory()
}

func (c *caller) live() bool { return c.ended.Load() != expired }

// expire ends the caller and tells those who watch it.
func (c *caller) expire() {
	if ch := c.ended.Swap(expired); ch != nil && ch != expired {
		close(*ch)
	}
}

// watch returns a channel that is closed when the caller expires.
func (c *caller) watch() <-chan struct{} {
	if ch := c.ended.Load(); ch != nil {
		return *ch
	}
	ch := make(chan struct{})
	if c.ended.CompareAndSwap(nil, &ch) {
		return ch
	}
	return *c.ended.Load()
}

// resolveCaller returns the caller behind a HostModule if it is one of this plugin's runtime and its call still lasts.
func (u *unit) resolveCaller(m HostModule) (*caller, error) {
	rt := u.runtime()
	if rt == nil {
		return nil, fmt.Errorf("%w: plugin %s is not active", ErrPermissionDenied, u.id())
	}
	c, ok := m.(*caller)
	switch {
	case !ok || c == nil:
		return nil, fmt.Errorf("%w: not a caller of a host function", ErrPermissionDenied)
	case c.act.in.rt != rt:
		return nil, fmt.Errorf("%w: caller of another runtime", ErrPermissionDenied)
	case !c.live():
		return nil, fmt.Errorf("%w: the caller's host call has ended", ErrPermissionDenied)
	}
	return c, nil
}
