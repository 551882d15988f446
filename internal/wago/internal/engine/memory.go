package engine

import "github.com/tetratelabs/wazero/experimental"

// Memory is memory 0 of an instance. Like its instance it belongs to one
// goroutine at a time.
type Memory struct {
	inst  *Instance
	limit uint64 // bytes
	buf   []byte // what the guest sees
}

var (
	_ experimental.MemoryAllocator = (*Memory)(nil)
	_ experimental.LinearMemory    = (*Memory)(nil)
)

// Bytes returns the memory as a live view, good until the memory grows or the
// instance is closed. It is nil after Close.
func (m *Memory) Bytes() []byte { return m.buf }

// Pages returns the memory's size in pages of 64 KiB.
func (m *Memory) Pages() uint32 { return uint32(len(m.buf) / PageSize) }

// LimitPages returns how far the memory can grow, in pages of 64 KiB.
func (m *Memory) LimitPages() uint32 { return uint32(m.limit / PageSize) }

// Read returns a live view of n bytes at off; false if they aren't all there.
func (m *Memory) Read(off, n uint32) ([]byte, bool) {
	end := uint64(off) + uint64(n)
	if end > uint64(len(m.buf)) {
		return nil, false
	}
	return m.buf[off:end:end], true
}

// Write copies b to off; false, with nothing written, if it doesn't fit.
func (m *Memory) Write(off uint32, b []byte) bool {
	if uint64(off)+uint64(len(b)) > uint64(len(m.buf)) {
		return false
	}
	copy(m.buf[off:], b)
	return true
}

// Grow adds pages and returns the size before; false, with nothing changed, if
// the memory can't grow that far.
func (m *Memory) Grow(pages uint32) (previous uint32, ok bool) {
	if m.inst.usable() != nil || pages > m.LimitPages()-m.Pages() {
		return 0, false
	}
	return m.inst.mod.Memory().Grow(pages)
}

// Allocate implements experimental.MemoryAllocator for wazero.
func (m *Memory) Allocate(_, maximum uint64) experimental.LinearMemory {
	m.limit = min(m.limit, maximum)
	return m
}

// Reallocate implements experimental.LinearMemory for wazero, which makes
// memory.grow return -1 when it gets nil. Capacity grows by a quarter at least,
// so that a guest that grows page by page copies its memory seldom.
func (m *Memory) Reallocate(size uint64) []byte {
	if size > m.limit {
		return nil
	}
	if m.buf == nil || size > uint64(cap(m.buf)) {
		capacity := min(max(size, uint64(len(m.buf))/4*5), m.limit)
		grown := make([]byte, size, capacity)
		copy(grown, m.buf)
		m.buf = grown
	}
	m.buf = m.buf[:size]
	return m.buf
}

// Free implements experimental.LinearMemory for wazero. The bytes are Go's; they
// stay until the instance is closed, for calls that are still on their way out.
func (m *Memory) Free() {}

// Memory returns memory 0 as a live view, or nil if there is none or the
// instance is closed. See [Memory.Bytes].
func (i *Instance) Memory() []byte {
	if i.memory == nil {
		return nil
	}
	return i.memory.buf
}

// MemoryObject returns memory 0; false if there is none.
func (i *Instance) MemoryObject() (*Memory, bool) { return i.memory, i.memory != nil }

// Read returns a live view of n bytes of memory 0 at off; false if they aren't
// all there.
func (i *Instance) Read(off, n uint32) ([]byte, bool) {
	if i.memory == nil {
		return nil, false
	}
	return i.memory.Read(off, n)
}

// Write copies b into memory 0 at off; false, with nothing written, if it
// doesn't fit.
func (i *Instance) Write(off uint32, b []byte) bool {
	return i.memory != nil && i.memory.Write(off, b)
}
