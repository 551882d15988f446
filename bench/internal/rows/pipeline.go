package rows

// P4: tasks through a pool over tasks through a hand-written loop, in tasks per second.
//
// The loop is a goroutine and an instance for each worker, on one buffered Go channel, which is faster here than one for each.
// One producer on both sides; as many workers as there are processors; room for 1 024 tasks a worker; 16 bytes, copied into the
// guest. The clock runs from the first task given to the last one done. The pool's side is SubmitTask, and SubmitWait when that is
// refused because everybody is full, inside one lease of Pool.
//
// The rows with an aim have the same interruption on both sides, once each way there is to have it: a loop on this host, whose
// guests are compiled and called just like the pool's, and a loop on wazero itself with its close-on-context-done and a context
// that can end. In both the guest takes its next task in a host call, as a pool's worker does, so that it is one guest call for
// all tasks; a call for each task would cost a goroutine each. "plain" is wazero without any interruption: what spins there
// can't be stopped, and stops the process. There the goroutine takes the task and calls the guest for it, which is faster.

import (
	"context"
	"sync"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/JairusSW/pool/bench/internal/measure"
)

// room is how many tasks may wait for each worker.
const room = 1024

func pipelineRows(g Guests) (rows []measure.Row) {
	for _, guest := range []struct {
		name string
		code []byte
		aim  float64
	}{{"trivial", g.Trivial, .25}, {"microsecond", g.Microsecond, .7}} {
		rows = append(rows,
			rateRow("P4 "+guest.name, "loop", "tasks, over a hand-written loop on this host", measure.AtLeast(guest.aim),
				pipelineOf(guest.code), func(b *measure.Bench) (measure.Timed, error) { return hostLoop(b, guest.code) }),
			rateRow("P4 "+guest.name+" wazero", "loop", "tasks, over a hand-written loop on wazero, stoppable", measure.AtLeast(guest.aim),
				pipelineOf(guest.code), func(b *measure.Bench) (measure.Timed, error) { return directLoop(b, guest.code, direct.Stoppable) }),
			rateRow("P4 "+guest.name+" plain", "loop", "tasks, over a hand-written loop on wazero, not stoppable", measure.Aim{},
				pipelineOf(guest.code), func(b *measure.Bench) (measure.Timed, error) { return directLoop(b, guest.code, direct.Plain) }),
		)
	}
	return rows
}

// side makes one side of a row ready.
type side func(*measure.Bench) (measure.Timed, error)

// rateRow compares a pool with something else, in operations per second.
func rateRow(name, theirName, what string, aim measure.Aim, ours, theirs side) measure.Row {
	return measure.Row{
		Name: name, What: what, Unit: measure.Ratio, Aim: aim,
		Sides: []measure.Side{{Name: "pool", Unit: measure.PerSecond}, {Name: theirName, Unit: measure.PerSecond}},
		Open: func(b *measure.Bench) (measure.Round, error) {
			our, err := ours(b)
			if err != nil {
				return nil, err
			}
			their, err := theirs(b)
			if err != nil {
				return nil, err
			}
			return b.RateOver(our, their)
		},
	}
}

// pipelineOf is n tasks of 16 bytes through a pool with a worker for each processor.
func pipelineOf(guest []byte) side {
	return func(b *measure.Bench) (measure.Timed, error) { return pipeline(b, guest, processors(), smallPayload) }
}

func pipeline(b *measure.Bench, guest []byte, size int, payload []byte) (measure.Timed, error) {
	h, p, err := openPool(b, guest, pool.PoolOptions{
		MinWorkers: uint32(size), Worker: pool.WorkerOptions{QueueCapacity: room, MaxQueueBytes: 4 << 20},
	})
	if err != nil {
		return nil, err
	}
	done := uint64(0)
	return func(n int) (took time.Duration, err error) {
		done += uint64(n)
		err = h.WithPools(func(s pool.Service) (err error) {
			took, err = measure.Clock(func() error { return throughPool(b.Context, s, p, payload, n, done) })
			return err
		})
		return took, err
	}, nil
}

// throughPool submits n tasks and waits until the pool has done so many in its life.
func throughPool(ctx context.Context, s pool.Service, p *host.Pool, payload []byte, n int, done uint64) error {
	task := pool.Task{Tag: 1, Key: 1, Payload: payload}
	for range n {
		_, err := s.SubmitTask(p.ID, task)
		if err == pool.ErrPoolBackpressure {
			_, err = s.SubmitWait(ctx, p.ID, task)
		}
		if err != nil {
			return err
		}
	}
	return untilDone(ctx, s, p.ID, done)
}

// glance is how often somebody who waits for the last tasks of a round looks: it may add so much to the round.
const glance = 20 * time.Microsecond

func untilDone(ctx context.Context, s pool.Service, id pool.PoolID, done uint64) error {
	for {
		stats, err := s.Stats(id)
		if err != nil || stats.Done >= done {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		time.Sleep(glance)
	}
}

// hostLoop is n tasks through the hand-written loop on this host.
func hostLoop(b *measure.Bench, guest []byte) (measure.Timed, error) {
	h, err := openHost(b, guest, host.Bare, 0)
	if err != nil {
		return nil, err
	}
	l, err := h.NewLoop(b.Context, processors())
	if err != nil {
		return nil, err
	}
	return func(n int) (time.Duration, error) {
		return measure.Clock(func() error {
			tasks := l.Start(b.Context, room*processors())
			give(tasks, n)
			close(tasks)
			return l.Wait()
		})
	}, nil
}

// directLoop is n tasks through the hand-written loop on wazero.
func directLoop(b *measure.Bench, guest []byte, how direct.Interruption) (measure.Timed, error) {
	instances, err := directInstances(b, guest, how, processors())
	if err != nil {
		return nil, err
	}
	serve := (*direct.Instance).Serve
	if how == direct.Plain {
		serve = (*direct.Instance).Each
	}
	return func(n int) (time.Duration, error) {
		return measure.Clock(func() error {
			return throughLoop(b.Context, instances, serve, func(tasks chan<- direct.Task) { give(tasks, n) })
		})
	}, nil
}

func directInstances(b *measure.Bench, guest []byte, how direct.Interruption, size int) ([]*direct.Instance, error) {
	e, err := openDirect(b, guest, how)
	if err != nil {
		return nil, err
	}
	instances := make([]*direct.Instance, size)
	for i := range instances {
		if instances[i], err = e.New(b.Context); err != nil {
			return nil, err
		}
	}
	return instances, nil
}

// throughLoop serves what produce puts into the channel.
func throughLoop(
	ctx context.Context, instances []*direct.Instance,
	serve func(*direct.Instance, context.Context, <-chan direct.Task) error, produce func(chan<- direct.Task),
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tasks := make(chan direct.Task, room*len(instances))
	errs := make([]error, len(instances))
	var working sync.WaitGroup
	for i, in := range instances {
		working.Go(func() { errs[i] = serve(in, ctx, tasks) })
	}
	produce(tasks)
	close(tasks)
	working.Wait()
	return first(errs)
}

// give is the hand-written producer.
func give(tasks chan<- direct.Task, n int) {
	task := direct.Task{Tag: 1, Payload: smallPayload}
	for range n {
		tasks <- task
	}
}
