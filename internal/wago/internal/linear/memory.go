package linear

import "fmt"

// Memory is the memory of one guest, and what the engine calls a LinearMemory.
//
// Not safe for concurrent use; the guest's instance guards it.
type Memory struct {
	// set once
	from   *Allocator
	limit  uint64 // bytes
	mapped bool

	region []byte // what there is: reserved, or taken from the heap with room to grow
	bytes  []byte // its beginning, which the guest sees
	freed  bool   // it doesn't grow any more
}

// Bytes returns the memory as a live view, nil once it is closed. A view is good until the memory is closed; of one that isn't
// mapped, until it grows. Appending to a view doesn't write to the memory.
func (m *Memory) Bytes() []byte { return m.bytes }

// Limit returns how far the memory can grow, in bytes.
func (m *Memory) Limit() uint64 { return m.limit }

// Reallocate grows the memory to so many bytes and returns it. It returns nil, with nothing changed, when that is above the
// limit, when the system refuses it, and after Free.
func (m *Memory) Reallocate(size uint64) []byte {
	if m.freed || size > m.limit || m.grow(size) != nil {
		return nil
	}
	return m.bytes
}

// begin gives the memory its first bytes.
func (m *Memory) begin(size uint64) (err error) {
	defer contain(&err)
	if m.from.system == nil || m.limit == 0 { // nothing can't be mapped
		return m.grow(size)
	}
	if m.region, err = m.from.system.reserve(m.limit, size); err != nil {
		return fmt.Errorf("%w: mapping %d bytes, %d of them to use: %w", ErrMemory, m.limit, size, err)
	}
	m.mapped = true
	m.from.mapped.Add(1)
	m.bytes = m.region[:size:size]
	return nil
}

func (m *Memory) grow(size uint64) (err error) {
	defer contain(&err)
	used := uint64(len(m.bytes))
	switch {
	case m.mapped && size > used:
		if err := m.from.system.commit(m.region[used:size]); err != nil {
			return fmt.Errorf("%w: %d bytes after %d: %w", ErrMemory, size-used, used, err)
		}
	case !m.mapped && (m.region == nil || size > uint64(len(m.region))):
		m.region = m.moved(size)
	}
	m.bytes = m.region[:size:size]
	return nil
}

// moved returns a copy with room for so many bytes, and for a quarter more than there were: a guest that grows page by page
// is copied seldom.
func (m *Memory) moved(size uint64) []byte {
	room := make([]byte, min(max(size, uint64(len(m.bytes))/4*5), m.limit))
	copy(room, m.bytes)
	return room
}

// contain makes an error of a panic: of make, which refuses what addresses of 32 bits don't reach.
func contain(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("%w: %v", ErrMemory, v)
	}
}

// Free is how the engine says that it is done with the memory. Calls may still be on their way out, so that it stays as it is;
// it only doesn't grow any more. See the package for who closes it.
func (m *Memory) Free() { m.freed = true }

// Freed reports whether Free or Close was called.
func (m *Memory) Freed() bool { return m.freed }

// Close gives the memory back to the system. Nothing may touch it afterwards: see the package. A second Close returns nil.
//
// Errors: [ErrMemory] if the system doesn't take it, which then counts as mapped for ever.
func (m *Memory) Close() error {
	region := m.region
	m.region, m.bytes, m.freed = nil, nil, true
	if !m.mapped || region == nil {
		return nil
	}
	if err := m.from.system.release(region); err != nil {
		return fmt.Errorf("%w: unmapping %d bytes: %w", ErrMemory, len(region), err)
	}
	m.from.unmapped.Add(1)
	return nil
}
