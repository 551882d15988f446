package rig

import (
	"context"
	_ "embed"
	"sync"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

//go:embed guest.wasm
var guest []byte

// Config shapes a rig. The zero value is a rig with every default.
type Config struct {
	Settings  map[string]string     // plugins' JSON configurations, by id
	Workers   []workers.Option      // options of the Workers provider
	Plugins   []wago.PluginProvider // loaded besides
	Runtime   []wago.RuntimeOption
	Behaviour Behaviour // what workers do with tasks; nil: Finish
	Guest     []byte    // another guest with the same import; nil: the rig's own
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
	ctx     context.Context // ends when the plugin stops: it frees workers in DispatchNext
	stopped context.CancelFunc

	log     log
	closing sync.Once
	arrive  chan arrival

	ownerMu sync.Mutex // guards owners
	owners  []*Owner

	mu   sync.Mutex // guards what follows
	act  Behaviour
	gate chan struct{}
	raw  map[pool.WorkerID]pool.Task
}

// New starts a rig that is closed, and whose ledgers are checked, when the test ends.
func New(t testing.TB, config Config) *Rig {
	t.Helper()
	r := &Rig{T: t, act: config.Behaviour, raw: make(map[pool.WorkerID]pool.Task), arrive: make(chan arrival)}
	if r.act == nil {
		r.act = Finish
	}
	r.ctx, r.stopped = context.WithCancel(context.Background())
	r.Runtime = wago.NewRuntime(config.Runtime...)
	require.NoError(t, r.load(config))
	code := config.Guest
	if code == nil {
		code = guest
	}
	var err error
	r.Module, err = r.Runtime.Compile(code)
	require.NoError(t, err)
	require.NoError(t, r.pools.With(func(s pool.Service) error {
		r.Service = newCounted(s)
		_, err := s.ObserveEvents(func(e *pool.PoolEvent) {
			if e.Final != nil {
				r.Service.ended(*e.Final)
			}
		})
		return err
	}))
	require.NoError(t, r.workers.With(func(w workers.Service) error {
		r.Workers = w
		_, err := w.ObserveMessages(r.sawMessage)
		return err
	}))
	t.Cleanup(r.Close)
	return r
}

// Close closes the runtime, holds every ledger against the rig's own counts, and checks that no instance is left.
func (r *Rig) Close() {
	r.closing.Do(func() {
		r.T.Helper()
		if !r.T.Failed() {
			r.Service.check(r.T)
		}
		closed := make(chan error, 1)
		go func() { closed <- r.Runtime.Close() }()
		select {
		case err := <-closed:
			require.NoError(r.T, err)
		case <-time.After(20 * time.Second):
			require.FailNow(r.T, "the runtime does not close")
		}
		r.ownerMu.Lock()
		defer r.ownerMu.Unlock()
		for _, o := range r.owners {
			<-o.left
		}
		opened, ended := r.Runtime.Instances()
		require.Equal(r.T, opened, ended, "instances opened and closed")
	})
}

// stop frees the workers that wait for tasks.
func (r *Rig) stop(context.Context) error {
	r.stopped()
	return nil
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

// ShutGates keeps workers from asking for tasks until the returned function is called.
func (r *Rig) ShutGates() (open func()) {
	gate := make(chan struct{})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gate = gate
	return sync.OnceFunc(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.gate = nil
		close(gate)
	})
}

func (r *Rig) takeGate() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.gate
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

// Eventually waits for a condition.
func (r *Rig) Eventually(condition func() bool, what string) {
	r.T.Helper()
	require.Eventually(r.T, condition, 10*time.Second, time.Millisecond, what)
}
