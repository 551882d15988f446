package host

import (
	"context"
	"sync"

	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/wago-org/wago"
)

// Loop is the hand-written alternative on this host: instances that take tasks from one buffered Go channel in their host
// call, one goroutine each.
//
// Not safe for concurrent use.
type Loop struct {
	h         *Host
	instances []*wago.Instance
	tasks     chan direct.Task
	working   sync.WaitGroup
	fail      sync.Once
	err       error // of the first instance that failed; read when working is over
}

// NewLoop makes the instances.
func (h *Host) NewLoop(ctx context.Context, n int) (*Loop, error) {
	l := &Loop{h: h}
	h.server = l
	for range n {
		in, err := h.Runtime.Instantiate(ctx, h.Module)
		if err != nil {
			return nil, err
		}
		l.instances = append(l.instances, in)
	}
	return l, nil
}

// Start has every instance take tasks from the channel that it returns, which has room for so many, until it is closed.
func (l *Loop) Start(ctx context.Context, room int) chan<- direct.Task {
	l.tasks = make(chan direct.Task, room)
	for _, in := range l.instances {
		l.working.Go(func() {
			if _, err := in.InvokeContext(ctx, "serve"); err != nil {
				l.fail.Do(func() { l.err = err })
			}
		})
	}
	return l.tasks
}

// Wait waits, after the channel was closed, until every task is done.
func (l *Loop) Wait() error {
	l.working.Wait()
	return l.err
}

func (l *Loop) next(_ wago.HostModule, buffer []byte) int32 {
	task, ok := <-l.tasks
	if !ok {
		return goHome
	}
	return int32(copy(buffer, task.Payload))
}

func (l *Loop) reply(wago.HostModule, []byte) {}
