package service

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// destroyWait is how long Destroy waits for workers: their grace, and a second for those that were interrupted.
const destroyWait = 2 * time.Second

// Destroy implements Service.
func (s *Pools) Destroy(id ID) error {
	p, err := s.find(id)
	if err != nil {
		return err
	}
	if !s.endPool(p, ErrPoolDestroyed, ReasonDestroyed) {
		return ErrPoolNotFound
	}
	return waitGone(context.Background(), []*pool{p}, destroyWait)
}

// endPool ends p and stops its workers; false: somebody else did.
func (s *Pools) endPool(p *pool, cause error, why Reason) bool {
	first := false
	err := s.lease(func(w port) error {
		first = p.end(w, cause, why)
		return nil
	})
	if err != nil { // the runtime is going, and stops the workers itself
		p.mu.Lock()
		defer p.mu.Unlock()
		_, first = p.endLocked(cause, why)
	}
	return first
}

func (s *Pools) endAll(cause error, why Reason) {
	for _, p := range s.all() {
		s.endPool(p, cause, why)
	}
}

// lingerers returns the pools that have ended and have workers left.
func (s *Pools) lingerers() []*pool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.lingering))
}

// end makes the pool unreachable and tells its workers to stop; false: that had happened before.
func (p *pool) end(w port, cause error, why Reason) bool {
	p.mu.Lock()
	stop, first := p.endLocked(cause, why)
	p.mu.Unlock()
	for _, id := range stop {
		w.kill(id, workerGrace, cause)
	}
	return first
}

// endLocked settles everything that the pool still has: queued and parked tasks are dropped, tasks in hand fail, waits end.
// It returns the workers to stop.
func (p *pool) endLocked(cause error, why Reason) (stop []WorkerID, first bool) {
	if p.isEnded {
		return nil, false
	}
	p.isEnded, p.endCause = true, cause
	p.s.delist(p.id)
	p.publishLocked() // from here on no reservation succeeds
	p.refuseWaitingLocked(p.destroyedError())
	left := p.parked.drain()
	p.eachLocked(func(m *member) {
		left = append(left, m.condemn(cause, why)...)
		stop = append(stop, m.id)
	})
	p.dropLocked(left, 0, why, ErrPoolDestroyed, cause)
	if p.limit != nil {
		p.limit = nil
		p.s.hungry.Add(-1)
	}
	if p.elastic != nil {
		p.s.hungry.Add(-1)
	}
	close(p.ended)
	p.finishLocked()
	return stop, true
}

// condemn gives the verdict on a member: it takes no task from now on, and what it has is settled. It returns what lay in
// its mailbox.
func (m *member) condemn(cause error, why Reason) []entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state, m.stopCause = memberStopping, cause
	m.failLocked(outcome{kind: ErrPoolDestroyed, cause: cause}, why)
	left := m.clearQueueLocked()
	m.updateLocked()
	return left
}

// finishLocked reports the end of the pool once its last worker has gone, and gives its place back.
func (p *pool) finishLocked() {
	if p.isGone || p.bodies > 0 {
		return
	}
	p.isGone = true
	if !isClosed(p.drained) { // that gave it back before
		p.s.releasePool()
	}
	p.doorMu.Lock()
	p.door.closed = true
	p.doorMu.Unlock()
	final := p.statsLocked()
	p.emit(Event{Kind: PoolDestroyed, Err: p.endCause, Final: &final})
	close(p.gone)
	p.s.forget(p.id)
}

// delist makes the pool unfindable; until its last worker has gone it lingers.
func (s *Pools) delist(id ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pools := maps.Clone(*s.pools.Load())
	s.lingering[id] = pools[id]
	delete(pools, id)
	s.pools.Store(&pools)
}

func (s *Pools) forget(id ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lingering, id)
}

// destroyedError is what waits get that meet the end of the pool.
func (p *pool) destroyedError() error {
	if p.endCause == nil || p.endCause == error(ErrPoolDestroyed) {
		return ErrPoolDestroyed
	}
	return fmt.Errorf("%w: %w", ErrPoolDestroyed, p.endCause)
}

// waitGone waits until the last worker of every pool has gone: until ctx ends, or for as long as patience when ctx has no
// deadline.
func waitGone(ctx context.Context, pools []*pool, patience time.Duration) error {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	}
	var errs []error
	for _, p := range pools {
		select {
		case <-p.gone:
		case <-ctx.Done():
			if n := p.remaining(); n > 0 && !isClosed(p.gone) {
				errs = append(errs, fmt.Errorf("%w: %d of pool %d", ErrPoolWorkersRemain, n, p.id))
			}
		}
	}
	return errors.Join(errs...)
}

func (p *pool) remaining() uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bodies
}
