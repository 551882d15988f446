package host

import (
	"context"

	"github.com/wago-org/wago"
)

// Visit is a guest's call of own, in which it stays until it is told to leave or the host closes.
type Visit struct {
	Caller wago.HostModule
	Left   <-chan error // what the guest's call returned, once it has
	leave  chan struct{}
}

// Leave lets the guest go on behind its call of own.
func (v *Visit) Leave() { close(v.leave) }

// Visit calls an export on a goroutine of its own and returns when the guest has called own.
func (h *Host) Visit(ctx context.Context, in *wago.Instance, export string) (*Visit, error) {
	left := make(chan error, 1)
	h.running.Go(func() {
		_, err := in.InvokeContext(ctx, export)
		left <- err
	})
	select {
	case v := <-h.arrivals:
		v.Left = left
		return v, nil
	case err := <-left:
		return nil, err
	}
}

// own is the guests' import.
func (h *Host) own(m wago.HostModule, _, _ []uint64) {
	v := &Visit{Caller: m, leave: make(chan struct{})}
	select {
	case h.arrivals <- v:
	case <-h.stopping:
		return
	}
	select {
	case <-v.leave:
	case <-h.stopping:
	}
}
