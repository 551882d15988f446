package engine

import (
	"github.com/tetratelabs/wazero/experimental"
	"github.com/wago-org/wago/internal/linear"
)

// ErrMemory is wrapped by the error of an instantiation for whose memory the
// system has no room, and of a Close whose memory the system doesn't take back.
const ErrMemory = linear.ErrMemory

// Memory is memory 0 of an instance. Like its instance it belongs to one
// goroutine at a time.
type Memory struct {
	inst   *Instance
	linear *linear.Memory
}

var (
	_ experimental.MemoryAllocator = (*Memory)(nil)
	_ experimental.LinearMemory    = (*linear.Memory)(nil)
)

// allocate makes the instance's memory, if it has one: before wazero asks for it,
// which can't be told why there is none. It lives until Close.
func (i *Instance) allocate(b Bindings) error {
	info := i.module.shape.memory
	if info == nil {
		return nil
	}
	pages := info.Max
	if b.MemoryLimitPages != 0 {
		pages = min(pages, b.MemoryLimitPages)
	}
	if info.Min > pages {
		return &LimitError{
			Setting: "Bindings.MemoryLimitPages", Subject: "the guest's initial memory (pages)",
			Wanted: uint64(info.Min), Limit: uint64(pages),
		}
	}
	made, err := i.module.engine.memories.New(uint64(info.Min)*PageSize, uint64(pages)*PageSize)
	if err != nil {
		return err
	}
	i.memory = &Memory{inst: i, linear: made}
	return nil
}

// Bytes returns the memory as a live view, good until the memory grows or the
// instance is closed. It is nil after Close. Touching a view after the Close of
// its instance can end the process: see package linear.
func (m *Memory) Bytes() []byte { return m.linear.Bytes() }

// Pages returns the memory's size in pages of 64 KiB.
func (m *Memory) Pages() uint32 { return uint32(len(m.Bytes()) / PageSize) }

// LimitPages returns how far the memory can grow, in pages of 64 KiB.
func (m *Memory) LimitPages() uint32 { return uint32(m.linear.Limit() / PageSize) }

// Read returns a live view of n bytes at off; false if they aren't all there.
func (m *Memory) Read(off, n uint32) ([]byte, bool) {
	bytes, end := m.Bytes(), uint64(off)+uint64(n)
	if end > uint64(len(bytes)) {
		return nil, false
	}
	return bytes[off:end:end], true
}

// Write copies b to off; false, with nothing written, if it doesn't fit.
func (m *Memory) Write(off uint32, b []byte) bool {
	bytes := m.Bytes()
	if uint64(off)+uint64(len(b)) > uint64(len(bytes)) {
		return false
	}
	copy(bytes[off:], b)
	return true
}

// Grow adds pages and returns the size before; false, with nothing changed, if
// the memory can't grow that far, or the instance was interrupted.
func (m *Memory) Grow(pages uint32) (previous uint32, ok bool) {
	if m.inst.usable() != nil || m.linear.Freed() || pages > m.LimitPages()-m.Pages() {
		return 0, false
	}
	return m.inst.mod.Memory().Grow(pages)
}

// Allocate implements experimental.MemoryAllocator for wazero. The memory is there
// already.
func (m *Memory) Allocate(_, _ uint64) experimental.LinearMemory { return m.linear }

// Memory returns memory 0 as a live view, or nil if there is none or the
// instance is closed. See [Memory.Bytes].
func (i *Instance) Memory() []byte {
	if i.memory == nil {
		return nil
	}
	return i.memory.Bytes()
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
