package service_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// hammer is one runtime in which pools and their owners come and go under calls of every kind, until it is closed under all of
// them.
type hammer struct {
	*rig.Rig
	hits  []atomic.Uint64 // calls that returned nil, by their place among the blows
	tags  atomic.Uint64
	over  chan struct{} // closed once the runtime is
	hands sync.WaitGroup

	mu     sync.Mutex
	owners []*rig.Owner          // guarded by mu
	ids    []pool.PoolID         // guarded by mu: the pools that are hit, some of them gone
	made   map[pool.PoolID]shape // guarded by mu: every pool that there was
}

// shape is what of a pool's options decides what its ledger can say.
type shape struct {
	retries uint32
	raw     bool
	legs    bool // every task is a broadcast
}

// TestEveryVerbAtOnceHammer has 16 producers make every call there is, from outside and from inside tasks and observers, while
// guests trap, exit, return and spin, workers are killed, and pools are scaled, drained, destroyed and made anew with owners
// that come and go. Every second the runtime is closed in the middle of it and the next begins. For 30 s, 5 s under -short, and
// longer only if something has not happened by then.
func TestEveryVerbAtOnceHammer(t *testing.T) {
	t.Parallel()
	load := size(30*time.Second, 2*time.Second)
	hits := make([]atomic.Uint64, len(blows))
	sum := new(account)
	for begun, n := time.Now(), 1; !t.Failed(); n++ {
		left := load - time.Since(begun)
		if left <= 0 && (len(neverHappened(hits, sum)) == 0 || left < -load) {
			break
		}
		length := time.Second
		if left > 0 {
			length = min(length, left)
		}
		t.Run("generation "+strconv.Itoa(n), func(t *testing.T) {
			leavesNoGoroutine(t, func() { newHammer(t, hits).run(length, sum) })
		})
	}
	t.Logf("%+v", *sum)
	assert.Empty(t, neverHappened(hits, sum))
}

// neverHappened names what a hammer that hits everything would have made happen, and that did not.
func neverHappened(hits []atomic.Uint64, sum *account) (names []string) {
	for i, b := range blows {
		if hits[i].Load() == 0 {
			names = append(names, b.name+" that returned nil")
		}
	}
	for name, n := range map[string]uint64{
		"done": sum.done, "failed": sum.failed, "dropped": sum.dropped, "retried": sum.retried, "shed": sum.shed,
		"rejected": sum.rejected, "redelivered": sum.redelivered, "spins": sum.spins, "restarts": sum.restarts,
	} {
		if n == 0 {
			names = append(names, name)
		}
	}
	return names
}

func newHammer(t *testing.T, hits []atomic.Uint64) *hammer {
	t.Helper()
	h := &hammer{hits: hits, over: make(chan struct{}), made: make(map[pool.PoolID]shape)}
	h.Rig = rig.New(t, rig.Config{
		Behaviour: h.fate, Settings: map[string]string{pool.PluginID: `{"runnableWorkers":8}`},
		Workers: []workers.Option{workers.WithKillGrace(10 * time.Millisecond)},
	})
	return h
}

// run is a generation: a load of the given length, the runtime's end in the middle of it, and the reckoning.
func (h *hammer) run(length time.Duration, sum *account) {
	for range 3 {
		h.hire()
	}
	for range 4 {
		_ = h.create(context.Background(), h.owner(), 0) // a ceiling, or guests that ended too soon
	}
	h.watch()
	for range 16 {
		h.hands.Go(func() {
			for !closed(h.over) {
				h.strike(context.Background(), h.owner())
			}
		})
	}
	turn := time.NewTicker(100 * time.Millisecond)
	defer turn.Stop()
	for end := time.After(length); ; {
		select {
		case <-turn.C:
			h.turnOver()
			continue
		case <-end:
		}
		break
	}
	assert.NoError(h.T, h.Pull(h.callsReturn))
	h.reckon(sum)
}

// callsReturn waits until every call that was under way when the runtime closed has returned.
func (h *hammer) callsReturn() {
	close(h.over)
	returned := make(chan struct{})
	go func() {
		h.hands.Wait()
		close(returned)
	}()
	within(h.T, testPatience, returned, "calls that met the runtime's end")
}

// hire adds an owner.
func (h *hammer) hire() {
	o := h.Owner()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.owners = append(h.owners, o)
}

// turnOver closes the oldest owner under its pools, and hires another.
func (h *hammer) turnOver() {
	h.hire()
	h.mu.Lock()
	gone := h.owners[0]
	h.owners = h.owners[1:]
	h.mu.Unlock()
	assert.NoError(h.T, within(h.T, testPatience, async(gone.Close), "an owner's close"))
}

// owner is any owner's caller: sometimes that of one that is being closed.
func (h *hammer) owner() wago.HostModule {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.owners[rand.IntN(len(h.owners))].Caller
}

// watch has an observer call the service on every event.
func (h *hammer) watch() {
	_, err := h.Service.ObserveEvents(func(e *pool.PoolEvent) {
		_, _ = h.Service.Stats(e.Pool)
		if e.Seq%16 == 0 {
			_, _ = h.Service.SubmitTask(e.Pool, pool.Task{Tag: h.tag(e.Pool)})
		}
	})
	assert.NoError(h.T, err)
}
