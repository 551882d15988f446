package service_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/service"
	"github.com/wago-org/workers"
	"pgregory.net/rapid"
)

// reconcile, and what follows, is what a pool's owner does.
func (m *modelMachine) reconcile(t *rapid.T) {
	p := m.pool(t)
	m.begin()
	err := m.stage.Pools.Reconcile(m.owner.Caller, p.id)
	t.Logf("reconcile pool %d: %v", p.id, err)
	m.must(t, err)
	m.reconciles(p)
	m.absorb(t)
}

func (m *modelMachine) scale(t *rapid.T) {
	p := m.pool(t)
	size := rapid.IntRange(0, 6).Draw(t, "size")
	m.begin()
	err := m.stage.Pools.Scale(m.owner.Caller, p.id, uint32(size))
	t.Logf("scale pool %d to %d: %v", p.id, size, err)
	if p.draining {
		if err != service.ErrPoolDraining {
			t.Fatalf("it is draining, and Scale returns %v", err)
		}
		m.absorb(t)
		return
	}
	p.base, p.givenUp = min(max(size, int(p.opts.MinWorkers)), int(p.opts.MaxWorkers)), 0
	m.reconciles(p)
	m.absorb(t)
	if p.limited != (err == service.ErrPoolWorkerLimit) || !p.limited && err != nil {
		t.Fatalf("limited %t, and Scale has returned %v", p.limited, err)
	}
}

// stranger tries to size a pool that isn't its own.
func (m *modelMachine) stranger(t *rapid.T) {
	p := m.pool(t)
	if m.without == fakeworkers.Identity && len(p.workers) == 0 {
		t.SkipNow()
	}
	m.begin()
	pools := m.stage.Pools
	t.Logf("a stranger reconciles, scales and supervises pool %d", p.id)
	for _, err := range []error{
		pools.Reconcile(m.other.Caller, p.id), pools.Scale(m.other.Caller, p.id, 9),
		pools.Supervise(context.Background(), m.other.Caller, p.id),
	} {
		if err != service.ErrPoolOwner {
			t.Fatalf("not refused: %v", err)
		}
	}
	m.absorb(t)
}

func (m *modelMachine) supervise(t *rapid.T) {
	p := m.pool(t)
	for _, other := range m.pools {
		if other != p && other.supervisor != nil && m.total < 64 {
			t.SkipNow() // who gets the last place is anybody's guess
		}
	}
	m.begin()
	if p.supervisor != nil {
		err := m.stage.Pools.Supervise(context.Background(), m.owner.Caller, p.id)
		t.Logf("supervise pool %d, again: %v", p.id, err)
		if err != service.ErrPoolSupervised {
			t.Fatal("two supervise it")
		}
		m.absorb(t)
		return
	}
	t.Logf("supervise pool %d", p.id)
	w := m.start(fmt.Sprintf("Supervise of pool %d", p.id), func(ctx context.Context, w *modelWait) {
		w.err = m.stage.Pools.Supervise(ctx, m.owner.Caller, p.id)
	})
	if p.supervisor = w; p.drained {
		p.supervisor = nil
		w.settle(nil, "")
	}
	m.absorb(t)
}

func (m *modelMachine) rearm(t *rapid.T) {
	p := m.pool(t)
	m.begin()
	err := m.stage.Pools.Rearm(p.id)
	t.Logf("rearm pool %d: %v", p.id, err)
	if p.draining {
		if err != service.ErrPoolDraining {
			t.Fatal("it is draining")
		}
	} else {
		m.must(t, err)
		p.halted, p.givenUp, p.idle, p.replaced = false, 0, 0, nil
	}
	m.absorb(t)
}

func (m *modelMachine) drain(t *rapid.T) {
	p := m.pool(t)
	waits := rapid.Bool().Draw(t, "DrainWait")
	m.begin()
	t.Logf("drain pool %d, wait %t", p.id, waits)
	if waits {
		w := m.start(fmt.Sprintf("DrainWait of pool %d", p.id), func(ctx context.Context, w *modelWait) {
			w.err = m.stage.Pools.DrainWait(ctx, p.id)
		})
		p.drainers = append(p.drainers, w)
	} else {
		m.must(t, m.stage.Pools.Drain(p.id))
	}
	if !p.draining {
		p.draining, p.limited = true, false
		for _, w := range p.workers {
			w.cordoned = w.cordoned && w.leaving // everybody who is left may be needed
		}
		p.refuseWaits(service.ErrPoolDraining)
	}
	p.rest()
	m.absorb(t)
}

func (m *modelMachine) destroy(t *rapid.T) {
	p := m.pool(t)
	m.begin()
	var err error
	job := m.stage.Go(func() { err = m.stage.Pools.Destroy(p.id) })
	t.Logf("destroy pool %d: %v", p.id, err)
	if !job.Over() || err != nil {
		t.Fatalf("over %t, %v", job.Over(), err)
	}
	p.destroyed()
	m.forget(p)
	for _, e := range m.watch.peek() {
		if e.Pool == p.id && e.Final != nil {
			if got, want := modelLedger(e.Final), modelLedger(p.stats()); got != want {
				t.Fatalf("pool %d has ended with\n%s\nand not with\n%s", p.id, got, want)
			}
			m.absorb(t)
			return
		}
	}
	t.Fatalf("no event tells of the end of pool %d", p.id)
}

// gone calls a pool that is no more.
func (m *modelMachine) gone(t *rapid.T) {
	pools := m.stage.Pools
	_, submit := pools.Submit(99, 1, nil)
	_, stats := pools.Stats(99)
	for _, err := range []error{
		submit, stats, pools.Reconcile(m.owner.Caller, 99), pools.Drain(99), pools.Destroy(99), pools.Rearm(99),
	} {
		if err != service.ErrPoolNotFound {
			t.Fatalf("pool 99 is found: %v", err)
		}
	}
	if err := pools.Reconcile(nil, 99); !errors.Is(err, workers.ErrInvalidWorkerCaller) {
		t.Fatalf("nobody reconciles: %v", err)
	}
}

// observe subscribes a second observer, or ends its subscription.
func (m *modelMachine) observe(t *rapid.T) {
	m.begin()
	t.Logf("observe %t", m.second == nil)
	if m.second != nil {
		m.must(t, m.stage.Pools.UnsubscribeEvents(m.second.sub))
		m.second = nil
	} else {
		m.second = new(modelWatch)
		var err error
		m.second.sub, err = m.stage.Pools.ObserveEvents(m.second.add)
		m.must(t, err)
	}
	m.absorb(t)
}
