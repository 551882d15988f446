package service

import (
	"maps"
	"sync"
	"sync/atomic"
)

// index finds the member that is a given worker. Reads take no lock; a change copies one shard. Ids are given out in sequence,
// so that the shards stay equal in size.
//
// Safe for concurrent use.
type index struct {
	mu     sync.Mutex // excludes other changes
	shards [shardCount]atomic.Pointer[map[WorkerID]*member]
}

const shardCount = WorkerID(64)

func (x *index) get(id WorkerID) *member {
	if shard := x.shards[id%shardCount].Load(); shard != nil {
		return (*shard)[id]
	}
	return nil
}

func (x *index) put(m *member) {
	x.change(m.id, func(shard map[WorkerID]*member) { shard[m.id] = m })
}

func (x *index) remove(id WorkerID) {
	x.change(id, func(shard map[WorkerID]*member) { delete(shard, id) })
}

func (x *index) change(id WorkerID, edit func(map[WorkerID]*member)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	at := &x.shards[id%shardCount]
	next := make(map[WorkerID]*member)
	if shard := at.Load(); shard != nil {
		next = maps.Clone(*shard)
	}
	edit(next)
	at.Store(&next)
}
