package service

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// workerGrace is how long a worker that is told to stop may take before it is interrupted.
const workerGrace = time.Second

// spawn starts one worker for a place that was reserved, and has it join the pool. No lock is held while guest code runs.
func (p *pool) spawn(w port, caller wago.HostModule) error {
	p.s.nursery.begin()
	defer p.s.nursery.end()
	claimed := uint32(1)
	defer func() { p.abandon(claimed) }() // also when the guest's start unwinds this goroutine
	id, err := p.start(w, caller)
	if err != nil {
		return spawnError(fmt.Errorf("pool: starting a worker: %w", err))
	}
	claimed = 0
	err = w.Link(caller, id)
	if isEnding(err) {
		err = nil // it was quicker than we: its exit says why
	}
	p.adopt(w, id, err == nil)
	if err != nil {
		return fmt.Errorf("pool: linking worker %d: %w", id, err)
	}
	return nil
}

// quotaLag is how long a place under Workers' quota may stay taken after its worker's end was reported: Workers frees it when
// all who observe ends have returned.
const quotaLag = 50 * time.Millisecond

// quotaPoll is how long the waits between two looks may become.
const quotaPoll = 2 * time.Millisecond

// start has Workers start the worker. A quota that refuses it just after another worker's end is asked again, unless the pool was
// limited before.
func (p *pool) start(w port, caller wago.HostModule) (WorkerID, error) {
	begun := p.s.now()
	for pause := 20 * time.Microsecond; ; pause = min(2*pause, quotaPoll) {
		id, err := w.Spawn(caller, p.tableIndex, p.opts.Worker)
		if !errors.Is(err, workers.ErrWorkerQuotaExceeded) || !p.s.justFreed() || p.s.now()-begun > int64(quotaLag) || p.isLimited() {
			return id, err
		}
		select {
		case <-p.ended:
			return id, err
		case <-time.After(pause):
		}
	}
}

// justFreed reports whether a place under Workers' quota may be about to come back.
func (s *Pools) justFreed() bool {
	last := s.exitedAt.Load()
	return last != 0 && s.now()-last <= int64(quotaLag)
}

// isEnding reports whether a worker can't be linked because it has ended, or is about to.
func isEnding(err error) bool {
	return errors.Is(err, workers.ErrWorkerNotFound) || errors.Is(err, workers.ErrWorkerStopping)
}

// abandon gives claimed places back whose workers were not started.
func (p *pool) abandon(n uint32) {
	if n == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spawning -= n
	p.bodies -= n
	p.s.releaseWorkers(n)
	p.restLocked()
}

// adopt makes a started worker a member, or stops it when the pool does not want it any more.
func (p *pool) adopt(w port, id WorkerID, linked bool) {
	m := newMember(p, id)
	p.mu.Lock()
	p.spawning--
	m.orphan = !linked || p.isEnded || p.draining
	exit, gone := p.s.nursery.enter(p.s, m) // known before it can be sent to
	if !m.orphan {
		p.joinLocked(m)
	}
	p.stepLocked()
	p.mu.Unlock()
	switch {
	case gone:
		m.exited(exit)
		return
	case m.orphan:
		w.kill(id, workerGrace, ErrPoolDestroyed)
		return
	}
	p.resized(w)
}

// joinLocked puts m into the slot of a worker it replaces, or else the lowest free one.
func (p *pool) joinLocked(m *member) {
	m.slot = p.nextSlotLocked()
	p.setSlotLocked(m.slot, slot{member: m})
	m.mu.Lock()
	m.updateLocked()
	m.mu.Unlock()
	p.retakeLocked()
	p.emit(Event{Kind: PoolWorkerAdded, Worker: m.id})
	p.showLocked()
}

// nextSlotLocked returns the first slot that is held, else the first that is free.
func (p *pool) nextSlotLocked() uint32 {
	if p.held+p.vacant == 0 {
		p.slots = append(p.slots, slot{})
		p.vacant++
		return uint32(len(p.slots) - 1)
	}
	held := p.held > 0
	return uint32(slices.IndexFunc(p.slots, func(s slot) bool { return s.member == nil && s.held == held }))
}
