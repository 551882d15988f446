package service_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

// hammer is a few pools that come and go under calls of every kind.
type hammer struct {
	*rig.Rig
	owners []*rig.Owner

	mu  sync.Mutex
	ids []pool.PoolID // guarded by mu: some of them gone
}

func (h *hammer) any() pool.PoolID {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.ids) == 0 {
		return 0
	}
	return h.ids[rand.IntN(len(h.ids))]
}

// create adds a pool of any strategy and policy, and forgets the oldest.
func (h *hammer) create() {
	opts := pool.PoolOptions{
		Strategy: strategies[rand.IntN(len(strategies))], Overflow: pool.OverflowPolicy(1 + rand.IntN(3)),
		Restart: pool.RestartPolicy(1 + rand.IntN(3)), MinWorkers: 1 + rand.Uint32N(3), MaxWorkers: 5,
		Retries: rand.Uint32N(3), Worker: pool.WorkerOptions{QueueCapacity: 1 + rand.Uint32N(8)}, TaskTimeout: time.Second,
	}
	if rand.IntN(2) == 0 {
		opts.TargetPerWorker, opts.ScaleDownDelay = 2, time.Millisecond
	}
	entry := []uint32{rig.EntryLoop, rig.EntryLoop, rig.EntryRaw}[rand.IntN(3)]
	id, err := h.Service.Create(h.owners[rand.IntN(len(h.owners))].Caller, entry, opts)
	if err != nil {
		return // a ceiling, or guests that ended too soon
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ids = append(h.ids, id); len(h.ids) > 6 {
		h.ids = h.ids[1:]
	}
}

// strike makes one call. What it returns is the weather's; that it returns at all, what the ledgers say and that nothing is
// left is what the test holds.
func (h *hammer) strike() {
	id, caller := h.any(), h.owners[rand.IntN(len(h.owners))].Caller
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rand.Int64N(int64(5*time.Millisecond))))
	defer cancel()
	task := pool.Task{Tag: rand.Uint64N(1000), Key: rand.Uint64()}
	switch n := rand.IntN(100); {
	case n < 40:
		_, _ = h.Service.SubmitTask(id, task)
	case n < 50:
		_, _ = h.Service.SubmitFrom(caller, id, task.Tag, nil)
	case n < 60:
		_, _ = h.Service.SubmitWait(ctx, id, task)
	case n < 70:
		_, _ = h.Service.Call(ctx, id, task)
	case n < 73:
		_, _ = h.Service.Broadcast(id, task.Tag, nil)
	case n < 78:
		_ = h.Service.Supervise(ctx, caller, id)
	case n < 82:
		_ = h.Service.Scale(caller, id, rand.Uint32N(6))
	case n < 86:
		_ = h.Service.Reconcile(caller, id)
	case n < 90:
		h.look(id)
	case n < 93:
		_ = h.Service.Rearm(id)
	case n < 94:
		_ = h.Service.DrainWait(ctx, id)
	case n < 95:
		_ = h.Service.Destroy(id)
	default:
		h.killOne(id)
	}
}

func (h *hammer) look(id pool.PoolID) {
	sub, err := h.Service.ObserveEvents(func(*pool.PoolEvent) {})
	if err != nil {
		return
	}
	_, _ = h.Service.Stats(id)
	_ = h.Service.UnsubscribeEvents(sub)
}

func (h *hammer) killOne(id pool.PoolID) {
	if stats, err := h.Service.Stats(id); err == nil && len(stats.Workers) > 0 {
		_ = h.Workers.Kill(stats.Workers[rand.IntN(len(stats.Workers))].ID)
	}
}

// hammerFate ends a worker on one tag in fifty.
func hammerFate(_ *rig.Worker, task pool.Task) rig.Act {
	switch task.Tag % 100 {
	case 0:
		return rig.Trap
	case 1:
		return rig.Return
	}
	return rig.Next
}

func TestEveryVerbAtOnceHammer(t *testing.T) {
	t.Parallel()
	h := &hammer{Rig: rig.New(t, rig.Config{
		Quiet: true, Behaviour: hammerFate, Settings: map[string]string{pool.PluginID: `{"runnableWorkers":8}`},
		Workers: []workers.Option{workers.WithKillGrace(10 * time.Millisecond)},
	})}
	for range 3 {
		h.owners = append(h.owners, h.Owner())
	}
	for range 4 {
		h.create()
	}
	start := make(chan struct{})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			<-start
			for n := range size(2000, 300) {
				h.strike()
				if n%50 == 0 {
					h.create()
				}
			}
		})
	}
	close(start)
	all.Wait()
	for _, id := range h.Service.List() {
		stats, err := h.Service.Stats(id)
		require.NoError(t, err)
		assert.Equal(t, stats.Routed, stats.Done+stats.FailedTasks+stats.Dropped+stats.Queued+stats.Running)
		require.NoError(t, h.Service.Destroy(id))
		b := &bench{Rig: h.Rig, id: id}
		final := b.finalOf(id)
		assert.Equal(t, final.Routed, final.Done+final.FailedTasks+final.Dropped)
	}
	h.Eventually(func() bool { return h.LiveWorkers() == 0 }, "no worker left")
}
