package rig

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

// Config shapes a rig. The zero value is a rig with every default.
type Config struct {
	Settings  map[string]string     // plugins' JSON configurations, by id
	Workers   []workers.Option      // options of the Workers provider
	Plugins   []wago.PluginProvider // loaded besides
	Runtime   []wago.RuntimeOption
	Behaviour Behaviour              // what workers do with tasks; nil: Finish
	Answer    func(pool.Task) []byte // what guests complete the tasks with that they finish; nil: nothing
	Guest     []byte                 // another guest with the same import; nil: the rig's own
	Bubble    bool                   // the test runs in a synctest bubble: conditions are looked at when everything is parked
	Quiet     bool                   // keep no log
	Bare      bool                   // subscribe to nothing: for benchmarks. No final ledger is held then, raw workers see no tasks
}

// Rig is a runtime that is running. Close it; New has the test do so.
//
// Safe for concurrent use, but for Close.
type Rig struct {
	T       testing.TB
	Runtime *wago.Runtime
	Module  *wago.Module
	Service *Counted // Pool's contract; submits are counted
	Workers workers.Service

	pools   *wagoplugin.Ref[pool.Service]
	workers *wagoplugin.Ref[workers.Service]
	bubble  bool
	quiet   bool
	answer  func(pool.Task) []byte

	log                    log
	missed, eventsLost     atomic.Uint64
	closing                sync.Once
	arrive                 chan arrival
	ownersMade, ownersOpen atomic.Int64

	ownerMu sync.Mutex // guards owners
	owners  []*Owner

	mu        sync.Mutex // guards what follows
	act       Behaviour
	gates     *Gates
	spawnHook func(int) error
	startHook func() Act
	turnHook  func(*Worker)
	spawns    int
	raw       map[pool.WorkerID]pool.Task
	pending   map[pool.WorkerID]unfinished
}

// New starts a rig that is closed, and whose ledgers are checked, when the test ends.
func New(t testing.TB, config Config) *Rig {
	t.Helper()
	r := &Rig{
		T: t, act: config.Behaviour, bubble: config.Bubble, quiet: config.Quiet, answer: config.Answer, arrive: make(chan arrival),
		raw: make(map[pool.WorkerID]pool.Task), pending: make(map[pool.WorkerID]unfinished),
	}
	if r.act == nil {
		r.act = Finish
	}
	r.Runtime = wago.NewRuntime(config.Runtime...)
	require.NoError(t, r.load(config))
	t.Cleanup(r.Close)
	code := config.Guest
	if code == nil {
		code = guest
	}
	var err error
	r.Module, err = r.Runtime.Compile(code)
	require.NoError(t, err)
	require.NoError(t, r.pools.With(func(s pool.Service) error {
		r.Service = newCounted(s)
		if config.Bare {
			return nil
		}
		_, err := s.ObserveEvents(func(e *pool.PoolEvent) {
			if e.Kind == pool.PoolEventsLost {
				r.eventsLost.Add(e.Count)
			}
			if e.Final != nil {
				r.Service.ended(*e.Final)
			}
		})
		return err
	}))
	require.NoError(t, r.workers.With(func(w workers.Service) error {
		r.Workers = w
		if config.Bare {
			return nil
		}
		_, err := w.ObserveMessages(r.sawMessage)
		return err
	}))
	return r
}

// Close closes the runtime, holds every ledger against the rig's own counts, and checks that no instance is left.
func (r *Rig) Close() {
	r.T.Helper()
	require.NoError(r.T, r.Shut())
}

// Shut is Close for a runtime that has something to report: it returns that. Again: nil.
func (r *Rig) Shut() (reported error) {
	r.T.Helper()
	r.closing.Do(func() {
		if r.Service != nil && !r.T.Failed() {
			r.Service.check(r.T)
		}
		reported = r.closeRuntime(context.Background())
		r.checkClosed()
	})
	return reported
}

// Pull is Shut while calls are under way: back waits until they have returned, and only then the ledgers are held. Plugins have
// 15 s to stop, however busy the machine is.
func (r *Rig) Pull(back func()) (reported error) {
	r.T.Helper()
	r.closing.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
		defer cancel()
		reported = r.closeRuntime(ctx)
		back()
		r.checkClosed()
	})
	return reported
}

func (r *Rig) closeRuntime(ctx context.Context) error {
	r.T.Helper()
	closed := make(chan error, 1)
	go func() { closed <- r.Runtime.CloseContext(ctx) }()
	select {
	case err := <-closed:
		return err
	case <-time.After(20 * time.Second):
		r.dump()
		require.FailNow(r.T, "the runtime does not close")
		return nil
	}
}

// checkClosed holds what is true once the runtime is closed and every call has returned.
func (r *Rig) checkClosed() {
	r.T.Helper()
	r.ownerMu.Lock()
	defer r.ownerMu.Unlock()
	for _, o := range r.owners {
		<-o.left
	}
	if r.Service != nil && !r.T.Failed() {
		r.Service.checkFinal(r.T)
	}
	opened, ended := r.Runtime.Instances()
	require.Equal(r.T, opened, ended, "instances opened and closed")
}

// dump prints every pool's stats and what every goroutine does.
func (r *Rig) dump() {
	for _, id := range r.Service.List() {
		if stats, err := r.Service.Stats(id); err == nil {
			r.T.Logf("%+v", stats)
		}
	}
	stacks := make([]byte, 1<<20)
	r.T.Logf("%s", stacks[:runtime.Stack(stacks, true)])
}

// Act changes what workers do with tasks from now on.
func (r *Rig) Act(b Behaviour) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.act = b
}

func (r *Rig) behaviour() Behaviour {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.act
}

func (r *Rig) sawMessage(m *workers.MessageContext) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.raw[m.WorkerID] = pool.Task{Tag: m.Tag, Payload: append([]byte(nil), m.Payload...)}
	return nil
}

func (r *Rig) lastRaw(id pool.WorkerID) pool.Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.raw[id]
}

// patience is how long a condition may take: on a machine that has much else to do, under the race detector.
const patience = 30 * time.Second

// Eventually waits for a condition. In a bubble it looks when everything is parked.
func (r *Rig) Eventually(condition func() bool, what string) {
	r.T.Helper()
	if r.bubble {
		synctest.Wait()
	}
	if condition() {
		return
	}
	deadline := time.Now().Add(patience)
	for wait := time.NewTicker(time.Millisecond); time.Now().Before(deadline); {
		<-wait.C
		if condition() {
			wait.Stop()
			return
		}
	}
	r.dump()
	require.FailNow(r.T, what+": not within "+patience.String())
}

// WithWorkers leases the Workers plugin, as a consumer does.
func (r *Rig) WithWorkers(use func(workers.Service) error) error { return r.workers.With(use) }
