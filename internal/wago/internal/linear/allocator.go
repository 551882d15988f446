package linear

import "sync/atomic"

// Allocator makes memories, and counts those that are mapped.
//
// Safe for concurrent use.
type Allocator struct {
	system system // set once; nil: the Go heap

	mapped, unmapped atomic.Uint64
}

// NewAllocator returns an allocator of memories of that kind. Where mapped ones aren't [Supported], making one fails.
func NewAllocator(k Kind) *Allocator {
	if k.Resolve() == Heap {
		return &Allocator{}
	}
	return &Allocator{system: kernel{}}
}

// Mappings returns how many memories were mapped and how many of them have been unmapped. Both are equal when none is left.
func (a *Allocator) Mappings() (mapped, unmapped uint64) {
	unmapped = a.unmapped.Load() // first, so that it is never the greater one
	return a.mapped.Load(), unmapped
}

// New returns a memory of size bytes that can grow to limit bytes, all zero. Both are multiples of 64 KiB; limit isn't below
// size. Close it.
//
// Errors: [ErrMemory], also for a panic on the way.
func (a *Allocator) New(size, limit uint64) (*Memory, error) {
	m := &Memory{from: a, limit: limit}
	if err := m.begin(size); err != nil {
		return nil, err
	}
	return m, nil
}
