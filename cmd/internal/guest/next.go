package guest

import (
	"errors"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// next(buf i32, cap i32) -> i32 does a whole step: it settles the record in hand, waits for another, and copies as much of it as
// fits into the guest. It returns the record's length, or -1 when the worker is to return. A bad buffer ends the call while no
// record is in hand, so that none is lost to it.
func (p *Plugin) next(m wago.HostModule, params, results []uint64) error {
	buf, capacity := uint32(params[0]), uint32(params[1])
	return p.pools.With(func(s pool.Service) error {
		if err := p.settle(s, m); err != nil {
			return named(err)
		}
		if _, err := view(m, buf, capacity); err != nil {
			return err
		}
		task, ok, err := p.take(s, m)
		if !ok || err != nil {
			results[0] = wago.I32(-1)
			return named(err)
		}
		worker, err := p.worker(m)
		if err != nil {
			return named(err)
		}
		p.answers.open(task.Tag, worker)
		into, err := view(m, buf, capacity)
		copy(into, task.Payload)
		results[0] = uint64(len(task.Payload))
		return err
	})
}

// settle tells Pool how the record in hand ended, if there is one.
func (p *Plugin) settle(s pool.Service, m wago.HostModule) error {
	task, err := s.Current(m)
	if errors.Is(err, pool.ErrNoTask) {
		return nil
	}
	if err != nil {
		return err
	}
	err = p.answers.close(task.Tag, func(reply []byte, failed error) error {
		if failed != nil {
			return s.Fail(m, failed)
		}
		return s.Complete(m, reply)
	})
	if errors.Is(err, pool.ErrNoTask) {
		return nil // Pool's own verdict was faster
	}
	return err
}

// take waits for the worker's next task. It is not ok when there will be none: the worker was told to stop, was retired, or the
// plugin was stopped.
func (p *Plugin) take(s pool.Service, m wago.HostModule) (task pool.Task, ok bool, err error) {
	for {
		if err := s.DispatchNext(p.alive, m); err != nil {
			if named(err) == ErrNotWorker {
				return pool.Task{}, false, err
			}
			return pool.Task{}, false, nil
		}
		task, err := s.Current(m)
		if errors.Is(err, pool.ErrNoTask) {
			continue // a message that was sent past Pool
		}
		return task, err == nil, err
	}
}
