package service_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

// storm is a supervised pool whose guests end in every way there is, while somebody kills, scales and looks.
type storm struct {
	*bench
	seed     uint64
	spinning chan pool.WorkerID
	nextTag  atomic.Uint64
	stop     chan struct{}
	hands    sync.WaitGroup
}

func newStorm(t *testing.T, opts pool.PoolOptions) *storm {
	t.Helper()
	s := &storm{seed: rand.Uint64(), spinning: make(chan pool.WorkerID, 1024), stop: make(chan struct{})}
	t.Logf("seed %#x", s.seed)
	opts.Restart, opts.MaxRestarts = pool.RestartAlways, pool.UnlimitedRestarts
	s.bench = newBench(t, rig.Config{
		Workers: []workers.Option{workers.WithKillGrace(5 * time.Millisecond)}, Behaviour: s.act, Answer: theTag,
	}, opts)
	s.supervise()
	s.hands.Go(s.killSpinners)
	t.Cleanup(s.calm)
	return s
}

// calm ends the hands.
func (s *storm) calm() {
	select {
	case <-s.stop:
	default:
		close(s.stop)
	}
	s.hands.Wait()
}

// fate is what becomes of an attempt, drawn from its tag: three in a hundred end badly, one ends the worker and is done.
func (s *storm) fate(tag uint64, attempt uint32) rig.Act {
	dice := rand.New(rand.NewPCG(s.seed^tag, uint64(attempt)))
	switch n := dice.IntN(1000); {
	case n < 10:
		return rig.Trap
	case n < 18:
		return rig.Exit(3)
	case n < 22:
		return rig.OutOfBounds
	case n < 26:
		return rig.DivideByZero
	case n < 30:
		return rig.Spin
	case n < 35:
		return rig.Exit(0)
	case n < 40:
		return rig.Return
	}
	return rig.Next
}

func (s *storm) act(w *rig.Worker, task pool.Task) rig.Act {
	how := s.fate(task.Tag, task.Attempt)
	if how == rig.Spin {
		s.spinning <- w.ID
	}
	return how
}

func (s *storm) killSpinners() {
	for {
		select {
		case id := <-s.spinning:
			_ = s.Workers.Kill(id) // it may be gone
		case <-s.stop:
			return
		}
	}
}

// disturb kills and scales until the returned function is called. Only workers that have taken a task are killed: others
// spend the budget.
func (s *storm) disturb() (enough func()) {
	over := make(chan struct{})
	var busy sync.WaitGroup
	busy.Go(func() {
		dice := rand.New(rand.NewPCG(s.seed, s.nextTag.Load()))
		pause := time.NewTicker(3 * time.Millisecond)
		defer pause.Stop()
		for {
			select {
			case <-over:
				return
			case <-pause.C:
			}
			s.disturbOnce(dice)
		}
	})
	return func() {
		close(over)
		busy.Wait()
	}
}

func (s *storm) disturbOnce(dice *rand.Rand) {
	stats, err := s.Service.Stats(s.id)
	if err != nil {
		return
	}
	if dice.IntN(2) == 0 {
		_ = s.Service.Scale(s.owner.Caller, s.id, stats.Min+dice.Uint32N(stats.Max-stats.Min+1)) // refused while it drains
		return
	}
	if len(stats.Workers) == 0 {
		return
	}
	if w := stats.Workers[dice.IntN(len(stats.Workers))]; w.Dispatched > 0 {
		_ = s.Workers.Kill(w.ID) // it may be gone
	}
}

// blow submits n tasks from each of eight goroutines, in every way there is.
func (s *storm) blow(n int) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range n {
				s.submitSomehow(s.nextTag.Add(1))
			}
		})
	}
	all.Wait()
}

// submitSomehow submits one task; errors are counted by the rig and belong to the weather.
func (s *storm) submitSomehow(tag uint64) {
	payload := []byte{byte(tag), byte(tag >> 8)}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	switch tag % 7 {
	case 0:
		_, _ = s.Service.Submit(s.id, tag, payload)
	case 1:
		_, _ = s.Service.SubmitKeyed(s.id, tag*3, tag, payload)
	case 2:
		_, _ = s.Service.SubmitFrom(s.owner.Caller, s.id, tag, payload)
	case 3:
		_, _ = s.Service.SubmitTask(s.id, pool.Task{Tag: tag, Key: tag, Payload: payload})
	case 4:
		_, _ = s.Service.Call(ctx, s.id, pool.Task{Tag: tag, Payload: payload})
	default:
		_, _ = s.Service.SubmitWait(ctx, s.id, pool.Task{Tag: tag, Payload: payload})
	}
}

