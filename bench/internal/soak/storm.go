package soak

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/events"
	"github.com/wago-org/workers"
)

// finale is how a world ends.
type finale uint8

const (
	calmly    finale = iota // when everything rests, pools are drained
	destroyed               // when nobody submits any more, pools are destroyed
	torn                    // the runtime closes while everybody is at it
	finales
)

var finaleNames = [finales]string{"drained", "destroyed", "closed in the middle"}

// live lets everything happen in a runtime for a while, ends it, and holds what is left against the books.
func (r *run) live(ctx context.Context, seed uint64, d time.Duration) error {
	w, err := r.open(ctx, seed)
	if err != nil {
		return err
	}
	r.opened(w)
	defer r.over(w)
	post := r.watch.post(w.name)
	defer post.leave()
	end := finale(w.dice(1).IntN(int(finales)))
	r.totals.add("runtimes", finaleNames[end], 1)
	storm, calm := context.WithCancel(context.WithoutCancel(ctx)) // it ends with ctx, but in order
	defer calm()
	w.gather(storm)
	pause(ctx, d)
	w.end(post, end, calm)
	w.account()
	return nil
}

// gather starts everybody.
func (w *world) gather(ctx context.Context) {
	w.helpers.Go(w.killSpinners)
	if !w.dark {
		w.witness.observe()
		w.start(ctx, "keeper of observers", 10, w.keepObservers)
	}
	for range 3 {
		w.newOwner(ctx)
	}
	w.start(ctx, "keeper of owners", 11, w.keepOwners)
	for n := range uint64(2) {
		w.start(ctx, "keeper of pools", 12+n, w.keepPools)
		w.start(ctx, "auditor", 14+n, w.audit)
		w.start(ctx, "disturber", 16+n, w.disturb)
	}
	for n := range uint64(hastyProducers) {
		w.start(ctx, "hasty producer", 20+n, w.produceHastily)
	}
	for n := range uint64(patientProducers) {
		w.start(ctx, "patient producer", 40+n, w.produce)
	}
}

// end ends the world; calm ends what its actors do.
func (w *world) end(post *post, how finale, calm context.CancelFunc) {
	if how != torn {
		w.rest(post, calm)
		w.finish(post, how)
	}
	w.closing.Store(true)
	post.begin("the runtime's Close")
	err := w.runtime.Close()
	close(w.closed)
	post.begin("the end of the actors")
	calm()
	w.actors.Wait()
	w.helpers.Wait()
	post.begin("callbacks that the runtime's Close has not waited for")
	for w.watching.Load() > 0 {
		pause(context.Background(), time.Millisecond)
	}
	post.end()
	w.checkClose(err)
}

// rest has everybody stop but the guests.
func (w *world) rest(post *post, calm context.CancelFunc) {
	post.begin("the end of the actors")
	calm()
	w.actors.Wait()
	if w.dark {
		w.witness.observe()
	}
	post.end()
}

// checkClose holds what the runtime's close returned: the misbehaving observers, of Pool and of Workers, and nothing else.
func (w *world) checkClose(err error) {
	for _, each := range leaves(err) {
		if !is(each, events.ErrCallbackFailed, events.ErrCallbackStuck, errExit, workers.ErrGoexit) {
			w.violated("the runtime's Close: %w", each)
		}
	}
	if opened, closed := w.runtime.Instances(); opened != closed {
		w.violated("%d instances were opened, %d closed", opened, closed)
	}
	opened, _ := w.runtime.Instances()
	w.run.totals.add("instances", "opened and closed", opened)
}

// leaves are the errors that are joined in err, the reports of single observers in one piece.
func leaves(err error) (all []error) {
	for at := err; at != nil; at = errors.Unwrap(at) {
		switch at := at.(type) {
		case *events.CallbackError, *events.StuckError, *workers.PanicError:
			return []error{at}
		case interface{ Unwrap() []error }:
			for _, each := range at.Unwrap() {
				all = append(all, leaves(each)...)
			}
			return all
		}
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// finish drains or destroys the pools that are left. Their workers finish what they have; those that spin are killed.
func (w *world) finish(post *post, how finale) {
	dice := w.dice(2)
	if how == calmly && !w.run.violations.any() {
		post.begin("the healing of pools that nobody submits to")
		w.heal()
	}
	for _, p := range w.stage.living() {
		if how == calmly && p.entry != entrySpins && !w.run.violations.any() {
			post.begin("DrainWait of a pool that nobody submits to")
			w.drainFully(p)
		}
		post.begin("Destroy of a pool that nobody submits to")
		_ = w.destroy(context.Background(), dice, p) // it holds its error itself
	}
	post.end()
}

// drainFully drains a pool to its end.
func (w *world) drainFully(p *subject) {
	ctx, cancel := context.WithTimeout(context.Background(), patience/2)
	defer cancel()
	err := w.with(func(s pool.Service) error { return s.DrainWait(ctx, p.id) })
	w.expect("DrainWait", err, pool.ErrPoolNotFound, pool.ErrTasksDropped, pool.ErrPoolDestroyed)
	if err == nil || is(err, pool.ErrTasksDropped) {
		w.awaitBooks(p, "drained to the end", func(stats pool.PoolStats) (bool, error) {
			return true, p.book.CheckFinal(stats, w.strays.Load())
		})
	}
}

// between draws a time.
func between(dice *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(dice.Int64N(int64(high-low)))
}
