package conformance

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/wago-org/wago"
)

// patience is how long a check waits for a call that has to return.
const patience = 10 * time.Second

// world is a kit with an owner, and a record of what guests took and of what the service reports.
type world struct {
	*pooltest.Kit
	t     testing.TB
	owner *pooltest.Owner
	over  chan struct{} // closed when the check is

	mu     sync.Mutex
	takes  []take           // guarded by mu: in the order in which guests took them
	events []pool.PoolEvent // guarded by mu
}

// take is a task in a guest's hand.
type take struct {
	worker  pool.WorkerID
	task    pool.Task
	payload string
}

func newWorld(t testing.TB, kit *pooltest.Kit) *world {
	t.Helper()
	w := &world{Kit: kit, t: t, over: make(chan struct{})}
	w.does(nil)
	w.owner = w.Owner(pooltest.Loop)
	_, err := w.Service.ObserveEvents(func(e *pool.PoolEvent) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.events = append(w.events, *e)
	})
	w.must("ObserveEvents", err)
	return w
}

// does sets what workers do with the tasks they take; nil: nothing special. What they take is recorded.
func (w *world) does(b pooltest.Behaviour) {
	w.Behave(func(worker *pooltest.Worker, task pool.Task) pooltest.Act {
		w.mu.Lock()
		w.takes = append(w.takes, take{worker: worker.ID, task: task, payload: string(task.Payload)})
		w.mu.Unlock()
		if b == nil {
			return pooltest.GoOn
		}
		return b(worker, task)
	})
}

// shut has workers keep their tasks until the gate opens.
func (w *world) shut() *pooltest.Gate {
	gate := pooltest.NewGate()
	w.does(gate.Hold)
	return gate
}

// taken returns what guests took, by one worker or, for zero, by any.
func (w *world) taken(worker pool.WorkerID) []take {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.takes), func(t take) bool { return worker != 0 && t.worker != worker })
}

func (w *world) tags(worker pool.WorkerID) (tags []uint64) {
	for _, t := range w.taken(worker) {
		tags = append(tags, t.task.Tag)
	}
	return tags
}

// of returns the events of a kind so far.
func (w *world) of(kind pool.PoolEventKind) []pool.PoolEvent {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.events), func(e pool.PoolEvent) bool { return e.Kind != kind })
}

// reported waits for n events of a kind, and holds that there are no more.
func (w *world) reported(kind pool.PoolEventKind, n int) []pool.PoolEvent {
	w.t.Helper()
	w.Eventually(kind.String()+" events", func() bool { return len(w.of(kind)) >= n })
	events := w.of(kind)
	w.same("number of "+kind.String()+" events", n, len(events))
	return events
}

// submit gives one task after the other to a pool.
func (w *world) submit(id pool.PoolID, tags ...uint64) {
	w.t.Helper()
	for _, tag := range tags {
		_, err := w.Service.Submit(id, tag, nil)
		w.must("Submit", err)
	}
}

// running waits until n tasks of a pool are in hand.
func (w *world) running(id pool.PoolID, n uint64) pool.PoolStats {
	w.t.Helper()
	return w.Until(id, "tasks in hand", func(s pool.PoolStats) bool { return s.Running == n })
}

// exited waits until n workers of a pool have ended.
func (w *world) exited(id pool.PoolID, n uint64) pool.PoolStats {
	w.t.Helper()
	return w.Until(id, "workers that have ended", func(s pool.PoolStats) bool { return s.Exited == n })
}

// full creates a pool of one worker that has a task in hand, tag 1, and no room for more than the one in its mailbox, tag 2.
func (w *world) full(options pool.PoolOptions) (pool.PoolID, *pooltest.Gate) {
	w.t.Helper()
	gate := w.shut()
	options.Worker.QueueCapacity = 1
	id := w.owner.Create(options)
	w.submit(id, 1)
	w.running(id, 1)
	w.submit(id, 2)
	return id, gate
}

// held has a worker of the pool take a task and returns it in its host call, so that its caller can be used; it stays there
// until it is told how to go on.
func (w *world) held(id pool.PoolID, tag uint64) (*pooltest.Worker, func(pooltest.Act)) {
	w.t.Helper()
	here, acts := make(chan *pooltest.Worker, 1), make(chan pooltest.Act, 1)
	w.does(func(worker *pooltest.Worker, task pool.Task) pooltest.Act {
		if task.Tag != tag {
			return pooltest.GoOn
		}
		here <- worker
		select {
		case act := <-acts:
			return act
		case <-w.over:
			return pooltest.Return
		}
	})
	w.submit(id, tag)
	w.running(id, 1)
	return receive(w, here), func(act pooltest.Act) { acts <- act }
}

// async runs f on a goroutine and returns a channel that closes when it has returned. f must not end the test.
func (w *world) async(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

// finishes runs f on a goroutine and waits until it has returned.
func (w *world) finishes(what string, f func()) {
	w.t.Helper()
	w.returns(what, w.async(f))
}

// returns waits for the channel to close.
func (w *world) returns(what string, done <-chan struct{}) {
	w.t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		w.t.Fatalf("%s does not return", what)
	}
}

// receive waits for a value.
func receive[T any](w *world, c <-chan T) (value T) {
	w.t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case value = <-c:
	case <-timer.C:
		w.t.Fatalf("nothing comes")
	}
	return value
}

// waits holds that the channel is open although everything is blocked. Only for bubbles.
func (w *world) waits(what string, done <-chan struct{}) {
	w.t.Helper()
	synctest.Wait()
	select {
	case <-done:
		w.t.Fatalf("%s does not wait", what)
	default:
	}
}

// forged is a caller that no host made.
type forged struct{}

func (forged) Memory() []byte { return nil }

// badCallers returns callers that nobody may use, by name.
func (w *world) badCallers() map[string]wago.HostModule {
	w.t.Helper()
	expired := w.Owner(pooltest.Loop)
	expired.Leave()
	return map[string]wago.HostModule{"nil": nil, "made up": forged{}, "expired": expired.Caller}
}
