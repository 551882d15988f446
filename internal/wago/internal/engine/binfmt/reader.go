package binfmt

import "fmt"

// reader walks bytes. The first failure sticks: every later read returns zero.
type reader struct {
	b    []byte
	pos  int
	base int // where b begins in the module
	err  error
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s at offset %d", ErrMalformed, what, r.base+r.pos)
	}
}

func (r *reader) done() bool { return r.err != nil || r.pos >= len(r.b) }

// finish returns the reader's error, which it makes one of if bytes are left.
func (r *reader) finish() error {
	if !r.done() {
		r.fail("bytes too many")
	}
	return r.err
}

func (r *reader) byte() byte {
	if r.err == nil && r.pos >= len(r.b) {
		r.fail("unexpected end")
	}
	if r.err != nil {
		return 0
	}
	c := r.b[r.pos]
	r.pos++
	return c
}

func (r *reader) take(n uint32) []byte {
	if r.err == nil && uint64(n) > uint64(len(r.b)-r.pos) {
		r.fail("unexpected end")
	}
	if r.err != nil {
		return nil
	}
	out := r.b[r.pos : r.pos+int(n)]
	r.pos += int(n)
	return out
}

func (r *reader) rest() { r.pos = len(r.b) }

// sub returns a reader for the next n bytes, which r passes over.
func (r *reader) sub(n uint32) *reader {
	base := r.base + r.pos
	return &reader{b: r.take(n), base: base}
}

// u32 reads an unsigned LEB128 number of at most 32 bits.
func (r *reader) u32() uint32 {
	var v uint32
	for shift := 0; shift < 35; shift += 7 {
		c := r.byte()
		if shift == 28 && c > 0x0f {
			break
		}
		v |= uint32(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
	r.fail("number too long")
	return 0
}

// skipLEB passes over a signed or unsigned LEB128 number of up to 64 bits.
func (r *reader) skipLEB() {
	for range 10 {
		if r.byte() < 0x80 {
			return
		}
	}
	r.fail("number too long")
}

func (r *reader) name() string { return string(r.take(r.u32())) }

// vec reads a count and calls item that often, while nothing fails.
func (r *reader) vec(item func()) {
	n := r.u32()
	if uint64(n) > uint64(len(r.b)-r.pos) { // no item is shorter than a byte
		r.fail("count beyond the end")
	}
	for ; n > 0 && r.err == nil; n-- {
		item()
	}
}
