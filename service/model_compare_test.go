package service_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/JairusSW/pool/service"
	"pgregory.net/rapid"
)

// returned holds every wait against what it has to return.
func (m *modelMachine) returned(t *rapid.T) {
	m.waits = slices.DeleteFunc(m.waits, func(w *modelWait) bool {
		over := w.job.Over()
		switch {
		case over && !w.settled:
			t.Fatalf("%s has returned %v", w.name, w.err)
		case !over && w.settled:
			t.Fatalf("%s has not returned; it is to return %v", w.name, w.want)
		case over && !sameError(w.err, w.want):
			t.Fatalf("%s has returned %v, not %v", w.name, w.err, w.want)
		case over && w.err == nil && string(w.got) != w.result:
			t.Fatalf("%s has returned %q, not %q", w.name, w.got, w.result)
		}
		return over
	})
}

// compare holds what the pools say against the model.
func (m *modelMachine) compare(t *rapid.T, now time.Time) {
	for _, p := range m.pools {
		stats, err := m.stage.Pools.Stats(p.id)
		m.must(t, err)
		if p.supervisor != nil {
			p.limited = stats.Limited // a supervisor that has met a ceiling looks again within a second
		}
		if got, want := modelText(&stats), modelText(p.stats()); got != want {
			t.Fatalf("pool %d is\n%s\nand should be\n%s", p.id, got, want)
		}
		if err := p.balanced(); err != nil {
			t.Fatalf("pool %d: %v", p.id, err)
		}
		p.wants = append(p.wants, modelWant{now, p.wantedIfElastic()})
	}
	if !slices.Equal(m.stage.Pools.List(), m.ids()) {
		t.Fatalf("there are pools %v, not %v", m.stage.Pools.List(), m.ids())
	}
	m.watched(t)
}

// watched holds the second observer against the first.
func (m *modelMachine) watched(t *rapid.T) {
	all := m.watch.numbers()
	for i, n := range all {
		if i > 0 && n != all[i-1]+1 {
			t.Fatalf("event %d follows event %d", n, all[i-1])
		}
	}
	if m.second == nil {
		return
	}
	if some := m.second.numbers(); !slices.Equal(some, all[len(all)-len(some):]) {
		t.Fatalf("two observers were told %v and %v", some, all[len(all)-len(some):])
	}
}

func (m *modelMachine) ids() (ids []service.ID) {
	for _, p := range m.pools {
		ids = append(ids, p.id)
	}
	return ids
}

// stats is what the model says the pool's are.
func (p *modelPool) stats() *service.Stats {
	s := p.n
	s.Pool, s.Live, s.Desired = p.id, uint32(p.live()), uint32(p.desired(p.asking()))
	s.Draining, s.Halted, s.Limited = p.draining, p.halted, p.limited
	s.Parked = uint64(len(p.parked))
	for _, w := range p.workers {
		s.Outstanding += uint64(w.mirrored())
		if w.hand != nil {
			s.Running++
		}
		if w.leaving {
			continue
		}
		line := service.WorkerStat{ID: w.id, Outstanding: uint32(w.mirrored())}
		if w.hand != nil {
			line.Running = 1
		}
		s.Workers = append(s.Workers, line)
	}
	s.Queued = s.Outstanding + s.Parked
	return &s
}

// modelText is what of a pool's stats the model knows.
func modelText(s *service.Stats) string {
	text := fmt.Sprintf("live %d desired %d draining %t halted %t limited %t\n", s.Live, s.Desired, s.Draining, s.Halted, s.Limited)
	text += fmt.Sprintf("submitted %d routed %d rejected %d shed %d\n", s.Submitted, s.Routed, s.Rejected, s.Shed)
	text += fmt.Sprintf("done %d failed %d dropped %d queued %d running %d parked %d\n",
		s.Done, s.FailedTasks, s.Dropped, s.Queued, s.Running, s.Parked)
	text += fmt.Sprintf("redelivered %d retried %d foreign %d exited %d failed %d restarted %d\n",
		s.Redelivered, s.Retried, s.Foreign, s.Exited, s.Failed, s.Restarted)
	for _, w := range s.Workers {
		text += fmt.Sprintf("worker %d: outstanding %d running %d\n", w.ID, w.Outstanding, w.Running)
	}
	return text
}

// modelLedger is modelText without the first line, which says what a pool that has ended isn't.
func modelLedger(s *service.Stats) string {
	_, ledger, _ := strings.Cut(modelText(s), "\n")
	return ledger
}

// balanced says what must hold whenever nothing moves.
func (p *modelPool) balanced() error {
	s := p.stats()
	alive := p.live() > 0 || p.floorless
	switch {
	case s.Routed != s.Done+s.FailedTasks+s.Dropped+s.Queued+s.Running:
		return errors.New("the model has lost a task")
	case len(p.workers) > int(p.opts.MaxWorkers):
		return fmt.Errorf("it has %d workers", len(p.workers))
	case len(p.parked) > 0 && p.roomy() > 0:
		return errors.New("tasks are parked, and a worker has room")
	case len(p.waiting) > 0 && len(p.parked) == 0 && p.roomy() > 0 && p.opts.Overflow == service.OverflowSpill:
		return errors.New("a submit waits, and a worker has room")
	case len(p.waiting) > 0 && len(p.parked) > 0 && len(p.parked) < p.parking() && alive:
		return errors.New("a submit waits, and there is a place to park")
	case p.elastic && p.supervisor != nil && !p.draining && !p.halted && p.base < p.wanted():
		return fmt.Errorf("load asks for %d workers and it aims at %d", p.wanted(), p.base)
	}
	return nil
}

// parking is how many new tasks can be parked.
func (p *modelPool) parking() int { return int(p.opts.Worker.QueueCapacity * p.opts.MaxWorkers) }

func (p *modelPool) wantedIfElastic() int {
	if p.elastic {
		return p.wanted()
	}
	return 0
}

// mayBecome holds a new size of an elastic pool against what load has asked for: a higher one must be asked for now, a lower
// one must have held for the delay.
func (p *modelPool) mayBecome(at time.Time, size, load int) error {
	if !p.elastic {
		return errors.New("it has a fixed size and is sized by load")
	}
	if size > p.base && size > p.wantedFor(load) {
		return fmt.Errorf("it grows to %d, and the load of %d asks for %d", size, load, p.wantedFor(load))
	}
	for i, want := range p.wants {
		until := at
		if i+1 < len(p.wants) {
			until = p.wants[i+1].at
		}
		if size < p.base && want.size > size && until.After(at.Add(-p.opts.ScaleDownDelay)) {
			return fmt.Errorf("it shrinks to %d, and %v before it still wanted %d", size, at.Sub(until), want.size)
		}
	}
	return nil
}
