package rows

// P5b: sha256 of 1 KiB with its result, in tasks per second on all processors, over callers that run a sync.Pool of instances
// themselves behind a semaphore.
//
// The callers, eight for each processor, are the same on both sides: each has task after task done and takes the 32 bytes of
// the digest. The pool has a worker for each processor and is asked with Call and a context that can end. It is least-loaded:
// in turn, all callers may come to wait for one worker while the other has nothing to do. Theirs take a permit, of which there
// is one for each processor, an instance, and give both back: no queue, and a guest that fails takes its instance with it. The
// row with the aim is over plain wazero, which can't be stopped; "stoppable" is over wazero's own close-on-context-done, with
// the same context.

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/JairusSW/pool/bench/internal/measure"
)

const (
	callersEach = 8  // callers for each processor
	digestBytes = 32 // of a SHA-256
)

func callerRows(g Guests) []measure.Row {
	row := func(name, what string, aim measure.Aim, how direct.Interruption) measure.Row {
		return rateRow(name, "callers", what, aim,
			func(b *measure.Bench) (measure.Timed, error) { return calls(b, g.SHA256) },
			func(b *measure.Bench) (measure.Timed, error) { return selfServed(b, g.SHA256, how) })
	}
	plain := row("P5b sha256", "digests, over callers with a semaphore, not stoppable", measure.AtLeast(.95), direct.Plain)
	plain.Without = barestCallers(g.SHA256)
	return []measure.Row{
		plain,
		row("P5b sha256 stoppable", "digests, over callers with a semaphore, wazero's own interruption", measure.Aim{}, direct.Stoppable),
	}
}

// calls is n Calls to a pool.
func calls(b *measure.Bench, guest []byte) (measure.Timed, error) {
	h, p, err := openPool(b, guest, pool.PoolOptions{Strategy: pool.LeastLoaded, MinWorkers: uint32(processors())})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(b.Context)
	b.OnClose(func() error { cancel(); return nil })
	f := &failure{}
	task := pool.Task{Tag: 1, Payload: kilobyte}
	return func(n int) (took time.Duration, err error) {
		err = h.WithPools(func(s pool.Service) (err error) {
			took, err = measure.Clock(func() error {
				return byCallers(n, each(func() {
					digest, err := s.Call(ctx, p.ID, task)
					if err == nil && len(digest) != digestBytes {
						err = errors.New("a digest is not whole")
					}
					f.note(err)
				}))
			})
			return err
		})
		return took, errors.Join(err, f.err())
	}, nil
}

// selfServed is n digests by callers that run the guests themselves.
func selfServed(b *measure.Bench, guest []byte, how direct.Interruption) (measure.Timed, error) {
	e, err := openDirect(b, guest, how)
	if err != nil {
		return nil, err
	}
	ctx := b.Context
	if how == direct.Stoppable {
		stoppable, cancel := context.WithCancel(ctx)
		b.OnClose(func() error { cancel(); return nil })
		ctx = stoppable
	}
	f := &failure{}
	ready := instancePool(ctx, e, f)
	permits := make(chan struct{}, processors())
	one := func() {
		permits <- struct{}{}
		if in, ok := ready.Get().(*direct.Instance); ok {
			var digest [digestBytes]byte
			f.note(digestOf(ctx, in, kilobyte, digest[:]))
			ready.Put(in)
		}
		<-permits
	}
	return func(n int) (time.Duration, error) {
		took, err := measure.Clock(func() error { return byCallers(n, each(one)) })
		return took, errors.Join(err, f.err())
	}, nil
}

func digestOf(ctx context.Context, in *direct.Instance, payload, into []byte) error {
	at, err := in.Do(ctx, payload)
	if err != nil {
		return err
	}
	return in.Result(into, at)
}

// each has every caller do the same.
func each(do func()) func() func() { return func() func() { return do } }

// byCallers has the callers do n tasks together, each about as many as the others, and each in its own way.
func byCallers(n int, caller func() func()) error {
	var working sync.WaitGroup
	for _, share := range dealt(n, callersEach*processors()) {
		working.Go(func() {
			do := caller()
			for range share {
				do()
			}
		})
	}
	working.Wait()
	return nil
}
