package conformance

import (
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/wago-org/workers"
)

var createChecks = []Check{
	{Name: "create/starts the floor of workers, and counts nothing", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 3, MaxWorkers: 4, Strategy: pool.LeastLoaded})
		s := w.Stats(id)
		w.same("pool", id, s.Pool)
		w.same("strategy", pool.LeastLoaded, s.Strategy)
		w.same("live, desired, floor, ceiling", [4]uint32{3, 3, 3, 4}, [4]uint32{s.Live, s.Desired, s.Min, s.Max})
		w.same("tasks and ends", [3]uint64{}, [3]uint64{s.Submitted, s.Routed, s.Exited})
		ids := map[pool.WorkerID]bool{}
		for _, worker := range s.Workers {
			ids[worker.ID] = true
		}
		w.same("different workers", 3, len(ids))
		w.same("a worker without an id", false, ids[0])
		w.same("List", []pool.PoolID{id}, w.Service.List())
	}},
	{Name: "create/zero means the default", run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{})
		s := w.Stats(id)
		w.same("strategy", pool.RoundRobin, s.Strategy)
		w.same("live, floor, ceiling", [3]uint32{1, 1, 1}, [3]uint32{s.Live, s.Min, s.Max})
		w.submit(id, 0)
		w.running(id, 1)
		for tag := range uint64(workers.DefaultWorkerQueueCapacity) {
			w.submit(id, tag+1)
		}
		_, err := w.Service.Submit(id, 99, nil)
		w.bare("Submit to a full mailbox", pool.ErrPoolBackpressure, err)
		gate.Open()
		w.Quiet(id)
		_, err = w.Service.Submit(id, 100, make([]byte, workers.DefaultWorkerMaxPayloadBytes))
		w.must("Submit of the default limit", err)
		_, err = w.Service.Submit(id, 101, make([]byte, workers.DefaultWorkerMaxPayloadBytes+1))
		w.bare("Submit of more", pool.ErrPayloadTooLarge, err)
		elastic := w.owner.Create(pool.PoolOptions{TargetPerWorker: 1})
		w.same("ceiling of an elastic pool", min(4, uint32(runtime.GOMAXPROCS(0))), w.Stats(elastic).Max)
	}},
	{Name: "create/every strategy and policy is taken", run: func(w *world) {
		for strategy := pool.RoundRobin; strategy <= pool.Broadcast; strategy++ {
			id := w.owner.Create(pool.PoolOptions{Strategy: strategy})
			w.same("strategy", strategy, w.Stats(id).Strategy)
			w.submit(id, 1)
			w.same("done", uint64(1), w.Quiet(id).Done)
			w.must("Destroy", w.Service.Destroy(id))
		}
		for policy := range uint8(3) {
			id := w.owner.Create(pool.PoolOptions{Overflow: pool.OverflowSpill + pool.OverflowPolicy(policy)})
			w.must("Destroy", w.Service.Destroy(id))
			id = w.owner.Create(pool.PoolOptions{Restart: pool.RestartOnFailure + pool.RestartPolicy(policy)})
			w.must("Destroy", w.Service.Destroy(id))
		}
	}},
	{Name: "create/what is out of bounds is refused by its name", run: func(w *world) {
		for option, options := range badOptions {
			id, err := w.Service.Create(w.owner.Caller, pooltest.EntryWork, options)
			w.wraps(option, err, pool.ErrInvalidPoolOptions)
			var refused *pool.OptionError
			if !errors.As(err, &refused) {
				w.t.Fatalf("%s: want a *pool.OptionError, got %v", option, err)
			}
			w.same("the option at fault", option, refused.Option)
			w.same("pool", pool.PoolID(0), id)
		}
		w.same("List", 0, len(w.Service.List()))
	}},
	{Name: "create/an entry that can't be a worker's leaves nothing", run: func(w *world) {
		for _, entry := range []uint32{pooltest.EntryTyped, pooltest.EntryNull, 1 << 30} {
			id, err := w.Service.Create(w.owner.Caller, entry, pool.PoolOptions{MinWorkers: 2})
			w.same("refused", true, err != nil)
			w.same("pool", pool.PoolID(0), id)
			w.same("List", 0, len(w.Service.List()))
		}
		w.owner.Create(pool.PoolOptions{MinWorkers: 4})
		w.owner.Create(pool.PoolOptions{MinWorkers: 2}) // every place has come back
	}},
	{Name: "create/ceilings of workers refuse with the bare sentinel, and leave nothing", run: func(w *world) {
		_, err := w.Service.Create(w.owner.Caller, pooltest.EntryWork, pool.PoolOptions{MinWorkers: 5})
		w.bare("more than a pool may have", pool.ErrPoolWorkerLimit, err)
		first := w.owner.Create(pool.PoolOptions{MinWorkers: 4, MaxWorkers: 9})
		w.same("ceiling, clamped", uint32(4), w.Stats(first).Max)
		_, err = w.Service.Create(w.owner.Caller, pooltest.EntryWork, pool.PoolOptions{MinWorkers: 3})
		w.bare("more than all may have", pool.ErrPoolWorkerLimit, err)
		w.same("List", []pool.PoolID{first}, w.Service.List())
		w.same("live in the other pool", uint32(4), w.Stats(first).Live)
		w.owner.Create(pool.PoolOptions{MinWorkers: 2})
	}},
	{Name: "create/the limit of pools counts those that exist and are not drained", run: func(w *world) {
		var ids []pool.PoolID
		for range 3 {
			ids = append(ids, w.owner.Create(pool.PoolOptions{}))
		}
		_, err := w.Service.Create(w.owner.Caller, pooltest.EntryWork, pool.PoolOptions{})
		w.bare("a pool too many", pool.ErrPoolLimit, err)
		w.same("List", ids, w.Service.List())
		w.must("Destroy", w.Service.Destroy(ids[1]))
		w.must("DrainWait", w.Service.DrainWait(w.t.Context(), ids[2]))
		for range 2 {
			w.owner.Create(pool.PoolOptions{})
		}
	}},
	{Name: "create/ids rise and are never used again", run: func(w *world) {
		var ids []pool.PoolID
		for range 5 {
			id := w.owner.Create(pool.PoolOptions{})
			w.must("Destroy", w.Service.Destroy(id))
			ids = append(ids, id)
		}
		w.same("ids that rise", true, slices.IsSorted(ids) && ids[0] > 0)
		w.same("different ids", 5, len(slices.Compact(ids)))
	}},
	{Name: "create/a pool ends with its creator", run: func(w *world) {
		creator := w.Owner(pooltest.Loop)
		id, other := creator.Create(pool.PoolOptions{MinWorkers: 2}), w.owner.Create(pool.PoolOptions{})
		w.must("Close", creator.Close())
		ended := w.reported(pool.PoolDestroyed, 1)[0]
		w.same("pool that ended", id, ended.Pool)
		w.same("there is a cause", true, ended.Err != nil)
		w.same("List", []pool.PoolID{other}, w.Service.List())
		_, err := w.Service.Submit(id, 1, nil)
		w.bare("Submit", pool.ErrPoolNotFound, err)
	}},
}

