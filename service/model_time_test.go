package service_test

import (
	"cmp"
	"slices"
	"time"

	"github.com/JairusSW/pool/service"
	"github.com/wago-org/workers"
	"pgregory.net/rapid"
)

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
		if p.elastic && d > 2*p.opts.ScaleDownDelay && p.calm(d) && !p.draining && !p.halted && p.base > p.wanted() {
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

// calm says that load has asked for the same all the time.
func (p *modelPool) calm(d time.Duration) bool {
	return !slices.ContainsFunc(p.wants, func(w modelWant) bool {
		return time.Since(w.at) < d && w.size != p.wanted()
	})
}
