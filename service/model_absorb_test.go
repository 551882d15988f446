package service_test

import (
	"slices"
	"time"

	"github.com/JairusSW/pool/service"
	"github.com/wago-org/workers"
	"pgregory.net/rapid"
)

// absorb follows what a verb has led to, and compares. reconciled are pools that the verb reconciled.
func (m *modelMachine) absorb(t *rapid.T, reconciled ...*modelPool) {
	m.stage.Settle()
	now := time.Now()
	events := m.watch.take()
	added, removed := m.sizes(t, now, events, reconciled)
	m.routed(t, events)
	m.taken(t)
	for _, p := range m.pools {
		m.filled(t, p)
	}
	m.leave(t, now, added, removed)
	for _, p := range m.pools {
		m.balanced(t, p)
	}
	m.returned(t)
	m.compare(t)
}

// sizes follows the sizes of elastic pools, and explains the workers that were started.
func (m *modelMachine) sizes(t *rapid.T, now time.Time, events []service.Event, reconciled []*modelPool) (added map[service.ID][]service.WorkerID, removed map[service.WorkerID]bool) {
	added, removed = make(map[service.ID][]service.WorkerID), make(map[service.WorkerID]bool)
	moved := make(map[*modelPool]bool)
	for _, e := range events {
		p := m.poolOf(e.Pool)
		switch {
		case p == nil:
		case e.Kind == service.PoolWorkerAdded:
			added[e.Pool] = append(added[e.Pool], e.Worker)
		case e.Kind == service.PoolWorkerRemoved:
			removed[e.Worker] = true
		case e.Kind == service.PoolScaled && e.Reason == service.ReasonLoad:
			if !p.elastic {
				t.Fatalf("pool %d has a fixed size and is sized by load", p.id)
			}
			p.base, moved[p] = int(e.To), true
		}
	}
	for _, p := range m.pools {
		if slices.Contains(reconciled, p) || p.supervisor != nil {
			m.starts(t, now, p, added)
		} else if moved[p] {
			p.step(p.desired(p.asking()))
		}
	}
	return added, removed
}

// starts explains workers that were started, as many as there should be. A supervisor may look before or after tasks have
// found a worker, so it may have seen any number of those that ask for one.
func (m *modelMachine) starts(t *rapid.T, now time.Time, p *modelPool, added map[service.ID][]service.WorkerID) {
	got, asking, want := len(added[p.id]), p.asking(), -1
	for seen := asking; seen >= 0; seen-- {
		n := p.clone().reconcile(now, seen, m.places())
		if want < 0 {
			want = n
		}
		if n == got {
			asking, want = seen, n
			break
		}
		if p.supervisor == nil {
			break
		}
	}
	if got < want {
		t.Fatalf("pool %d has started %d workers, not %d", p.id, got, want)
	}
	n := p.reconcile(now, asking, m.places())
	for _, id := range added[p.id][:n] {
		p.workers = append(p.workers, &modelWorker{id: id})
		p.held = max(p.held-1, 0)
	}
	added[p.id] = added[p.id][n:]
	m.inSlotOrder(t, p)
}

// inSlotOrder puts the workers in the order of their slots, those that leave last.
func (m *modelMachine) inSlotOrder(t *rapid.T, p *modelPool) {
	stats, err := m.stage.Pools.Stats(p.id)
	m.must(t, err)
	at := make(map[service.WorkerID]int)
	for i, line := range stats.Workers {
		at[line.ID] = i - len(stats.Workers)
	}
	slices.SortStableFunc(p.workers, func(a, b *modelWorker) int { return at[a.id] - at[b.id] })
}

// routed follows tasks that were accepted.
func (m *modelMachine) routed(t *rapid.T, events []service.Event) {
	for _, e := range events {
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
			task = m.admitted(t, p, e.Tag)
			p.n.Submitted++
		}
		p.n.Routed++
		m.entered++
		task.entered = m.entered
		if e.Worker == 0 {
			p.park(task)
		} else if w := p.worker(e.Worker); w == nil || !w.routable() {
			t.Fatalf("task %d was given to worker %d, which takes none", e.Tag, e.Worker)
		} else {
			w.due = append(w.due, task)
		}
	}
	for tag := range m.fresh {
		t.Fatalf("no event tells of task %d, which was accepted", tag)
	}
}

// admitted takes a task out of those that waited for room. Under spill the first who waits is the first who gets it.
func (m *modelMachine) admitted(t *rapid.T, p *modelPool, tag uint64) *modelTask {
	i := slices.IndexFunc(p.waiting, func(w *modelWait) bool { return w.task.tag == tag })
	if i < 0 {
		t.Fatalf("task %d was accepted, and nobody submitted it", tag)
	}
	if i > 0 && p.opts.Overflow == service.OverflowSpill {
		t.Fatalf("task %d was accepted before task %d, which has waited longer", tag, p.waiting[0].task.tag)
	}
	w := p.waiting[i]
	p.waiting = slices.Delete(p.waiting, i, i+1)
	w.accepted = true
	if !w.isCall {
		w.settle(nil, "")
	}
	return w.task
}

// taken follows tasks that workers were handed.
func (m *modelMachine) taken(t *rapid.T) {
	for _, take := range m.stage.Takes() {
		p, w := m.workerOf(take.Worker)
		if w == nil {
			continue // it ended with this verb, which the model knew
		}
		raw := w.rawTake
		switch {
		case take.Err != nil && take.Err != error(service.ErrNoTask):
			w.refused = take.Err
			continue
		case take.Err != nil || raw && m.sent[w.id] != nil && take.Task.Tag == m.sent[w.id].tag:
			p.next(t, w, nil, true)
		default:
			p.next(t, w, &take.Task, raw)
		}
		w.taking = false
	}
}
