package linear

// system is what maps memory: the kernel, or a test's idea of it.
type system interface {
	// reserve returns n bytes of addresses, of which the first size can be accessed and are zero.
	reserve(n, size uint64) ([]byte, error)
	// commit makes a further part of what was reserved accessible; it begins with zeros.
	commit(part []byte) error
	// release takes back all that reserve returned.
	release(region []byte) error
}

// kernel is the real one.
type kernel struct{}
