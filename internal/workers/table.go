package workers

import "sync/atomic"

const tableShards = 64

// table finds workers by ID. Reads take no lock; a write copies one shard, so its writers must exclude each other. IDs are
// given out in sequence, so that the shards stay equal in size.
//
// get is safe for concurrent use with everything; put and remove are not, their owner guards them.
type table struct {
	shards [tableShards]atomic.Pointer[map[WorkerID]*worker]
}

// get returns the worker or nil.
func (t *table) get(id WorkerID) *worker {
	shard := t.shards[id%tableShards].Load()
	if shard == nil {
		return nil
	}
	return (*shard)[id]
}

func (t *table) put(w *worker) {
	t.edit(w.id, func(shard map[WorkerID]*worker) { shard[w.id] = w })
}

func (t *table) remove(id WorkerID) {
	t.edit(id, func(shard map[WorkerID]*worker) { delete(shard, id) })
}

func (t *table) edit(id WorkerID, change func(map[WorkerID]*worker)) {
	slot := &t.shards[id%tableShards]
	shard := make(map[WorkerID]*worker)
	if old := slot.Load(); old != nil {
		for id, w := range *old {
			shard[id] = w
		}
	}
	change(shard)
	slot.Store(&shard)
}
