package inspect

import "fmt"

// FormatError says where a module's binary form ends to make sense.
type FormatError struct {
	Offset int // in the module (bytes)
	What   string
}

// Error names the place and what was expected there.
func (e *FormatError) Error() string {
	if e.Offset == 0 {
		return "not a WebAssembly module: " + e.What
	}
	return fmt.Sprintf("not a WebAssembly module: %s at byte %d", e.What, e.Offset)
}

// decoder reads the binary format. The first error stays and everything read after it is zero.
type decoder struct {
	data   []byte
	offset int // of data in the module
	at     int
	err    error
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = &FormatError{Offset: d.offset + d.at, What: what}
	}
}

func (d *decoder) more() bool { return d.err == nil && d.at < len(d.data) }

func (d *decoder) byte() byte {
	if !d.more() {
		d.fail("unexpected end")
		return 0
	}
	b := d.data[d.at]
	d.at++
	return b
}

func (d *decoder) bytes(n uint64) []byte {
	if d.err != nil || n > uint64(len(d.data)-d.at) {
		d.fail("unexpected end")
		return nil
	}
	b := d.data[d.at:][:n]
	d.at += int(n)
	return b
}

// uint reads an unsigned LEB128 number of at most 64 bits.
func (d *decoder) uint() uint64 {
	var n uint64
	for shift := 0; shift < 64; shift += 7 {
		b := d.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	d.fail("number too long")
	return 0
}

// int reads a signed LEB128 number of at most 64 bits.
func (d *decoder) int() int64 {
	var n int64
	for shift := 0; shift < 64; {
		b := d.byte()
		n |= int64(b&0x7f) << shift
		shift += 7
		if b < 0x80 {
			if b&0x40 != 0 && shift < 64 {
				n |= -1 << shift
			}
			return n
		}
	}
	d.fail("number too long")
	return 0
}

func (d *decoder) name() string { return string(d.bytes(d.uint())) }

// count reads the length of a list. No list is longer than the bytes that are left.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.data)-d.at) {
		d.fail("list too long")
		return 0
	}
	return int(n)
}

// section reads a length and returns a decoder of as many bytes.
func (d *decoder) section() *decoder {
	size := d.uint()
	offset := d.offset + d.at
	return &decoder{data: d.bytes(size), offset: offset, err: d.err}
}

func (d *decoder) limits() Limits {
	flags := d.byte()
	l := Limits{Min: d.uint(), HasMax: flags&1 != 0}
	if l.HasMax {
		l.Max = d.uint()
	}
	return l
}

func (d *decoder) types() []ValType {
	types := make([]ValType, 0, 4)
	for range d.count() {
		types = append(types, ValType(d.byte()))
	}
	return types
}
