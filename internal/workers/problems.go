package workers

import (
	"errors"
	"fmt"
)

const problemsKept = 16

// problems are errors that nobody was there to return. The first few are kept, the rest is counted. Not safe for concurrent
// use; its owner guards it.
type problems struct {
	kept []error
	more uint64
}

func (p *problems) add(err error) {
	if len(p.kept) < problemsKept {
		p.kept = append(p.kept, err)
		return
	}
	p.more++
}

func (p *problems) join() error {
	if p.more == 0 {
		return errors.Join(p.kept...)
	}
	return errors.Join(append(p.kept, fmt.Errorf("and %d more", p.more))...)
}