// account holds the ledger of a pool at rest against what the guests know.
func (s *storm) account(stats pool.PoolStats, retries uint32) {
	t := s.T
	t.Helper()
	s.Service.Check(t, stats)
	book, missed := new(account), s.Missed()
	book.ledger(stats)
	attempts, finished := make(map[uint64]uint32), make(map[uint64]bool)
	for _, e := range s.Log() {
		book.attempt(e)
		tag := e.Task.Tag
		if e.Task.Attempt != attempts[tag]+1 || e.Task.Attempt > retries+1 || finished[tag] {
			require.FailNow(t, "an attempt too many", "%+v, after %d, finished %t", e, attempts[tag], finished[tag])
		}
		attempts[tag], finished[tag] = e.Task.Attempt, e.Finished
	}
	assert.Equal(t, book.settled(), book.seen+missed, "every delivery came to one end: %+v", *book)
	assert.GreaterOrEqual(t, stats.Done, book.finished, "done: %+v", *book)
	assert.LessOrEqual(t, stats.Done, book.finished+book.clean, "done: %+v", *book)
}

// TestQ2LedgerIsExactUnderChaos has 100 000 tasks accepted, 10 000 under -short, by pools whose guests trap, exit, return and
// spin while workers are killed and the pool is scaled, and holds the ledger whenever it is quiet. Half of the pools are drained
// under load in the end, half destroyed.
func TestQ2LedgerIsExactUnderChaos(t *testing.T) {
	quota := uint64(size(100_000, 10_000))/12 + 1
	for _, strategy := range []pool.Strategy{pool.RoundRobin, pool.PowerOfTwo, pool.ConsistentHash} {
		for _, retries := range []uint32{0, 2} {
			for _, drained := range []bool{true, false} {
				t.Run(fmt.Sprintf("%v, %d retries, drained %t", strategy, retries, drained), func(t *testing.T) {
					t.Parallel()
					s := newStorm(t, pool.PoolOptions{
						Strategy: strategy, MinWorkers: 2, MaxWorkers: 6, Retries: retries,
						Worker: pool.WorkerOptions{QueueCapacity: 16},
					})
					rec := record(s.Rig)
					for accepted := uint64(0); accepted < quota && !t.Failed(); accepted = s.Service.Tally(s.id).Accepted {
						enough := s.disturb()
						s.blow(size(200, 60))
						enough()
						stats := s.quiet()
						s.account(stats, retries)
						assert.Zero(t, stats.Dropped, "a pool that lives on drops nothing")
					}
					s.finish(rec, retries, drained)
				})
			}
		}
	}
}

// finish drains the pool under a gust, and then destroys it; or destroys it at once in the middle of the gust.
func (s *storm) finish(rec *recorder, retries uint32, drained bool) {
	t := s.T
	enough := s.disturb()
	var gust sync.WaitGroup
	gust.Go(func() { s.blow(size(60, 20)) })
	if drained {
		err := promptlyDrained(s.bench)
		assert.True(t, err == nil || errors.Is(err, pool.ErrTasksDropped), "DrainWait: %v", err)
	}
	final := s.final()
	gust.Wait()
	enough()
	s.calm()
	rec.await(pool.PoolDestroyed, 1)
	assert.Equal(t, final.Dropped, rec.sum(pool.PoolTaskDropped), "every task that was dropped is in an event")
	assert.EqualValues(t, final.FailedTasks, rec.count(pool.PoolTaskFailed), "every task that failed has an event")
	assert.EqualValues(t, final.Retried, rec.count(pool.PoolTaskRetried), "every retry has an event")
	s.account(final, retries)
}

func promptlyDrained(b *bench) error {
	b.T.Helper()
	return within(b.T, testPatience, async(func() error { return b.Service.DrainWait(context.Background(), b.id) }), "DrainWait")
}
