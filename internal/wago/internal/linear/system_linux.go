package linear

import (
	"errors"
	"syscall"
)

const onLinux = true

const (
	accessible = syscall.PROT_READ | syscall.PROT_WRITE
	private    = syscall.MAP_PRIVATE | syscall.MAP_ANON | syscall.MAP_NORESERVE
)

// hugePage is the least that the kernel could back by one page, if it were let.
const hugePage = 2 << 20

func (k kernel) reserve(n, size uint64) ([]byte, error) {
	protection := syscall.PROT_NONE
	if size == n {
		protection = accessible
	}
	region, err := syscall.Mmap(-1, 0, int(n), protection, private)
	if err != nil {
		return nil, err
	}
	if n >= hugePage {
		_ = syscall.Madvise(region, syscall.MADV_NOHUGEPAGE) // fails where the kernel knows of none
	}
	if protection == accessible {
		return region, nil
	}
	if err := k.commit(region[:size]); err != nil {
		return nil, errors.Join(err, k.release(region))
	}
	return region, nil
}

func (kernel) commit(part []byte) error {
	if len(part) == 0 {
		return nil
	}
	return syscall.Mprotect(part, accessible)
}

func (kernel) release(region []byte) error { return syscall.Munmap(region) }
