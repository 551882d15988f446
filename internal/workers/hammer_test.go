package workers_test

import (
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"

	"github.com/wago-org/workers"
)

// tally counts what a hammer's workers take and how they end.
type tally struct {
	taken  atomic.Int64
	late   atomic.Int64 // callbacks after their Unsubscribe
	mu     sync.Mutex
	exits  map[workers.WorkerID]int // guarded by mu
	spawns map[workers.WorkerID]int // guarded by mu
}

func (c *tally) count(m map[workers.WorkerID]int, id workers.WorkerID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m[id]++
}

// TestLifeAndDeathHammer spawns, links, feeds, kills, retires and closes from many goroutines, and then closes the runtime in
// the middle of it: every worker ends once, and nothing is left.
func TestLifeAndDeathHammer(t *testing.T) {
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		hammer(t)
	}
}

func hammer(t *testing.T) {
	const creators, enough = 3, 150
	f := newFixture(t, setup{grace: 5 * time.Millisecond, config: `{"maxLiveWorkers": 12}`, step: unruly})
	c := &tally{exits: map[workers.WorkerID]int{}, spawns: map[workers.WorkerID]int{}}
	_, err := f.service.ObserveMessages(func(*workers.MessageContext) error {
		c.taken.Add(1)
		return nil
	})
	require.NoError(t, err)
	_, err = f.service.ObserveExits(func(x *workers.WorkerExitContext) { c.count(c.exits, x.WorkerID) })
	require.NoError(t, err)

	var all sync.WaitGroup
	reached := make(chan struct{})
	var spawned atomic.Int32
	for range creators {
		all.Go(func() {
			create(f, c, func() {
				if spawned.Add(1) == enough {
					close(reached)
				}
			})
		})
	}
	over := make(chan struct{})
	var bystanders sync.WaitGroup
	for range 2 {
		bystanders.Go(func() { disturb(f, &spawned, over) })
	}
	bystanders.Go(func() { resubscribe(f, c, over) })
	<-reached
	require.NoError(t, f.runtime.Close())
	close(over)
	all.Wait()
	bystanders.Wait()

	require.Equal(t, c.spawns, c.exits, "every worker that was spawned ended once, and no other")
	require.Zero(t, c.late.Load())
	require.NotZero(t, c.taken.Load())
	require.Zero(t, f.service.Leftovers())
	opened, closed := f.runtime.Instances()
	require.Equal(t, opened, closed)
}

// unruly serves for a while and then returns, traps or spins.
func unruly(f *fixture, caller wago.HostModule) int {
	if rand.IntN(8) > 0 {
		return f.serve(caller)
	}
	return []int{returns, traps, spins}[rand.IntN(3)]
}

// create spawns workers from one instance after another until the runtime refuses.
func create(f *fixture, c *tally, count func()) {
	for {
		instance, err := f.runtime.Instantiate(nil, f.module) //nolint:staticcheck // the host allows it
		if err != nil {
			return
		}
		for range rand.IntN(6) {
			var spawn error
			err := f.call(instance, func(caller wago.HostModule) {
				var id workers.WorkerID
				if id, spawn = f.service.Spawn(caller, entry, workers.WorkerOptions{MaxPayloadBytes: 8, MaxQueueBytes: 64}); spawn != nil {
					return
				}
				c.count(c.spawns, id)
				_ = f.service.Link(caller, id)
				_ = f.service.Send(id, 1, []byte("x"))
				count()
			})
			if err != nil || spawn != nil && !errors.Is(spawn, workers.ErrWorkerQuotaExceeded) {
				return
			}
		}
		if instance.Close() != nil {
			return
		}
	}
}

// disturb sends to, kills and retires workers at random.
func disturb(f *fixture, spawned *atomic.Int32, over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		default:
		}
		id := workers.WorkerID(rand.Uint32N(uint32(spawned.Load())+2) + 1)
		switch rand.IntN(5) {
		case 0:
			_ = f.service.Kill(id)
		case 1:
			_ = f.service.Retire(id)
		case 2:
			_ = f.service.KillWithin(id, time.Duration(rand.IntN(3))*time.Millisecond, nil)
		default:
			_ = f.service.SendOwned(id, 1, nil)
		}
	}
}

// resubscribe counts the callbacks that come after their Unsubscribe.
func resubscribe(f *fixture, c *tally, over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		default:
		}
		var ended atomic.Bool
		check := func() {
			if ended.Load() {
				c.late.Add(1)
			}
		}
		a, err := f.service.ObserveMessages(func(*workers.MessageContext) error { check(); return nil })
		if err != nil {
			return
		}
		b, err := f.service.ObserveExits(func(*workers.WorkerExitContext) { check() })
		if err == nil {
			_ = f.service.Unsubscribe(b)
		}
		if f.service.Unsubscribe(a) == nil {
			ended.Store(true)
		}
	}
}
