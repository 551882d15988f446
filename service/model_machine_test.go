package service_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/puppet"
	"github.com/JairusSW/pool/service"
	"github.com/wago-org/workers"
	"pgregory.net/rapid"
)

// modelMachine does the same to the service and to the model, and compares.
type modelMachine struct {
	fake    *fakeworkers.Fake
	stage   *puppet.Stage
	owner   *puppet.Owner
	other   *puppet.Owner      // creates nothing
	total   int                // the ceiling of workers
	without fakeworkers.Extras // what Workers lacks
	pools   []*modelPool
	waits   []*modelWait
	number  int // of the verb
	entered int
	lastTag uint64

	watch  *modelWatch // all events
	second *modelWatch // an observer that comes and goes

	// of the verb under way
	fresh           map[uint64]*modelTask // tasks that were accepted, as its result says
	legs            map[uint64]bool       // tags of a broadcast
	reconciled      map[*modelPool]bool   // before the task is submitted
	reconciledLater map[*modelPool]bool   // after it
	task            *modelTask
	loads           map[*modelPool]int // the highest loads that there can have been
	verdict         func()             // holds its result against what it may be; called when the sizing that came first is done
	events          []service.Event
	removed         map[service.WorkerID]bool // workers that have gone, the model has yet to say why
}

// modelWatch is an observer.
//
// Safe for concurrent use.
type modelWatch struct {
	sub service.EventSubscription
	mu  sync.Mutex // guards what follows
	all []service.Event
	seq []uint64
}

func (w *modelWatch) add(e *service.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, *e)
	w.seq = append(w.seq, e.Seq)
}

func (w *modelWatch) take() []service.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.all
	w.all = nil
	return all
}

func (w *modelWatch) peek() []service.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.all)
}

// until returns the events that have not been taken, up to the end of a worker.
func (w *modelWatch) until(id service.WorkerID) []service.Event {
	all := w.peek()
	for i, e := range all {
		if e.Kind == service.PoolWorkerRemoved && e.Worker == id {
			return all[:i]
		}
	}
	return all
}

func (w *modelWatch) numbers() []uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.seq)
}

func newModelMachine(t *rapid.T) *modelMachine {
	m := &modelMachine{
		total: rapid.SampledFrom([]int{64, 64, 5}).Draw(t, "total workers"),
		without: rapid.SampledFrom([]fakeworkers.Extras{
			0, 0, 0, fakeworkers.SendOwned, fakeworkers.Retire, fakeworkers.KillWithin, fakeworkers.Identity,
		}).Draw(t, "without"),
		watch: new(modelWatch),
	}
	m.fake = fakeworkers.New(fakeworkers.Config{Limits: workers.WorkerLimits{MaxLiveWorkers: 64}, Without: m.without})
	t.Logf("%d workers at most, without extras %b", m.total, m.without)
	var err error
	m.stage, err = puppet.New(m.fake, service.Limits{MaxTotalWorkers: uint32(m.total), RunnableWorkers: 64})
	m.must(t, err)
	m.watch.sub, err = m.stage.Pools.ObserveEvents(m.watch.add)
	m.must(t, err)
	m.owner, err = m.stage.Owner()
	m.must(t, err)
	m.other, err = m.stage.Owner()
	m.must(t, err)
	return m
}

func (m *modelMachine) close(t *rapid.T) {
	for _, w := range m.waits {
		w.cancel()
	}
	m.must(t, m.stage.Close())
}

func (m *modelMachine) must(t *rapid.T, err error) {
	if err != nil {
		t.Fatalf("unexpected: %v", err)
	}
}

// begin comes before every verb: a time of its own, and nothing that is expected.
func (m *modelMachine) begin() {
	time.Sleep(time.Microsecond)
	m.clear()
}

// clear forgets what the last verb left.
func (m *modelMachine) clear() {
	m.number++
	m.fresh, m.legs = make(map[uint64]*modelTask), make(map[uint64]bool)
	m.reconciled, m.reconciledLater = make(map[*modelPool]bool), make(map[*modelPool]bool)
	m.verdict, m.task, m.loads = func() {}, nil, make(map[*modelPool]int)
	m.removed = make(map[service.WorkerID]bool)
	for _, p := range m.pools {
		m.loads[p] = p.load()
	}
}

func (m *modelMachine) newTask() *modelTask {
	m.lastTag++
	m.task = &modelTask{tag: m.lastTag, arrived: m.number}
	return m.task
}

// start begins a call that may wait, and remembers it.
func (m *modelMachine) start(name string, call func(ctx context.Context, w *modelWait)) *modelWait {
	w := &modelWait{name: name}
	var ctx context.Context
	ctx, w.cancel = context.WithCancel(context.Background())
	w.job = m.stage.Go(func() { call(ctx, w) })
	m.waits = append(m.waits, w)
	return w
}

// pool draws a pool.
func (m *modelMachine) pool(t *rapid.T) *modelPool {
	if len(m.pools) == 0 {
		t.SkipNow()
	}
	return m.poolOf(rapid.SampledFrom(m.ids()).Draw(t, "pool"))
}

func (m *modelMachine) forget(p *modelPool) {
	m.pools = slices.DeleteFunc(m.pools, func(other *modelPool) bool { return other == p })
}

// reconciles notes that the verb has a pool reconciled.
func (m *modelMachine) reconciles(p *modelPool) { m.reconciled[p] = true }

// tells reports whether the verb had an event of a kind about a task.
func (m *modelMachine) tells(kind service.EventKind, tag uint64) bool {
	return slices.ContainsFunc(m.events, func(e service.Event) bool { return e.Kind == kind && e.Tag == tag })
}

// places is how many more workers the service allows.
func (m *modelMachine) places() int {
	n := m.total
	for _, p := range m.pools {
		n -= p.bodies()
	}
	return n
}

// sameError says that an error is the one that the model wants.
func sameError(got, want error) bool {
	if want == nil || got == nil {
		return got == nil && want == nil
	}
	return errors.Is(got, want)
}
