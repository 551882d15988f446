package host

import (
	"context"
	"errors"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// FirstOrder is the first of the tags that tell a worker what to do; a task with a lower one has the guest do its work.
const FirstOrder uint64 = 1 << 63

// The orders.
const (
	tagPark = FirstOrder + iota // come to the gate
	TagMark                     // say when the task was taken
	TagTrap                     // say when the task was taken, then trap
)

// poolServer is a pool's worker: it takes its tasks through Pool, as README and examples do.
type poolServer struct{ h *Host }

func (s poolServer) next(m wago.HostModule, buffer []byte) int32 {
	n := int32(goHome)
	_ = s.h.pools.With(func(p pool.Service) error { // refused: the runtime is going
		for {
			if err := p.DispatchNext(context.Background(), m); err != nil {
				return err
			}
			task, err := p.Current(m)
			if err != nil {
				return err
			}
			if task.Tag < FirstOrder {
				n = int32(copy(buffer, task.Payload))
				return nil
			}
			if n = s.h.order(task.Tag); n != goOn {
				return nil
			}
		}
	})
	return n
}

func (s poolServer) reply(m wago.HostModule, result []byte) {
	err := s.h.pools.With(func(p pool.Service) error { return p.Complete(m, result) })
	if err != nil {
		panic(wago.HostTrap{Err: err})
	}
}

// goOn has the worker ask for another task.
const goOn = -3

// order does what a tag says.
func (h *Host) order(tag uint64) int32 {
	switch tag {
	case TagTrap:
		h.mark(tag)
		return goTrap
	case TagMark:
		h.mark(tag)
		return 0
	}
	if h.gate.pass(h.stopping) {
		return goOn
	}
	return goHome
}

// Pool is a pool of the host's owner.
//
// Not safe for concurrent use.
type Pool struct {
	ID   pool.PoolID
	h    *Host
	size uint32
}

// NewPool creates a pool of forks of the guest.
func (h *Host) NewPool(opts pool.PoolOptions) (*Pool, error) {
	p := &Pool{h: h, size: max(1, opts.MinWorkers)}
	err := h.WithPools(func(s pool.Service) (err error) {
		p.ID, err = s.Create(h.Caller, h.Entry, opts)
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Park has every worker finish what it was given, then wait at the gate. It returns when all of them do. Again: those that
// wait finish what came meanwhile.
func (p *Pool) Park(ctx context.Context) error {
	p.h.gate.swing()
	err := p.h.WithPools(func(s pool.Service) error {
		n, err := s.Broadcast(p.ID, tagPark, nil)
		if err == nil && n < int(p.size) {
			err = errors.New("a mailbox has no room for the call to the gate")
		}
		return err
	})
	if err != nil {
		return err
	}
	return p.h.gate.await(ctx, p.size)
}

// Destroy ends the pool, whatever its workers do, and returns when the last one has gone.
func (p *Pool) Destroy() error {
	p.h.gate.open()
	gone := make(chan struct{})
	return p.h.WithPools(func(s pool.Service) error {
		sub, err := s.ObserveEvents(func(e *pool.PoolEvent) {
			if e.Pool == p.ID && e.Kind == pool.PoolDestroyed {
				close(gone)
			}
		})
		if err != nil {
			return err
		}
		err = s.Destroy(p.ID)
		if errors.Is(err, pool.ErrPoolWorkersRemain) { // it waits two seconds, which may be short for thousands
			<-gone
			err = nil
		}
		return errors.Join(err, s.UnsubscribeEvents(sub))
	})
}
