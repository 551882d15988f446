package script

import (
	"fmt"
	"sync"

	"github.com/JairusSW/pool/service"
)

// recorder keeps events, and notices when their numbers have a gap.
//
// Safe for concurrent use.
type recorder struct {
	mu      sync.Mutex
	events  []service.Event // guarded by mu: not printed yet
	lastSeq uint64          // guarded by mu
	gap     error           // guarded by mu: the first
}

func (r *recorder) add(e *service.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Seq != r.lastSeq+1 && r.lastSeq != 0 && e.Kind != service.PoolEventsLost && r.gap == nil {
		r.gap = fmt.Errorf("event %d follows event %d", e.Seq, r.lastSeq)
	}
	r.lastSeq = e.Seq
	r.events = append(r.events, *e)
}

// take returns what was recorded since it was last called.
func (r *recorder) take() ([]service.Event, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	events := r.events
	r.events = nil
	return events, r.gap
}
