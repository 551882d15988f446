package rows

// P5, and the rows "alternative": tasks through a pool over tasks through what users write today, in tasks per second. Both
// sides are as in P4; theirs is always plain wazero, which is fastest and can't be stopped. None of the alternatives bounds its
// queue in bytes, isolates a failure, restarts what died, times out, counts, or can say what became of a task.
//
// "instance-per-task": as many goroutines as processors, each instantiates the compiled guest, does one task, closes it.
// "ants": a sync.Pool of instances, used from the goroutines of an ants pool. "direct": the same sync.Pool, used by as many
// goroutines as processors, which just count tasks off: there is no queue at all. "conc": the same sync.Pool from conc's pool.
// "semaphore": the same from a goroutine for each task, held back by a channel. Ants, conc and the semaphore may have eight
// goroutines for each processor, which is where they are fastest here. Exports are looked up once for an instance; one function
// value serves all tasks.

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/panjf2000/ants/v2"
	"github.com/sourcegraph/conc/pool"

	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/JairusSW/pool/bench/internal/measure"
)

// way is a way to have n tasks done without this project, by a function that does one. It returns when all are.
type way func(n int, do func())

func todayRows(g Guests) []measure.Row {
	return []measure.Row{
		rateRow("P5 instance-per-task", "instances", "tasks, over an instance for each", measure.AtLeast(20), pipelineOf(g.Trivial),
			func(b *measure.Bench) (measure.Timed, error) { return instances(b, g.Trivial, smallPayload) }),
		pooledRow("P5 ants", "ants", measure.AtLeast(1), g.Trivial, smallPayload, openAnts),
		pooledRow("P5 ants microsecond", "ants", measure.AtLeast(1), g.Microsecond, smallPayload, openAnts),
	}
}

func alternativeRows(g Guests) (rows []measure.Row) {
	ways := []struct {
		name string
		open func(*measure.Bench) (way, error)
	}{{"direct", always(directly)}, {"conc", always(throughConc)}, {"semaphore", always(throughSemaphore)}, {"ants", openAnts}}
	for _, w := range ways[:3] {
		rows = append(rows, pooledRow("alternative "+w.name, w.name, measure.Aim{}, g.Trivial, smallPayload, w.open))
	}
	for _, w := range ways {
		rows = append(rows, pooledRow("alternative "+w.name+" sha256", w.name, measure.Aim{}, g.SHA256, kilobyte, w.open))
	}
	return append(rows, rateRow("alternative instance-per-task sha256", "instances", "tasks, over an instance for each", measure.Aim{},
		func(b *measure.Bench) (measure.Timed, error) { return pipeline(b, g.SHA256, processors(), kilobyte) },
		func(b *measure.Bench) (measure.Timed, error) { return instances(b, g.SHA256, kilobyte) }))
}

// kilobyte is what sha256 is given.
var kilobyte = make([]byte, 1024)

// processors is how many goroutines can run at once.
func processors() int { return runtime.GOMAXPROCS(0) }

// helpers is how many goroutines ants, conc and the semaphore may have.
func helpers() int { return 8 * processors() }

func pooledRow(name, theirName string, aim measure.Aim, guest, payload []byte, open func(*measure.Bench) (way, error)) measure.Row {
	return rateRow(name, theirName, "tasks, over a sync.Pool of instances", aim,
		func(b *measure.Bench) (measure.Timed, error) { return pipeline(b, guest, processors(), payload) },
		func(b *measure.Bench) (measure.Timed, error) { return pooled(b, guest, payload, open) })
}

// instances is n tasks, each in an instance of its own.
func instances(b *measure.Bench, guest, payload []byte) (measure.Timed, error) {
	e, err := openDirect(b, guest, direct.Plain)
	if err != nil {
		return nil, err
	}
	f := &failure{}
	do := func() { f.note(oneTask(b.Context, e, payload)) }
	return func(n int) (time.Duration, error) {
		took, err := measure.Clock(func() error { directly(n, do); return f.err() })
		return took, err
	}, nil
}

func oneTask(ctx context.Context, e *direct.Engine, payload []byte) error {
	in, err := e.New(ctx)
	if err != nil {
		return err
	}
	if _, err := in.Do(ctx, payload); err != nil {
		return err
	}
	return in.Close(ctx)
}

// pooled is n tasks in the instances of a sync.Pool.
func pooled(b *measure.Bench, guest, payload []byte, open func(*measure.Bench) (way, error)) (measure.Timed, error) {
	w, err := open(b)
	if err != nil {
		return nil, err
	}
	e, err := openDirect(b, guest, direct.Plain)
	if err != nil {
		return nil, err
	}
	f := &failure{}
	ready := instancePool(b.Context, e, f)
	do := func() {
		in, ok := ready.Get().(*direct.Instance)
		if !ok {
			return // noted
		}
		_, err := in.Do(b.Context, payload)
		f.note(err)
		ready.Put(in)
	}
	return func(n int) (time.Duration, error) {
		took, err := measure.Clock(func() error { w(n, do); return f.err() })
		return took, err
	}, nil
}

func instancePool(ctx context.Context, e *direct.Engine, f *failure) *sync.Pool {
	return &sync.Pool{New: func() any {
		in, err := e.New(ctx)
		if err != nil {
			f.note(err)
			return nil
		}
		return in
	}}
}

// always is a way that needs nothing made ready.
func always(w way) func(*measure.Bench) (way, error) {
	return func(*measure.Bench) (way, error) { return w, nil }
}

// directly has as many goroutines as processors count the tasks off.
func directly(n int, do func()) {
	var next atomic.Int64
	var working sync.WaitGroup
	for range processors() {
		working.Go(func() {
			for next.Add(1) <= int64(n) {
				do()
			}
		})
	}
	working.Wait()
}

// leaving is how long the goroutines of an ants pool, which have nothing left to do, may take to end.
const leaving = 10 * time.Second

func openAnts(b *measure.Bench) (way, error) {
	p, err := ants.NewPool(helpers(), ants.WithPreAlloc(true), ants.WithDisablePurge(true))
	if err != nil {
		return nil, err
	}
	b.OnClose(func() error { return p.ReleaseTimeout(leaving) })
	return func(n int, do func()) {
		var left sync.WaitGroup
		left.Add(n)
		task := func() { do(); left.Done() }
		for range n {
			_ = p.Submit(task) // fails for a pool that was released only
		}
		left.Wait()
	}, nil
}

func throughConc(n int, do func()) {
	p := pool.New().WithMaxGoroutines(helpers())
	for range n {
		p.Go(do)
	}
	p.Wait()
}

func throughSemaphore(n int, do func()) {
	permits := make(chan struct{}, helpers())
	var left sync.WaitGroup
	left.Add(n)
	task := func() { do(); <-permits; left.Done() }
	for range n {
		permits <- struct{}{}
		go task()
	}
	left.Wait()
}
