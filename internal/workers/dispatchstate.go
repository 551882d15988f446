package workers

import "sync/atomic"

// dispatchState admits one dispatch at a time, and lets the worker's end wait for it.
//
// Safe for concurrent use.
type dispatchState struct {
	state atomic.Uint32
	idle  chan struct{} // closed by the dispatch that the end waits for
}

const (
	dispatchNone uint32 = iota
	dispatchActive
	dispatchAwaited // active, and the last
	dispatchOver
)

func (d *dispatchState) begin() error {
	if d.state.CompareAndSwap(dispatchNone, dispatchActive) {
		return nil
	}
	if d.state.Load() == dispatchOver {
		return ErrInvalidWorkerCaller // the guest ended since the caller was looked at
	}
	return ErrWorkerDispatchActive
}

func (d *dispatchState) end() {
	if !d.state.CompareAndSwap(dispatchActive, dispatchNone) {
		close(d.idle)
	}
}

// finish admits no more dispatches and waits for the one in progress: a caller may have been taken to another goroutine.
func (d *dispatchState) finish() {
	for {
		switch {
		case d.state.CompareAndSwap(dispatchNone, dispatchOver):
			return
		case d.state.CompareAndSwap(dispatchActive, dispatchAwaited):
			<-d.idle
			return
		}
	}
}
