package wago

import (
	"encoding/binary"
	"math"

	"github.com/wago-org/wago/internal/engine"
)

// borrow runs use while the guest can't run: no call is in progress and none can begin, or the innermost one waits in a host
// function that can't return. use must not block or call anything of the embedder or a plugin.
func (in *Instance) borrow(use func(*engine.Instance) error) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	guest := in.guest.Load()
	if guest == nil || in.releasing {
		return ErrInstanceClosed
	}
	if in.top.Load() != nil {
		paused, err := in.pauseLocked()
		if err != nil {
			return err
		}
		defer in.resumeLocked(paused)
	}
	return use(guest)
}

// Memory is memory 0 of an instance. Get one from [Instance.Memory].
//
// Safe for concurrent use: see [Instance.Read].
type Memory struct{ in *Instance }

// Memory returns memory 0, nil when the guest has none.
func (in *Instance) Memory() *Memory {
	if in == nil {
		return nil
	}
	if _, ok := in.module.compiled.code.Memory(); !ok {
		return nil
	}
	return &Memory{in}
}

// Bytes returns a copy of the whole memory, nil when it can't be read: see [Instance.Read].
func (m *Memory) Bytes() []byte {
	var copied []byte
	_ = m.in.borrow(func(guest *engine.Instance) error {
		copied = append([]byte{}, guest.Memory()...)
		return nil
	})
	return copied
}

// Pages returns the memory's size in pages of 64 KiB, 0 when it can't be read.
func (m *Memory) Pages() uint32 {
	pages := 0
	_ = m.in.borrow(func(guest *engine.Instance) error {
		pages = len(guest.Memory()) / pageBytes
		return nil
	})
	return uint32(pages)
}

// Read returns a copy of n bytes of memory 0 at off. It returns false when they aren't all there, when the instance has been
// released, and while the guest runs. It works from inside a host function of the guest, and after a trap.
//
// Safe for concurrent use.
func (in *Instance) Read(off, n uint32) ([]byte, bool) {
	var copied []byte
	return copied, in.access(off, uint64(n), func(b []byte) { copied = append([]byte{}, b...) })
}

// Write copies b into memory 0 at off. It returns false, with nothing written, for the reasons of [Instance.Read].
//
// Safe for concurrent use.
func (in *Instance) Write(off uint32, b []byte) bool {
	return in.access(off, uint64(len(b)), func(dst []byte) { copy(dst, b) })
}

func (in *Instance) access(off uint32, n uint64, use func([]byte)) bool {
	ok := false
	err := in.borrow(func(guest *engine.Instance) error {
		memory := guest.Memory()
		end := uint64(off) + n
		if ok = memory != nil && end <= uint64(len(memory)); ok {
			use(memory[off:end])
		}
		return nil
	})
	return err == nil && ok
}

// ReadUint8 reads one byte; false as for [Instance.Read].
func (in *Instance) ReadUint8(off uint32) (v byte, ok bool) {
	ok = in.access(off, 1, func(b []byte) { v = b[0] })
	return v, ok
}

// ReadUint16Le reads two bytes, low byte first; false as for [Instance.Read].
func (in *Instance) ReadUint16Le(off uint32) (v uint16, ok bool) {
	ok = in.access(off, 2, func(b []byte) { v = binary.LittleEndian.Uint16(b) })
	return v, ok
}

// ReadUint32Le reads four bytes, low byte first; false as for [Instance.Read].
func (in *Instance) ReadUint32Le(off uint32) (v uint32, ok bool) {
	ok = in.access(off, 4, func(b []byte) { v = binary.LittleEndian.Uint32(b) })
	return v, ok
}

// ReadUint64Le reads eight bytes, low byte first; false as for [Instance.Read].
func (in *Instance) ReadUint64Le(off uint32) (v uint64, ok bool) {
	ok = in.access(off, 8, func(b []byte) { v = binary.LittleEndian.Uint64(b) })
	return v, ok
}

// ReadFloat32Le reads a float; false as for [Instance.Read].
func (in *Instance) ReadFloat32Le(off uint32) (float32, bool) {
	v, ok := in.ReadUint32Le(off)
	return math.Float32frombits(v), ok
}

// ReadFloat64Le reads a double; false as for [Instance.Read].
func (in *Instance) ReadFloat64Le(off uint32) (float64, bool) {
	v, ok := in.ReadUint64Le(off)
	return math.Float64frombits(v), ok
}

// WriteUint8 writes one byte; false as for [Instance.Write].
func (in *Instance) WriteUint8(off uint32, v byte) bool { return in.Write(off, []byte{v}) }

// WriteUint16Le writes two bytes, low byte first; false as for [Instance.Write].
func (in *Instance) WriteUint16Le(off uint32, v uint16) bool {
	return in.Write(off, binary.LittleEndian.AppendUint16(nil, v))
}

// WriteUint32Le writes four bytes, low byte first; false as for [Instance.Write].
func (in *Instance) WriteUint32Le(off uint32, v uint32) bool {
	return in.Write(off, binary.LittleEndian.AppendUint32(nil, v))
}

// WriteUint64Le writes eight bytes, low byte first; false as for [Instance.Write].
func (in *Instance) WriteUint64Le(off uint32, v uint64) bool {
	return in.Write(off, binary.LittleEndian.AppendUint64(nil, v))
}

// WriteFloat32Le writes a float; false as for [Instance.Write].
func (in *Instance) WriteFloat32Le(off uint32, v float32) bool {
	return in.WriteUint32Le(off, math.Float32bits(v))
}

// WriteFloat64Le writes a double; false as for [Instance.Write].
func (in *Instance) WriteFloat64Le(off uint32, v float64) bool {
	return in.WriteUint64Le(off, math.Float64bits(v))
}
