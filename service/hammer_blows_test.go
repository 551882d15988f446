package service_test

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/wago-org/wago"
)

// blow is a call that hands make, on any pool, with any owner's or worker's caller.
type blow struct {
	name  string
	share int // of all
	call  func(h *hammer, ctx context.Context, caller wago.HostModule, id pool.PoolID) error
}

// blows are the calls there are. What they return is the weather's; that they return at all, what the ledgers say in the end
// and that nothing is left is what the test holds.
var blows = []blow{
	{"Submit", 200, func(h *hammer, _ context.Context, _ wago.HostModule, id pool.PoolID) error {
		_, err := h.Service.Submit(id, h.tag(id), []byte{1})
		return err
	}},
	{"SubmitKeyed", 100, func(h *hammer, _ context.Context, _ wago.HostModule, id pool.PoolID) error {
		_, err := h.Service.SubmitKeyed(id, rand.Uint64(), h.tag(id), nil)
		return err
	}},
	{"SubmitFrom", 100, func(h *hammer, _ context.Context, caller wago.HostModule, id pool.PoolID) error {
		_, err := h.Service.SubmitFrom(caller, id, h.tag(id), nil)
		return err
	}},
	{"SubmitTask", 200, func(h *hammer, _ context.Context, _ wago.HostModule, id pool.PoolID) error {
		_, err := h.Service.SubmitTask(id, pool.Task{Tag: h.tag(id), Key: rand.Uint64(), Payload: []byte("task")})
		return err
	}},
	{"SubmitWait", 50, func(h *hammer, ctx context.Context, _ wago.HostModule, id pool.PoolID) error {
		_, err := h.Service.SubmitWait(ctx, id, pool.Task{Tag: h.tag(id)})
		return err
	}},
	{"Call", 50, func(h *hammer, ctx context.Context, _ wago.HostModule, id pool.PoolID) error {
		_, err := h.Service.Call(ctx, id, pool.Task{Tag: h.tag(id)})
		return err
	}},
	{"Broadcast", 20, func(h *hammer, _ context.Context, _ wago.HostModule, id pool.PoolID) error {
		_, err := h.Service.Broadcast(id, h.tag(id)|legsTag, nil)
		return err
	}},
	{"Supervise", 10, func(h *hammer, ctx context.Context, caller wago.HostModule, id pool.PoolID) error {
		return h.Service.Supervise(ctx, caller, id)
	}},
	{"Scale", 40, func(h *hammer, _ context.Context, caller wago.HostModule, id pool.PoolID) error {
		return h.Service.Scale(caller, id, rand.Uint32N(6))
	}},
	{"Reconcile", 40, func(h *hammer, _ context.Context, caller wago.HostModule, id pool.PoolID) error {
		return h.Service.Reconcile(caller, id)
	}},
	{"Rearm", 20, func(h *hammer, _ context.Context, _ wago.HostModule, id pool.PoolID) error {
		return h.Service.Rearm(id)
	}},
	{"ObserveEvents and back", 20, (*hammer).look},
	{"Kill", 20, (*hammer).kill},
	{"Create", 10, func(h *hammer, ctx context.Context, caller wago.HostModule, _ pool.PoolID) error {
		return h.create(ctx, caller, 6)
	}},
	{"Drain", 2, func(h *hammer, _ context.Context, _ wago.HostModule, id pool.PoolID) error {
		return h.Service.Drain(id)
	}},
	{"DrainWait", 5, func(h *hammer, ctx context.Context, _ wago.HostModule, id pool.PoolID) error {
		return h.Service.DrainWait(ctx, id)
	}},
	{"Destroy", 2, func(h *hammer, _ context.Context, _ wago.HostModule, id pool.PoolID) error {
		return h.Service.Destroy(id)
	}},
}

// strike makes one call, with a short and random time.
func (h *hammer) strike(ctx context.Context, caller wago.HostModule) {
	all := 0
	for _, b := range blows {
		all += b.share
	}
	n := rand.IntN(all)
	for i, b := range blows {
		if n -= b.share; n >= 0 {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, time.Duration(rand.Int64N(int64(2*time.Millisecond))))
		defer cancel()
		if b.call(h, ctx, caller, h.any()) == nil {
			h.hits[i].Add(1)
		}
		return
	}
}

