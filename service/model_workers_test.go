package service_test

import (
	"cmp"
	"slices"
	"time"

	"github.com/JairusSW/pool/internal/puppet"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
	"pgregory.net/rapid"
)

const errInvalidCaller = workers.ErrInvalidWorkerCaller

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

// pass lets time go by, from one task's timeout to the next.
func (m *modelMachine) pass(t *rapid.T) {
	d := rapid.SampledFrom([]time.Duration{time.Second, 4 * time.Second, 12 * time.Second}).Draw(t, "time")
	t.Logf("%v goes by", d)
	for end := time.Now().Add(d); time.Now().Before(end); {
		m.clear()
		next := end
		for _, late := range m.late(end) {
			due := late.due
			if before := due.Add(-time.Nanosecond); before.After(time.Now()) {
				due = before // what comes before the timeout has been seen then
			}
			if due.Before(next) {
				next = due
			}
		}
		time.Sleep(time.Until(next))
		m.stage.Settle()
		m.timeouts(t, time.Now())
		m.absorb(t)
	}
	for _, p := range m.pools {
		if p.elastic && d > 2*p.opts.ScaleDownDelay && p.calm(d) && !p.draining && p.base > p.wanted() {
			t.Fatalf("pool %d still aims at %d workers, and load has asked for %d all the time", p.id, p.base, p.wanted())
		}
	}
}

// timeouts gives the verdict on the tasks that have timed out. Their workers go one after the other, and a supervisor
// replaces each before the next has gone.
func (m *modelMachine) timeouts(t *rapid.T, now time.Time) {
	late := m.late(now)
	for _, l := range late {
		t.Logf("task %d of worker %d times out", l.w.hand.tag, l.w.id)
		l.p.judge(l.w)
	}
	for i, l := range late {
		l.p.die(now, l.w, workers.WorkerKilled)
		if i+1 == len(late) || l.p.supervisor == nil {
			continue
		}
		for _, e := range m.watch.until(late[i+1].w.id) {
			if e.Kind == service.PoolWorkerAdded && e.Pool == l.p.id && l.p.worker(e.Worker) == nil {
				l.p.unborn = append(l.p.unborn, &modelWorker{id: e.Worker})
			}
		}
		if len(l.p.unborn) > 0 {
			l.p.most = l.p.load()
			m.starts(t, now, l.p, l.p.live()+len(l.p.unborn))
		}
	}
}

// calm says that load has asked for the same all the time.
func (p *modelPool) calm(d time.Duration) bool {
	return !slices.ContainsFunc(p.wants, func(w modelWant) bool {
		return time.Since(w.at) < d && w.size != p.wanted()
	})
}

// lateTask is a task that times out.
type lateTask struct {
	p   *modelPool
	w   *modelWorker
	due time.Time
}

// late lists the tasks that will have timed out, by worker.
func (m *modelMachine) late(by time.Time) (all []lateTask) {
	for _, p := range m.pools {
		for _, w := range p.workers {
			due := w.since.Add(p.opts.TaskTimeout)
			if p.opts.TaskTimeout > 0 && w.hand != nil && !w.raw && !w.leaving && !due.After(by) {
				all = append(all, lateTask{p, w, due})
			}
		}
	}
	slices.SortFunc(all, func(a, b lateTask) int { return cmp.Compare(a.w.id, b.w.id) })
	return all
}

// judge is the verdict on a task that has timed out.
func (p *modelPool) judge(w *modelWorker) {
	w.judged = true
	if w.hand.leg || w.hand.attempt > p.opts.Retries {
		p.failed(w.hand, service.ErrTaskTimeout)
		w.hand = nil
	}
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
