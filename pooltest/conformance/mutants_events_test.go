package conformance_test

import (
	"context"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// The mutants of events, contexts and ends.

type swapsEvents struct{ pool.Service }

// ObserveEvents keeps each pool's creation until the next event.
func (m swapsEvents) ObserveEvents(fn func(*pool.PoolEvent)) (pool.EventSubscription, error) {
	if fn == nil {
		return m.Service.ObserveEvents(nil)
	}
	var kept *pool.PoolEvent
	return m.Service.ObserveEvents(func(e *pool.PoolEvent) {
		if e.Kind == pool.PoolCreated {
			created := *e
			kept = &created
			return
		}
		fn(e)
		if kept != nil {
			fn(kept)
			kept = nil
		}
	})
}

type losesEvents struct{ pool.Service }

// ObserveEvents doesn't tell of tasks that fail.
func (m losesEvents) ObserveEvents(fn func(*pool.PoolEvent)) (pool.EventSubscription, error) {
	if fn == nil {
		return m.Service.ObserveEvents(nil)
	}
	return m.Service.ObserveEvents(func(e *pool.PoolEvent) {
		if e.Kind != pool.PoolTaskFailed {
			fn(e)
		}
	})
}

type holdsUp struct {
	pool.Service
	turn chan struct{} // a mutex that a bubble sees through
}

// ObserveEvents calls one observer after the other.
func (m holdsUp) ObserveEvents(fn func(*pool.PoolEvent)) (pool.EventSubscription, error) {
	if fn == nil {
		return m.Service.ObserveEvents(nil)
	}
	return m.Service.ObserveEvents(func(e *pool.PoolEvent) {
		m.turn <- struct{}{}
		fn(e)
		<-m.turn
	})
}

type unsubscribesSoon struct{ pool.Service }

func (m unsubscribesSoon) UnsubscribeEvents(sub pool.EventSubscription) error {
	go func() { _ = m.Service.UnsubscribeEvents(sub) }()
	return nil
}

type unsubscribesNever struct{ pool.Service }

func (unsubscribesNever) UnsubscribeEvents(pool.EventSubscription) error { return nil }

type endlessContext struct{ pool.Service }

func (m endlessContext) CallerContext(wago.HostModule) (context.Context, context.CancelFunc, error) {
	ctx, cancel := context.WithCancel(context.Background())
	return ctx, cancel, nil
}

type noCause struct{ pool.Service }

func (m noCause) CallerContext(caller wago.HostModule) (context.Context, context.CancelFunc, error) {
	inner, leave, err := m.Service.CallerContext(caller)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	context.AfterFunc(inner, func() { cancel(context.Canceled) })
	return ctx, leave, nil
}

type inactive struct{ pool.Service }

func (m inactive) Submit(id pool.PoolID, tag uint64, payload []byte) (pool.WorkerID, error) {
	worker, err := m.Service.Submit(id, tag, payload)
	if err == pool.ErrPoolsClosed {
		err = pool.ErrPoolsInactive
	}
	return worker, err
}
