package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

// world is one runtime with all that happens in it.
//
// Safe for concurrent use.
type world struct {
	// set once
	run      *run
	seed     uint64
	name     string
	limits   limits
	dark     bool // nobody observes events until the end
	runtime  *wago.Runtime
	module   *wago.Module
	pools    *wagoplugin.Ref[pool.Service]
	workers  *wagoplugin.Ref[workers.Service]
	spinners chan pool.WorkerID // to be killed
	closed   chan struct{}      // closes when the runtime has
	actors   sync.WaitGroup     // work until they are told to stop
	helpers  sync.WaitGroup     // work until closed

	closing      atomic.Bool   // the runtime is about to close
	begun        atomic.Uint64 // start sections
	exitFailures atomic.Int64  // of observers of exits
	strays       atomic.Uint64 // messages without a task, handed to workers of a pool that is not known
	watching     atomic.Int64  // callbacks of misbehaving observers that are under way

	guests  sync.Map // pool.WorkerID to *guest
	belongs sync.Map // pool.WorkerID to pool.PoolID
	raw     sync.Map // pool.WorkerID to the tag of the last message of a worker that takes messages
	cast    cast     // the owners
	stage   stage    // the pools
	witness witness
}

// limits are what the runtime's plugins are configured with.
type limits struct {
	pools, perPool, total, runnable uint32
	workers                         uint32 // of the Workers plugin
	grace                           time.Duration
}

func newLimits(dice *rand.Rand) limits {
	l := limits{
		pools: 6 + dice.Uint32N(6), perPool: 4 + dice.Uint32N(8), total: 12 + dice.Uint32N(20), runnable: 4 + dice.Uint32N(12),
		grace: time.Duration(1+dice.IntN(20)) * time.Millisecond,
	}
	l.workers = l.total + 8
	if dice.IntN(3) == 0 {
		l.workers = l.total - dice.Uint32N(4) // so that Workers' ceiling is met before Pool's
	}
	return l
}

// dice returns the dice of one actor.
func (w *world) dice(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(w.seed, stream)) }

// open starts a runtime. Close it.
func (r *run) open(ctx context.Context, seed uint64) (*world, error) {
	w := &world{
		run: r, seed: seed, spinners: make(chan pool.WorkerID, 1<<10), closed: make(chan struct{}),
		name: fmt.Sprintf("runtime %#x", seed),
	}
	dice := w.dice(0)
	w.limits, w.dark = newLimits(dice), dice.IntN(6) == 0
	w.witness.world = w
	w.runtime = wago.NewRuntime()
	if err := w.load(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", w.name, joinClose(err, w.runtime))
	}
	return w, nil
}

func joinClose(err error, runtime *wago.Runtime) error {
	if closed := runtime.Close(); closed != nil {
		return fmt.Errorf("%w; %w", err, closed)
	}
	return err
}

func (w *world) load(ctx context.Context) (err error) {
	set, err := w.plugins()
	if err != nil {
		return err
	}
	if err := w.runtime.LoadPlugins(ctx, set); err != nil {
		return err
	}
	if w.module, err = w.runtime.Compile(w.run.config.Guest); err != nil {
		return err
	}
	return w.workers.With(func(s workers.Service) error {
		if _, err := s.ObserveMessages(w.sawMessage); err != nil {
			return err
		}
		_, err := s.ObserveExits(w.sawExit)
		return err
	})
}

// with leases Pool, as a consumer does.
func (w *world) with(use func(pool.Service) error) error {
	return w.pools.With(func(s pool.Service) error {
		if w.run.config.tamper != nil {
			s = w.run.config.tamper(s)
		}
		return use(s)
	})
}

func (w *world) isClosed() bool {
	select {
	case <-w.closed:
		return true
	default:
		return false
	}
}

// count counts something that was done.
func (w *world) count(family, name string) { w.run.totals.add(family, name, 1) }

// violated notes what must not have happened.
func (w *world) violated(format string, args ...any) {
	w.run.violations.add(fmt.Errorf("%s: %w", w.name, fmt.Errorf(format, args...)))
}

// check notes an error that says what must not have happened.
func (w *world) check(err error, format string, args ...any) {
	if err != nil {
		w.violated("%s: %w", fmt.Sprintf(format, args...), err)
	}
}

// start starts an actor: it works until ctx ends.
func (w *world) start(ctx context.Context, name string, stream uint64, work func(context.Context, *rand.Rand, *post)) {
	w.actors.Go(func() {
		post := w.run.watch.post(w.name + ": " + name)
		defer post.leave()
		work(ctx, w.dice(stream), post)
	})
}

// pause waits for a while, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// microseconds draws a time below most.
func microseconds(dice *rand.Rand, most int) time.Duration {
	return time.Duration(dice.IntN(most)) * time.Microsecond
}
