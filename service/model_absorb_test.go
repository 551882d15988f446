package service_test

import (
	"slices"
	"time"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/service"
	"github.com/wago-org/workers"
	"pgregory.net/rapid"
)

// absorb follows what a verb has led to, and compares.
func (m *modelMachine) absorb(t *rapid.T) {
	m.stage.Settle()
	now := time.Now()
	m.events = m.watch.take()
	early, late := m.split()
	m.sized(t, now, early, late, m.reconciled)
	m.verdict()
	m.routed(t)
	m.sized(t, now, late, nil, m.reconciledLater)
	for _, p := range m.pools {
		p.most = p.load()
	}
	m.taken(t, now)
	for _, p := range m.pools {
		m.filled(t, p)
	}
	for _, p := range m.pools {
		if p.supervisor != nil {
			m.starts(t, now, p, m.liveOf(t, p, nil))
		}
	}
	m.leave(t, now)
	m.returned(t)
	m.compare(t, now)
}

// split parts the verb's events before and after the one about its task.
func (m *modelMachine) split() (early, late []service.Event) {
	i := slices.IndexFunc(m.events, func(e service.Event) bool {
		return m.task != nil && e.Tag == m.task.tag &&
			(e.Kind == service.PoolTaskRouted || e.Kind == service.PoolTaskShed || e.Kind == service.PoolTaskRejected)
	})
	if i < 0 {
		return m.events, nil
	}
	return m.events[:i], m.events[i:]
}

// routed follows tasks that were accepted.
func (m *modelMachine) routed(t *rapid.T) {
	for _, e := range m.events {
		p := m.poolOf(e.Pool)
		if p == nil || e.Kind != service.PoolTaskRouted {
			continue
		}
		task := m.fresh[e.Tag]
		switch {
		case m.legs[e.Tag]:
			task = &modelTask{tag: e.Tag, arrived: m.number, leg: true}
		case task != nil:
			delete(m.fresh, e.Tag)
			p.n.Submitted++
		default:
			task = m.admitted(t, p, e)
			p.n.Submitted++
		}
		p.n.Routed++
		m.entered++
		task.entered = m.entered
		w := p.worker(e.Worker)
		switch {
		case e.Worker == 0:
			if !p.mayPark(task.wait != nil) {
				t.Fatalf("task %d was parked", e.Tag)
			}
			p.park(task)
		case w == nil || !w.routable():
			t.Fatalf("task %d was given to worker %d, which takes none", e.Tag, e.Worker)
		default:
			w.due = append(w.due, task)
		}
	}
	for tag := range m.fresh {
		t.Fatalf("no event tells of task %d, which was accepted", tag)
	}
}

// admitted takes a task out of those that waited for room. Under spill the first who waits is the first who gets it.
func (m *modelMachine) admitted(t *rapid.T, p *modelPool, e service.Event) *modelTask {
	i := slices.IndexFunc(p.waiting, func(w *modelWait) bool { return w.task.tag == e.Tag })
	if i < 0 {
		t.Fatalf("task %d was accepted, and nobody submitted it", e.Tag)
	}
	if i > 0 && p.opts.Overflow == service.OverflowSpill {
		t.Fatalf("task %d was accepted before task %d, which has waited longer", e.Tag, p.waiting[0].task.tag)
	}
	w := p.waiting[i]
	p.waiting = slices.Delete(p.waiting, i, i+1)
	w.worker = e.Worker
	if !w.isCall {
		w.settle(nil, "")
	}
	return w.task
}

// taken follows what workers were handed.
func (m *modelMachine) taken(t *rapid.T, now time.Time) {
	for _, take := range m.stage.Takes() {
		p, w := m.workerOf(take.Worker)
		switch {
		case w == nil: // it has ended by this verb, which the model knew
		case take.Err != nil && take.Err != error(service.ErrNoTask):
			w.refused = take.Err
		default:
			w.taking = false
			if err := p.next(now, w, w.rawTake, take.Task.Tag, take.Task.Attempt); err != nil {
				t.Fatalf("pool %d: %v", p.id, err)
			}
		}
	}
}

// filled holds the mailboxes against what should be in them, and sees that no parked task was overtaken by a younger one.
func (m *modelMachine) filled(t *rapid.T, p *modelPool) {
	before := slices.Clone(p.parked)
	for _, w := range slices.Concat(p.workers, p.unborn) {
		before = append(before, w.due...)
	}
	for _, w := range slices.Concat(p.workers, p.unborn) {
		if m.removed[w.id] && w.load() == 0 {
			w.box, w.due = nil, nil // where Workers can't retire, what was sent past Pool dies with the worker
		}
		if err := p.fill(w, m.fake.Mailbox(w.id)); err != nil {
			t.Fatalf("pool %d: %v", p.id, err)
		}
	}
	for _, gone := range before {
		for _, left := range p.parked {
			if !slices.Contains(p.parked, gone) && !gone.leg && !gone.foreign && left.older(gone) {
				t.Fatalf("pool %d: task %d has found a worker before task %d, which is older", p.id, gone.tag, left.tag)
			}
		}
	}
}

// leave follows the workers that are told to go: those that wait for a task go at once.
func (m *modelMachine) leave(t *rapid.T, now time.Time) {
	for again := true; again; {
		again = false
		for _, p := range m.pools {
			for _, w := range p.idlers() {
				w.leaving, again = true, true
			}
			for _, w := range slices.Clone(p.workers) {
				if kind, gone := m.goes(t, w); gone {
					if !m.removed[w.id] {
						t.Fatalf("worker %d has nothing left to do and has not gone", w.id)
					}
					delete(m.removed, w.id)
					p.handOver(w) // a raw worker's task is done when it is retired
					p.die(now, w, kind)
					again = true
				}
			}
		}
		for _, p := range m.pools {
			if again && p.supervisor != nil {
				m.starts(t, now, p, m.liveOf(t, p, nil))
			}
		}
	}
	for id := range m.removed {
		if p, w := m.workerOf(id); w != nil {
			t.Fatalf("worker %d of pool %d has gone", id, p.id)
		}
	}
	for _, p := range m.pools {
		if len(p.unborn) > 0 {
			t.Fatalf("pool %d has started %d workers too many", p.id, len(p.unborn))
		}
	}
}

// goes says whether a worker that is told to go goes now, and how it ends. Where Workers can't retire it is killed.
func (m *modelMachine) goes(t *rapid.T, w *modelWorker) (workers.WorkerExitKind, bool) {
	switch {
	case !w.leaving:
		return 0, false
	case m.without == fakeworkers.Retire:
		return workers.WorkerKilled, true
	case !w.taking || len(w.box) > 0:
		return 0, false
	case w.refused != error(workers.ErrWorkerStopping):
		t.Fatalf("worker %d is told %v", w.id, w.refused)
	}
	return workers.WorkerReturned, true
}
