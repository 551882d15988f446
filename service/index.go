package service

import "sync"

// index finds the member that is a given worker. Ids are dense, so their low bits spread them over the shards.
//
// Safe for concurrent use.
type index struct {
	shards [shardCount]struct {
		mu      sync.RWMutex
		members map[WorkerID]*member
	}
}

func (x *index) get(id WorkerID) *member {
	shard := &x.shards[id%shardCount]
	shard.mu.RLock()
	defer shard.mu.RUnlock()
	return shard.members[id]
}

func (x *index) put(m *member) {
	shard := &x.shards[m.id%shardCount]
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if shard.members == nil {
		shard.members = make(map[WorkerID]*member)
	}
	shard.members[m.id] = m
}

func (x *index) remove(id WorkerID) {
	shard := &x.shards[id%shardCount]
	shard.mu.Lock()
	defer shard.mu.Unlock()
	delete(shard.members, id)
}

const shardCount = WorkerID(32)
