package host

import (
	"context"
	"errors"

	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Raw are workers without a pool: they take messages only when they are told to.
//
// Not safe for concurrent use.
type Raw struct {
	IDs []workers.WorkerID

	h *Host
}

// NewRaw spawns workers. It returns when all of them wait to be told.
func (h *Host) NewRaw(ctx context.Context, n uint32, opts workers.WorkerOptions) (*Raw, error) {
	r := &Raw{h: h}
	h.server = r
	h.gate.swing()
	err := h.WithWorkers(func(s workers.Service) error {
		for range n {
			id, err := s.Spawn(h.Caller, h.Entry, opts)
			if err != nil {
				return err
			}
			r.IDs = append(r.IDs, id)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, h.gate.await(ctx, n)
}

// Drain has every worker empty its mailbox, and returns when all have.
func (r *Raw) Drain(ctx context.Context) error {
	r.h.gate.swing()
	return r.h.gate.await(ctx, uint32(len(r.IDs)))
}

func (r *Raw) next(m wago.HostModule, _ []byte) int32 {
	_ = r.h.WithWorkers(func(s workers.Service) error { // an error means that the worker has to go
		for r.h.gate.pass(r.h.stopping) {
			if err := empty(s, m); err != nil {
				return err
			}
		}
		return nil
	})
	return goHome
}

// ended is the context of who doesn't wait for a message: one that is there comes before the end.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// empty takes what is in the calling worker's mailbox.
func empty(s workers.Service, m wago.HostModule) error {
	for {
		switch err := s.DispatchNext(ended, m); {
		case errors.Is(err, ended.Err()):
			return nil
		case err != nil:
			return err
		}
	}
}

func (r *Raw) reply(wago.HostModule, []byte) {
	panic(wago.HostTrap{Err: errors.New("a worker without a pool has nobody to reply to")})
}
