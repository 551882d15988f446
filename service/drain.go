package service

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/wago-org/wago"
)

// Drain implements Service.
func (s *Pools) Drain(id ID) error {
	_, err := s.drain(id)
	return err
}

func (s *Pools) drain(id ID) (*pool, error) {
	p, err := s.find(id)
	if err != nil {
		return nil, err
	}
	if err := p.startDrain(); err != nil {
		return nil, err
	}
	_ = s.lease(func(w port) error { // refused: the runtime is going, and stops the workers itself
		p.pump(w)
		return nil
	})
	return p, nil
}

// startDrain shuts the door. A reservation that saw it open is either in a mailbox by now, or will be refused.
func (p *pool) startDrain() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.isEnded:
		return ErrPoolNotFound
	case p.draining:
		return nil
	}
	from := p.desiredLocked()
	p.setLimitLocked(nil)
	p.draining = true
	p.restLoadLocked()
	p.eachLocked(func(m *member) { m.cordon(0) }) // everybody who is left may be needed
	p.publishLocked()
	p.eachLocked(func(m *member) { // wait for the reservations under way
		m.mu.Lock()
		defer m.mu.Unlock()
	})
	p.emit(Event{Kind: PoolDraining, From: from})
	p.refuseWaitingLocked(ErrPoolDraining)
	p.finishDrainLocked()
	return nil
}

// finishDrainLocked ends the drain once the last worker has gone. Tasks parked by then are nobody's.
func (p *pool) finishDrainLocked() {
	if isClosed(p.drained) || p.bodies > 0 {
		return
	}
	p.drainDrops = p.dropParkedLocked(ReasonDrained, ErrTasksDropped, p.lastExit.Err)
	p.s.releasePool()
	p.emit(Event{Kind: PoolDrained, Count: p.drainDrops})
	p.drainNo = p.s.drains.Add(1)
	close(p.drained)
}

// endDrained ends those drained pools of a creator that has made another which were drained first: MaxPools of them are kept. Where
// Workers has no identities all creators are one.
func (s *Pools) endDrained(w port, creator wago.InstanceIdentity) {
	pools := slices.DeleteFunc(s.all(), func(p *pool) bool { return p.owner != creator || !isClosed(p.drained) })
	slices.SortFunc(pools, func(a, b *pool) int { return cmp.Compare(a.drainNo, b.drainNo) })
	surplus := len(pools) - min(len(pools), int(s.limits.MaxPools))
	for _, p := range pools[:surplus] {
		p.end(w, ErrPoolLimit, ReasonCeiling)
	}
}

// DrainWait implements Service.
func (s *Pools) DrainWait(ctx context.Context, id ID) error {
	ctx = orBackground(ctx)
	p, err := s.drain(id)
	if err != nil {
		return err
	}
	select {
	case <-p.drained:
	case <-p.ended:
	case <-ctx.Done():
	}
	switch { // what is over counts, whatever came with it
	case isClosed(p.drained):
		return p.drainResult()
	case isClosed(p.ended):
		return p.endError()
	}
	return fmt.Errorf("%w: pool %d: %w", ErrPoolNotDrained, p.id, ctx.Err())
}

func (p *pool) drainResult() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drainDrops > 0 {
		return fmt.Errorf("%w: %d of pool %d, whose last worker ended before they were done", ErrTasksDropped, p.drainDrops, p.id)
	}
	return nil
}

func (p *pool) endError() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.destroyedError()
}
