package service

import (
	"container/list"
	"context"

	"github.com/JairusSW/pool/strategy"
)

// waiter is a SubmitWait that waits for room.
type waiter struct {
	entry  entry
	chosen *member        // whom the strategy chose, when the policy is not to spill
	ready  chan admission // one answer, buffered
	place  *list.Element
}

// admission is what a wait ended with.
type admission struct {
	worker WorkerID
	err    error
}

// waitList holds the waiters in order of arrival.
type waitList struct{ list list.List }

func (l *waitList) len() int { return l.list.Len() }

func (l *waitList) add(wt *waiter) { wt.place = l.list.PushBack(wt) }

// remove takes wt out and reports whether it was still there.
func (l *waitList) remove(wt *waiter) bool {
	if wt.place == nil {
		return false
	}
	l.list.Remove(wt.place)
	wt.place = nil
	return true
}

// each visits the waiters in order until visit returns false; visit may remove the one it is given.
func (l *waitList) each(visit func(*waiter) bool) {
	for at := l.list.Front(); at != nil; {
		next := at.Next()
		if !visit(at.Value.(*waiter)) {
			return
		}
		at = next
	}
}

// SubmitWait implements Service.
func (s *Pools) SubmitWait(ctx context.Context, id ID, task Task) (WorkerID, error) {
	p, err := s.find(id)
	if err != nil {
		return 0, err
	}
	return s.submitWait(orBackground(ctx), p, task, nil)
}

// orBackground is what a nil context stands for.
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

func (s *Pools) submitWait(ctx context.Context, p *pool, task Task, c *call) (WorkerID, error) {
	if err := p.takes(&task); err != nil {
		return 0, p.answer(&task, err)
	}
	if ctx.Err() != nil {
		return 0, p.waitEnded(&task, ctx.Err())
	}
	e := newEntry(&task, c)
	e.waits = true
	m, err := s.attemptInTurn(p, &e)
	if err != ErrPoolBackpressure && err != ErrPoolEmpty {
		return m.worker(), err
	}
	wt := &waiter{entry: e, chosen: m, ready: make(chan admission, 1)}
	if err := s.line(p, wt); err != nil {
		return 0, err
	}
	return p.await(ctx, &task, wt)
}

// attemptInTurn is attempt, but no wait overtakes another.
func (s *Pools) attemptInTurn(p *pool, e *entry) (*member, error) {
	if p.waitN.Load() > 0 || p.stalled.Load() {
		return nil, ErrPoolBackpressure
	}
	return s.attempt(p, e)
}

// line has wt wait behind the others.
func (s *Pools) line(p *pool, wt *waiter) error {
	return s.lease(func(w port) error {
		if err := p.enqueue(wt); err != nil {
			return err
		}
		p.pump(w) // room may have come between the attempt and the queueing
		return nil
	})
}

func (p *pool) enqueue(wt *waiter) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.closedLocked(); err != nil {
		return err
	}
	if p.stalledLocked() {
		return p.waitEnded(&Task{Tag: wt.entry.tag, Key: wt.entry.key}, p.haltedLocked())
	}
	p.waiting.add(wt)
	p.countBacklogLocked()
	p.nudge() // somebody who waits is load
	return nil
}

// await blocks until wt was accepted, refused, or ctx ends.
func (p *pool) await(ctx context.Context, task *Task, wt *waiter) (WorkerID, error) {
	select {
	case v := <-wt.ready:
		return v.worker, v.err
	case <-ctx.Done():
	}
	p.mu.Lock()
	waiting := p.waiting.remove(wt)
	p.countBacklogLocked()
	p.mu.Unlock()
	p.freed() // there may be room for those behind it
	if !waiting {
		v := <-wt.ready
		return v.worker, v.err
	}
	return 0, p.waitEnded(task, ctx.Err())
}

// waitEnded counts a wait that ended before acceptance and returns err.
func (p *pool) waitEnded(task *Task, err error) error {
	return p.reject(task, ReasonWaitEnded, err)
}

// placeWaitingLocked gives the room there is to those who wait, in order of arrival. Under spill the first who finds none
// ends the pass; else each waits for the worker chosen for it, and only those behind the same one wait for it.
func (p *pool) placeWaitingLocked(w port) {
	p.pass++
	snap := p.snap.Load()
	spill := p.opts.Overflow == OverflowSpill
	p.waiting.each(func(wt *waiter) bool {
		if p.roomy.Load() == 0 {
			return false // however many wait, the pass is as long as there is room
		}
		if p.opts.Strategy == strategy.Broadcast {
			if p.acceptBroadcast(w, &wt.entry) != nil {
				return false
			}
			p.admitWaiterLocked(wt, 0)
			return true
		}
		if spill {
			m, v := p.place(w, snap, &wt.entry, true)
			if v == accepted {
				p.admitWaiterLocked(wt, m.id)
			}
			return v == accepted
		}
		p.placeChosenLocked(w, snap, wt)
		return true
	})
}

// placeChosenLocked offers wt's task to the worker chosen for it, and to another when that one is going.
func (p *pool) placeChosenLocked(w port, snap *snapshot, wt *waiter) {
	if m := wt.chosen; m != nil {
		if m.fullPass == p.pass {
			return
		}
		switch m.offer(w, snap, &wt.entry) {
		case accepted:
			p.admitWaiterLocked(wt, m.id)
			return
		case full:
			m.fullPass = p.pass
			return
		}
	}
	m, v := p.place(w, snap, &wt.entry, false)
	wt.chosen = m
	switch v {
	case accepted:
		p.admitWaiterLocked(wt, m.id)
	case full:
		m.fullPass = p.pass
	}
}

func (p *pool) admitWaiterLocked(wt *waiter, worker WorkerID) {
	p.waiting.remove(wt)
	wt.ready <- admission{worker: worker}
}

// refuseWaitingLocked ends every wait with err. Each counts as rejected.
func (p *pool) refuseWaitingLocked(err error) {
	p.waiting.each(func(wt *waiter) bool {
		p.waiting.remove(wt)
		_ = p.reject(&Task{Tag: wt.entry.tag, Key: wt.entry.key}, ReasonWaitEnded, err) // it is err
		wt.ready <- admission{err: err}
		return true
	})
	p.countBacklogLocked()
}
