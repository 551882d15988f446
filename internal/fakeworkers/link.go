package fakeworkers

import (
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Link ties the worker's life to its creator's, who must be the caller.
func (p plain) Link(caller wago.HostModule, id workers.WorkerID) error {
	f := p.f
	c, err := f.live(caller)
	if err != nil {
		return err
	}
	if id != 0 {
		if err := refuses(f.hooked().Link, id); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.workers[id]
	switch {
	case w == nil:
		return workers.ErrWorkerNotFound
	case w.in.creator != c.of:
		return workers.ErrInvalidWorkerLink
	case isClosed(c.of.closing):
		return workers.ErrWorkerParentClosed
	case w.cause != nil || w.ended:
		return workers.ErrWorkerStopping
	}
	w.linked = true
	return nil
}
