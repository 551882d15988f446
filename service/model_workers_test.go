package service_test

import (
	"slices"
	"time"

	"github.com/JairusSW/pool/internal/puppet"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
	"pgregory.net/rapid"
)

// take has a worker ask for its next task.
func (m *modelMachine) take(t *rapid.T) {
	p, w, worker := m.worker(t)
	raw := rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "raw")
	m.begin()
	if w.taking, w.rawTake = true, raw; raw {
		m.must(t, worker.TakeRaw())
	} else {
		p.handOver(w)
		m.must(t, worker.Take())
	}
	t.Logf("worker %d takes, raw %t", w.id, raw)
	m.absorb(t)
}

// settle has a worker settle what it has in hand.
func (m *modelMachine) settle(t *rapid.T) {
	p, w, worker := m.worker(t)
	fails := rapid.Bool().Draw(t, "fails")
	m.begin()
	var err error
	m.must(t, worker.Do(func(caller wago.HostModule) workerstest.Act {
		if fails {
			err = m.stage.Pools.Fail(caller, nil)
		} else {
			err = m.stage.Pools.Complete(caller, []byte("result"))
		}
		return workerstest.Again
	}))
	m.stage.Settle()
	t.Logf("worker %d settles its task, fails %t: %v", w.id, fails, err)
	switch {
	case w.hand == nil:
		if err != error(service.ErrNoTask) {
			t.Fatalf("there is no task")
		}
	case err != nil:
		t.Fatalf("there is task %d", w.hand.tag)
	case fails:
		p.failed(w.hand, service.ErrTaskFailed)
	default:
		p.done(w.hand, "result")
	}
	w.hand = nil
	m.absorb(t)
}

// end has a guest end.
func (m *modelMachine) end(t *rapid.T) {
	p, w, worker := m.worker(t)
	how := rapid.SampledFrom([]string{"trap", "abort", "exit 7", "exit 0", "return"}).Draw(t, "how")
	m.begin()
	t.Logf("worker %d ends: %s", w.id, how)
	act, kind := workerstest.Trap, workers.WorkerFailed
	switch how {
	case "abort":
		act = workerstest.Abort
	case "exit 7":
		act = workerstest.Exit7
	case "exit 0":
		act, kind = workerstest.Exit0, workers.WorkerReturned
	case "return":
		act, kind = workerstest.Return, workers.WorkerReturned
	}
	m.loads[p]++ // a raw worker's task is load again when it goes round again
	m.must(t, worker.End(act))
	m.stage.Settle()
	p.die(time.Now(), w, kind)
	m.absorb(t)
}

// worker draws a worker that waits for an order.
func (m *modelMachine) worker(t *rapid.T) (*modelPool, *modelWorker, *puppet.Puppet) {
	p, w := m.drawWorker(t, func(w *modelWorker) bool { return !w.taking })
	worker, err := m.stage.Puppet(w.id)
	m.must(t, err)
	return p, w, worker
}

func (m *modelMachine) anyWorker(t *rapid.T) (*modelPool, *modelWorker) {
	return m.drawWorker(t, func(*modelWorker) bool { return true })
}

func (m *modelMachine) drawWorker(t *rapid.T, which func(*modelWorker) bool) (*modelPool, *modelWorker) {
	var ids []service.WorkerID
	for _, p := range m.pools {
		for _, w := range p.workers {
			if which(w) {
				ids = append(ids, w.id)
			}
		}
	}
	if len(ids) == 0 {
		t.SkipNow()
	}
	slices.Sort(ids)
	return m.workerOf(rapid.SampledFrom(ids).Draw(t, "worker"))
}

func (m *modelMachine) poolOf(id service.ID) *modelPool {
	for _, p := range m.pools {
		if p.id == id {
			return p
		}
	}
	return nil
}

func (m *modelMachine) workerOf(id service.WorkerID) (*modelPool, *modelWorker) {
	for _, p := range m.pools {
		for _, w := range slices.Concat(p.workers, p.unborn) {
			if w.id == id {
				return p, w
			}
		}
	}
	return nil, nil
}
