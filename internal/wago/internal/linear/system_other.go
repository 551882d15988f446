//go:build !linux

package linear

import "errors"

const onLinux = false

func (kernel) reserve(uint64, uint64) ([]byte, error) { return nil, errors.ErrUnsupported }

func (kernel) commit([]byte) error { return errors.ErrUnsupported }

func (kernel) release([]byte) error { return errors.ErrUnsupported }
