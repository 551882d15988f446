package binfmt

import "fmt"

// Reader walks bytes. The first failure sticks: every later read returns zero.
// Not safe for concurrent use.
type Reader struct {
	b    []byte
	pos  int
	base int // where b begins in the module
	err  error
}

// NewReader returns a reader of b, which it doesn't copy.
func NewReader(b []byte) *Reader { return &Reader{b: b} }

// Pos returns how many bytes were read.
func (r *Reader) Pos() int { return r.pos }

// Err returns the first failure, which wraps [ErrMalformed], or nil.
func (r *Reader) Err() error { return r.err }

func (r *Reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s at offset %d", ErrMalformed, what, r.base+r.pos)
	}
}

// Done reports whether nothing is left to read, or a read has failed.
func (r *Reader) Done() bool { return r.err != nil || r.pos >= len(r.b) }

// finish returns the reader's error, which it makes one of if bytes are left.
func (r *Reader) finish() error {
	if !r.Done() {
		r.fail("bytes too many")
	}
	return r.err
}

// Byte reads a byte.
func (r *Reader) Byte() byte {
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

// Take reads n bytes and returns them, not a copy.
func (r *Reader) Take(n uint32) []byte {
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

func (r *Reader) rest() { r.pos = len(r.b) }

// sub returns a reader for the next n bytes, which r passes over.
func (r *Reader) sub(n uint32) *Reader {
	base := r.base + r.pos
	return &Reader{b: r.Take(n), base: base}
}

// U32 reads an unsigned LEB128 number of at most 32 bits.
func (r *Reader) U32() uint32 {
	var v uint32
	for shift := 0; shift < 35; shift += 7 {
		c := r.Byte()
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

// SkipLEB passes over a signed or unsigned LEB128 number of up to 64 bits.
func (r *Reader) SkipLEB() {
	for range 10 {
		if r.Byte() < 0x80 {
			return
		}
	}
	r.fail("number too long")
}

func (r *Reader) name() string { return string(r.Take(r.U32())) }

// vec reads a count and calls item that often, while nothing fails.
func (r *Reader) vec(item func()) {
	n := r.U32()
	if uint64(n) > uint64(len(r.b)-r.pos) { // no item is shorter than a byte
		r.fail("count beyond the end")
	}
	for ; n > 0 && r.err == nil; n-- {
		item()
	}
}
