package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/JairusSW/pool"
)

// Config says what to run.
type Config struct {
	Guest    []byte         // bench/soak/testdata/guest.wasm
	For      time.Duration  // how long
	Seed     uint64         // of all dice
	Progress func(Progress) // called a few times a second, by one goroutine; nil: nobody looks

	tamper func(pool.Service) pool.Service // spoils the service, for tests: what it does wrong must be found
	limit  time.Duration                   // how long a call may take; 0: patience
}

// Progress is how far a run is.
type Progress struct {
	Elapsed time.Duration
	Totals  *Totals
}

// Report is what a run did and what it found.
type Report struct {
	Seed             uint64
	Elapsed          time.Duration
	Rounds           int
	Totals           *Totals
	Start, Warm, End Resources
	Compared         bool          // there was a warm-up to compare memory with
	Overrun          time.Duration // by how much a Call outlived its context, at most
	Instances        int64         // how many were open at the same time, at most
	Violations       []error       // what must not have happened; empty: all of it holds
	Stacks           []byte        // what every goroutine did when a call did not return; nil: all did
}

// run is one run.
type run struct {
	config     Config
	totals     *Totals
	violations violations
	watch      *watch
	overrun    highest[time.Duration]
	crowd      highest[int64]

	mu     sync.Mutex
	worlds []*world // guarded by mu: those that are open
}

// highest keeps the highest of what it is given.
//
// Safe for concurrent use.
type highest[T ~int64] struct{ value atomic.Int64 }

func (h *highest[T]) note(v T) {
	for was := h.value.Load(); int64(v) > was && !h.value.CompareAndSwap(was, int64(v)); was = h.value.Load() {
	}
}

func (h *highest[T]) get() T { return T(h.value.Load()) }

// Run soaks until the time is over, ctx ends, or something is found that must not be. The error is about the soak itself: it
// could not do what it was to do. When a call does not return, what runs is left behind.
//
// Not safe for concurrent use: it counts the goroutines of the process.
func Run(ctx context.Context, c Config) (Report, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if c.limit == 0 {
		c.limit = patience
	}
	r := &run{config: c, totals: newTotals(), watch: newWatch()}
	r.violations.found = stop
	measure() // what it takes the first time is not what it takes later
	report := Report{Seed: c.Seed, Totals: r.totals, Start: measure()}
	began := time.Now()
	over := make(chan error, 1)
	go func() { over <- r.rounds(ctx, &report) }()
	err, stuck := r.oversee(began, over)
	if stuck {
		return r.abandoned(began), nil
	}
	report.End = measure()
	report.End.Goroutines = settle(report.Start.Goroutines, r.config.limit)
	r.compare(&report)
	report.Elapsed = time.Since(began)
	report.Overrun, report.Instances, report.Violations = r.overrun.get(), r.crowd.get(), r.violations.all()
	return report, err
}

// oversee shows how far the run is and looks for calls that don't return, until the run is over or such a call is found.
func (r *run) oversee(began time.Time, over <-chan error) (err error, stuck bool) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-over:
			return err, false
		case now := <-tick.C:
			if r.config.Progress != nil {
				r.config.Progress(Progress{Elapsed: now.Sub(began), Totals: r.totals})
			}
			late := r.watch.overdue(now, r.config.limit)
			for _, err := range late {
				r.violations.add(err)
			}
			if len(late) > 0 {
				return nil, true
			}
		}
	}
}

// abandoned reports on a run in which a call does not return.
func (r *run) abandoned(began time.Time) Report {
	return Report{
		Seed: r.config.Seed, Elapsed: time.Since(began), Totals: r.totals, Overrun: r.overrun.get(), Instances: r.crowd.get(),
		Violations: r.violations.all(), Stacks: stacks(),
	}
}

// compare holds what the process has at the end against what it had.
func (r *run) compare(report *Report) {
	warm := report.Warm
	if !report.Compared {
		warm = Resources{}
	}
	if err := leaks(report.Start, warm, report.End); err != nil {
		r.violations.add(err)
		if report.End.Goroutines > report.Start.Goroutines {
			report.Stacks = stacks()
		}
	}
}

// The rounds' lengths. A rest that is too short for a round belongs to the one before.
const (
	shortestRound = 2 * time.Second
	longestRound  = 7 * time.Second
)

// rounds runs rounds until the time is over. After the first ones, at least two and a tenth of the time, it is warm.
func (r *run) rounds(ctx context.Context, report *Report) error {
	began := time.Now()
	for {
		left := r.config.For - time.Since(began)
		if report.Rounds > 0 && (left < shortestRound || ctx.Err() != nil) {
			return nil
		}
		if err := r.round(ctx, uint64(report.Rounds), left); err != nil {
			return err
		}
		report.Rounds++
		were := report.Start.Goroutines + 1 // this one
		if n := settle(were, r.config.limit); n > were {
			r.violations.add(fmt.Errorf("after round %d %d goroutines are left, there were %d", report.Rounds, n, were))
		}
		if !report.Compared && !raceDetector && report.Rounds > 1 && time.Since(began) > r.config.For/10 && ctx.Err() == nil {
			report.Warm, report.Compared = measure(), true
		}
	}
}

// beside is a runtime that is open beside w; nil: there is none.
func (r *run) beside(w *world) *world {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, other := range r.worlds {
		if other != w {
			return other
		}
	}
	return nil
}

func (r *run) opened(w *world) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.worlds = append(r.worlds, w)
}

func (r *run) over(w *world) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.worlds = slices.DeleteFunc(r.worlds, func(other *world) bool { return other == w })
}

// round runs one runtime, or two side by side.
func (r *run) round(ctx context.Context, n uint64, left time.Duration) error {
	dice := rand.New(rand.NewPCG(r.config.Seed, n))
	d := between(dice, shortestRound, longestRound)
	if left-d < shortestRound {
		d = left
	}
	worlds := 1
	if dice.IntN(3) == 0 {
		worlds = 2
		r.totals.add("runtimes", "beside another", 2)
	}
	errs := make([]error, worlds)
	var both sync.WaitGroup
	for i := range worlds {
		seed := dice.Uint64()
		both.Go(func() { errs[i] = r.live(ctx, seed, d) })
	}
	both.Wait()
	return errors.Join(errs...)
}
