package soak

import (
	"fmt"
	"sync"
)

// violationsKept is how many violations are kept in detail: the first ones tell the most.
const violationsKept = 16

// violations are what must not have happened. The first ends the run early.
//
// Safe for concurrent use.
type violations struct {
	found func() // called once, at the first

	mu   sync.Mutex
	kept []error
	more int
}

func (v *violations) add(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.kept) == violationsKept {
		v.more++
		return
	}
	v.kept = append(v.kept, err)
	if len(v.kept) == 1 {
		v.found()
	}
}

func (v *violations) any() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.kept) > 0
}

func (v *violations) all() []error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.more == 0 {
		return v.kept
	}
	return append(v.kept[:len(v.kept):len(v.kept)], fmt.Errorf("and %d more", v.more))
}
