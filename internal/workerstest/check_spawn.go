package workerstest

import (
	"errors"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

var spawnChecks = []Check{
	{Name: "spawn/ids count from one and are not used again", run: func(w *world) {
		w.Script(Script{})
		for want := workers.WorkerID(1); want <= 6; want++ {
			require.Equal(w, want, w.spawn())
			w.gone(want)
		}
	}},
	{Name: "spawn/a caller that isn't live is refused first", run: func(w *world) {
		for name, caller := range w.badCallers() {
			_, err := w.Service().Spawn(caller, w.BadEntries()[0], workers.WorkerOptions{QueueCapacity: 1 << 31})
			require.ErrorIs(w, err, workers.ErrInvalidWorkerCaller, name)
		}
		w.fill()
	}},
	{Name: "spawn/options are checked field by field", run: func(w *world) {
		for name, options := range map[string]workers.WorkerOptions{
			"capacity above maximum":            {QueueCapacity: workers.MaxWorkerQueueCapacity + 1},
			"payload above maximum":             {MaxPayloadBytes: workers.MaxWorkerPayloadBytes + 1, MaxQueueBytes: workers.MaxWorkerQueueBytes},
			"queue above maximum":               {MaxQueueBytes: workers.MaxWorkerQueueBytes + 1},
			"queue below payload":               {MaxPayloadBytes: 11, MaxQueueBytes: 10},
			"queue below its default":           {MaxQueueBytes: workers.DefaultWorkerMaxPayloadBytes - 1},
			"payload above the queue's default": {MaxPayloadBytes: workers.DefaultWorkerMaxQueueBytes + 1},
		} {
			_, err := w.trySpawn(w.owner, options)
			require.ErrorIs(w, err, workers.ErrInvalidWorkerOptions, name)
		}
		w.spawn(workers.WorkerOptions{QueueCapacity: workers.MaxWorkerQueueCapacity, MaxPayloadBytes: 10, MaxQueueBytes: 10})
		w.fill()
	}},
	{Name: "spawn/an entry of another type is refused and leaves nothing", run: func(w *world) {
		before := w.Guests()
		for _, entry := range w.BadEntries() {
			w.call(func(caller wago.HostModule) {
				_, err := w.Service().Spawn(caller, entry, workers.WorkerOptions{})
				require.Error(w, err)
			})
		}
		require.Equal(w, before, w.Guests())
		w.fill()
	}},
	{Name: "spawn/a start section that traps is an error and leaves nothing", run: func(w *world) {
		before := w.Guests()
		for act, check := range map[Act]func(err error){
			Trap:  func(err error) { require.Equal(w, wago.TrapUnreachable, trapCode(err)) },
			Abort: func(err error) { require.ErrorIs(w, err, ErrAborted) },
		} {
			w.Script(Script{Start: func(wago.HostModule) Act { return act }})
			_, err := w.trySpawn(w.owner)
			check(err)
		}
		require.Equal(w, before, w.Guests())
		w.Script(Script{Step: w.serve})
		w.fill()
	}},
	{Name: "spawn/a start section may ask for nothing a worker can", run: func(w *world) {
		var current, dispatch error
		w.Script(Script{Step: w.serve, Start: func(caller wago.HostModule) Act {
			_, current = w.Service().Current(caller)
			dispatch = w.Service().DispatchNext(w.Context(), caller)
			return Return
		}})
		w.spawn()
		require.ErrorIs(w, current, workers.ErrWorkerNotFound)
		require.ErrorIs(w, dispatch, workers.ErrWorkerNotFound)
	}},
	{Name: "spawn/the number of workers is exact", run: func(w *world) { w.fill() }},
	{Name: "spawn/the bytes of all mailboxes are exact", run: func(w *world) {
		all := w.Limits().MaxQueueBytes
		half := workers.WorkerOptions{MaxQueueBytes: uint32(all / 2)}
		first := w.spawn(half)
		w.spawn(half)
		_, err := w.trySpawn(w.owner, workers.WorkerOptions{MaxPayloadBytes: 1, MaxQueueBytes: 1})
		w.overQuota(err, "maxQueueBytes", all, all+1)
		require.NoError(w, w.Service().Kill(first))
		w.gone(first)
		w.settle()
		_, err = w.trySpawn(w.owner, workers.WorkerOptions{MaxQueueBytes: uint32(all/2) + 1})
		w.overQuota(err, "maxQueueBytes", all, all+1)
		w.spawn(half)
	}},
	{Name: "spawn/a worker may spawn, and owns what it spawned", run: func(w *world) {
		type child struct {
			id              workers.WorkerID
			spawned, linked error
		}
		children := make(chan child, 1)
		w.Script(w.once(func(caller wago.HostModule) Act {
			if id, _ := w.Service().Current(caller); id != 1 {
				return w.serve(caller)
			}
			var c child
			c.id, c.spawned = w.Service().Spawn(caller, w.Entry(), workers.WorkerOptions{})
			c.linked = w.Service().Link(caller, c.id)
			children <- c
			return w.serve(caller)
		}))
		require.EqualValues(w, 1, w.spawn())
		w.settle()
		require.Len(w, children, 1)
		c := receive(w, children)
		require.NoError(w, c.spawned)
		require.NoError(w, c.linked)
		require.EqualValues(w, 2, c.id)
		w.live(c.id)
	}},
}

// fill spawns workers until the quota is used up, and holds that against the limit. It leaves them there.
func (w *world) fill() {
	w.Helper()
	w.settle()
	most := w.Limits().MaxLiveWorkers
	small := workers.WorkerOptions{MaxPayloadBytes: 1, MaxQueueBytes: 1}
	var live uint32
	w.mu.Lock()
	ended := len(w.exits)
	w.mu.Unlock()
	var last workers.WorkerID
	for {
		id, err := w.trySpawn(w.owner, small)
		if err != nil {
			w.overQuota(err, "maxLiveWorkers", uint64(most), uint64(most)+1)
			break
		}
		live, last = live+1, id
		require.LessOrEqual(w, live, most, "more workers than the limit")
	}
	require.Equal(w, uint64(most), uint64(last)-uint64(ended), "the limit, counting those there were before")

	require.NoError(w, w.Service().Kill(last))
	w.gone(last)
	w.settle()
	_, err := w.trySpawn(w.owner, small)
	require.NoError(w, err, "one worker has gone, so there is room for one")
	_, err = w.trySpawn(w.owner, small)
	w.overQuota(err, "maxLiveWorkers", uint64(most), uint64(most)+1)
}

// overQuota checks a refusal, and that it says which ceiling is in the way if it can.
func (w *world) overQuota(err error, setting string, limit, wanted uint64) {
	w.Helper()
	require.ErrorIs(w, err, workers.ErrWorkerQuotaExceeded)
	var ceiling interface {
		Ceiling() (setting string, limit, wanted uint64)
	}
	if errors.As(err, &ceiling) {
		s, l, n := ceiling.Ceiling()
		assert.Equal(w, setting, s)
		assert.Equal(w, limit, l)
		assert.Equal(w, wanted, n)
	}
}

// trapCode returns why a guest trapped.
func trapCode(err error) wago.TrapCode {
	if trap := (*wago.TrapError)(nil); errors.As(err, &trap) {
		return trap.Code
	}
	return wago.TrapNone
}