// any is one of the pools that are hit; 0 without any.
func (h *hammer) any() pool.PoolID {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.ids) == 0 {
		return 0
	}
	return h.ids[rand.IntN(len(h.ids))]
}

func (h *hammer) look(_ context.Context, _ wago.HostModule, id pool.PoolID) error {
	sub, err := h.Service.ObserveEvents(func(*pool.PoolEvent) {})
	if err != nil {
		return err
	}
	_, _ = h.Service.Stats(id)
	_ = h.Service.List()
	return h.Service.UnsubscribeEvents(sub)
}

func (h *hammer) kill(_ context.Context, _ wago.HostModule, id pool.PoolID) error {
	stats, err := h.Service.Stats(id)
	if err != nil || len(stats.Workers) == 0 {
		return pool.ErrPoolEmpty
	}
	return h.Workers.Kill(stats.Workers[rand.IntN(len(stats.Workers))].ID)
}

// create adds a pool of any shape, and destroys the oldest when there are more than most. Every second pool is supervised.
func (h *hammer) create(_ context.Context, caller wago.HostModule, most int) error {
	opts, entry := anyShape()
	id, err := h.Service.Create(caller, entry, opts)
	if err != nil {
		return err
	}
	oldest := h.enlist(id, shape{opts.Retries, entry == rig.EntryRaw, opts.Strategy == pool.Broadcast}, most)
	if id%2 == 0 {
		h.hands.Go(func() { _ = h.Service.Supervise(context.Background(), caller, id) })
	}
	if oldest != 0 {
		h.hands.Go(func() { _ = h.Service.Destroy(oldest) }) // it may be gone; a guest that spins has a second's grace
	}
	return nil
}

func (h *hammer) enlist(id pool.PoolID, s shape, most int) (oldest pool.PoolID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.made[id] = s
	h.ids = append(h.ids, id)
	if most > 0 && len(h.ids) > most {
		oldest, h.ids = h.ids[0], h.ids[1:]
	}
	return oldest
}

// anyShape draws options and an entry.
func anyShape() (pool.PoolOptions, uint32) {
	opts := pool.PoolOptions{
		Strategy: strategies[rand.IntN(len(strategies))], Overflow: pool.OverflowPolicy(1 + rand.IntN(3)),
		Restart: pool.RestartPolicy(1 + rand.IntN(3)), MinWorkers: 1 + rand.Uint32N(3), MaxWorkers: 5,
		MaxRestarts: []uint32{2, 0, pool.UnlimitedRestarts}[rand.IntN(3)], RestartWindow: 100 * time.Millisecond,
		Retries: rand.Uint32N(3), Worker: pool.WorkerOptions{QueueCapacity: 1 + rand.Uint32N(8)},
		TaskTimeout: 10 * time.Millisecond,
	}
	if rand.IntN(3) == 0 {
		opts.RestartBackoff = pool.Backoff{Base: time.Millisecond, Max: 4 * time.Millisecond}
	}
	switch rand.IntN(4) {
	case 0:
		opts.MinWorkers = pool.NoWorkers
		fallthrough
	case 1:
		opts.TargetPerWorker, opts.ScaleDownDelay = 2, time.Millisecond
	}
	entry := uint32(rig.EntryLoop)
	switch rand.IntN(12) {
	case 0:
		entry = rig.EntryReturns
	case 1:
		entry = rig.EntryTraps
	case 2, 3:
		entry = rig.EntryRaw
	}
	return opts, entry
}

// fate is what becomes of an attempt: most are done, some end their worker, some call back into the service first.
func (h *hammer) fate(w *rig.Worker, task pool.Task) rig.Act {
	switch n := rand.IntN(1000); {
	case n < 2 && task.Attempt > 0: // nobody times a raw worker's task
		return rig.Spin
	case n < 9:
		return rig.Trap
	case n < 12:
		return rig.OutOfBounds
	case n < 16:
		return rig.Exit(3)
	case n < 19:
		return rig.Exit(0)
	case n < 22:
		return rig.Return
	case n < 25:
		_ = w.Service().Fail(w.Caller, context.Canceled)
	case n < 45:
		h.strike(w.Context(), w.Caller)
	}
	return rig.Next
}
