package countdown

import "github.com/tetratelabs/wazero/experimental"

const (
	// MaxMemoryPages is how far the memory of a rewritten module can grow, in pages
	// of 64 KiB. The last page of what WebAssembly allows is never given out.
	MaxMemoryPages = gatePages - 1

	gatePages = 1 << 16
	pageBytes = 1 << 16
)

// Gate is where a guest leaves its code: the memory allocator, see
// [experimental.WithMemoryAllocator], that one instance of a rewritten module
// must be given. Its fields may not be changed once it is in use. It belongs to
// the goroutine that its instance belongs to.
type Gate struct {
	// Memory allocates the module's memory. Nil is for a module without one.
	Memory experimental.MemoryAllocator
	// MaxPages is how far the memory can grow, in pages of 64 KiB: the module's
	// own maximum or less, which the rewritten module doesn't declare. At most
	// MaxMemoryPages.
	MaxPages uint32
	// Check is called on the goroutine of the guest's call whenever the guest has
	// counted down. If it panics, the guest's call ends with that.
	Check func()
}

// Allocate implements [experimental.MemoryAllocator] for wazero.
func (g *Gate) Allocate(capacity, _ uint64) experimental.LinearMemory {
	m := &gatedMemory{gate: g, limit: uint64(min(g.MaxPages, MaxMemoryPages)) * pageBytes}
	if g.Memory == nil {
		m.limit = 0
		return m
	}
	m.LinearMemory = g.Memory.Allocate(min(capacity, m.limit), m.limit)
	return m
}

// gatedMemory is the memory behind the gate; it has none of its own if that
// isn't set.
type gatedMemory struct {
	experimental.LinearMemory
	gate  *Gate
	limit uint64 // bytes
}

// Reallocate implements [experimental.LinearMemory] for wazero, which makes
// memory.grow return -1 for nil.
func (m *gatedMemory) Reallocate(size uint64) []byte {
	switch {
	case size == gatePages*pageBytes:
		m.gate.Check()
		return nil
	case size > m.limit:
		return nil
	case m.LinearMemory == nil:
		return []byte{}
	}
	return m.LinearMemory.Reallocate(size)
}

// Free implements [experimental.LinearMemory] for wazero.
func (m *gatedMemory) Free() {
	if m.LinearMemory != nil {
		m.LinearMemory.Free()
	}
}
