package service_test

import (
	"slices"
	"time"

	"github.com/JairusSW/pool/service"
	"pgregory.net/rapid"
)

// sized follows how the pools were sized, by the verb's own reconcile, by supervisors and by time, and lists the workers
// that have gone. Later are the events that come after those.
func (m *modelMachine) sized(t *rapid.T, now time.Time, events, later []service.Event, reconciled map[*modelPool]bool) {
	moved := make(map[*modelPool]bool)
	for _, e := range events {
		p := m.poolOf(e.Pool)
		switch {
		case p == nil:
		case e.Kind == service.PoolWorkerAdded && p.worker(e.Worker) == nil:
			p.unborn = append(p.unborn, &modelWorker{id: e.Worker})
		case e.Kind == service.PoolWorkerRemoved:
			m.removed[e.Worker] = true
			if w := p.worker(e.Worker); w != nil {
				w.gone = true
			}
		case e.Kind == service.PoolScaled && e.Reason == service.ReasonLoad:
			if err := p.mayBecome(e.Time, int(e.To), m.loads[p]); err != nil {
				t.Fatalf("pool %d: %v", p.id, err)
			}
			p.givenUp = max(p.givenUp-max(p.base-int(e.To), 0), 0) // the empty places go first
			p.base, moved[p] = int(e.To), true
		}
	}
	for _, p := range m.pools {
		p.most = p.load()
		looked := m.liveOf(t, p, later) != p.live() || len(p.unborn) > 0
		if reconciled[p] || p.supervisor != nil && looked {
			m.starts(t, now, p, m.liveOf(t, p, later))
		} else if moved[p] || p.elastic && m.liveOf(t, p, later) != p.live() {
			p.step(p.desired(p.asking())) // elastic pools take back and cordon whenever they look at their load
		}
	}
}

// liveOf is how many workers can be sent to, as the pool says, but for those that join later.
func (m *modelMachine) liveOf(t *rapid.T, p *modelPool, later []service.Event) int {
	stats, err := m.stage.Pools.Stats(p.id)
	m.must(t, err)
	live := int(stats.Live)
	for _, e := range later {
		if e.Pool == p.id && e.Kind == service.PoolWorkerAdded {
			live--
		}
	}
	return live
}

// starts explains workers that were started, as many as there should be. A supervisor may have looked more than once.
// live is how many workers can be sent to then.
func (m *modelMachine) starts(t *rapid.T, now time.Time, p *modelPool, live int) {
	asking, whole := m.seen(t, now, p, live)
	want := p.clone().reconcile(now, asking, m.places())
	if len(p.unborn) < want {
		t.Fatalf("pool %d has started %d workers, not %d: size %d less %d given up, load %d, %d tasks without a worker",
			p.id, len(p.unborn), want, p.base, p.givenUp, p.load(), asking)
	}
	m.join(t, now, p, asking)
	for p.supervisor != nil && len(p.unborn) > 0 {
		n := p.clone().reconcile(now, p.asking(), m.places())
		if n == 0 || n > len(p.unborn) {
			break
		}
		m.join(t, now, p, p.asking())
	}
	if again, all := m.seen(t, now, p, live); !whole && all && p.supervisor != nil {
		m.join(t, now, p, again)
	}
}

func (m *modelMachine) join(t *rapid.T, now time.Time, p *modelPool, asking int) {
	n := p.reconcile(now, asking, m.places())
	p.workers = append(p.workers, p.unborn[:n]...)
	p.unborn = p.unborn[n:]
	p.held = max(p.held-n, 0)
	m.inSlotOrder(t, p)
}

// seen is how many tasks without a worker there were when the pool was reconciled. A supervisor may look before or after
// tasks have found a worker, which the model learns later: of the numbers that it may have seen this is one that explains
// how many workers it started, and if there is one, all that it did.
func (m *modelMachine) seen(t *rapid.T, now time.Time, p *modelPool, live int) (asking int, all bool) {
	if p.supervisor == nil && !m.reconciledLater[p] {
		return p.asking(), true
	}
	stats, err := m.stage.Pools.Stats(p.id)
	m.must(t, err)
	least := max(p.asking()-p.free(), 0)
	asking = least
	for seen := p.asking() + p.most - p.load(); seen >= least; seen-- {
		then := p.clone()
		if n := then.reconcile(now, seen, m.places()); n != len(p.unborn) || then.halted != stats.Halted {
			continue
		}
		if asking = seen; then.limited == stats.Limited && then.live()+len(p.unborn) == live {
			return asking, true
		}
	}
	return asking, false
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