// badOptions are options with one thing wrong, by the name of that.
var badOptions = map[string]pool.PoolOptions{
	"Strategy":               {Strategy: 99},
	"Overflow":               {Overflow: 99},
	"Restart":                {Restart: 99},
	"MinWorkers":             {MinWorkers: pool.NoWorkers}, // without a TargetPerWorker
	"MaxWorkers":             {MinWorkers: 3, MaxWorkers: 2},
	"RingReplicas":           {RingReplicas: pool.MaxRingReplicas + 1},
	"RestartWindow":          {RestartWindow: -1},
	"RestartBackoff.Base":    {RestartBackoff: pool.Backoff{Base: -time.Second}},
	"RestartBackoff.Max":     {RestartBackoff: pool.Backoff{Base: 2, Max: 1}},
	"TaskTimeout":            {TaskTimeout: -1},
	"ScaleDownDelay":         {ScaleDownDelay: -1},
	"Worker.QueueCapacity":   {Worker: pool.WorkerOptions{QueueCapacity: workers.MaxWorkerQueueCapacity + 1}},
	"Worker.MaxPayloadBytes": {Worker: pool.WorkerOptions{MaxPayloadBytes: workers.MaxWorkerPayloadBytes + 1}},
	"Worker.MaxQueueBytes":   {Worker: pool.WorkerOptions{MaxQueueBytes: workers.MaxWorkerQueueBytes + 1}},
}
