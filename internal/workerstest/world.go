package workerstest

import (
	"bytes"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// patience is how long a check waits for what has to happen.
const patience = 10 * time.Second

// world is a harness with an owner and a record of what the service reports.
type world struct {
	TB
	Harness
	owner Owner
	real  bool
	over  chan struct{} // closed when the check is

	mu    sync.Mutex
	inbox []received // guarded by mu: messages, in the order of their callbacks
	exits []exited   // guarded by mu
}

type received struct {
	worker  workers.WorkerID
	tag     uint64
	payload []byte
}

type exited struct {
	worker workers.WorkerID
	kind   workers.WorkerExitKind
	err    error
}

func newWorld(tb TB, h Harness, real bool) *world {
	w := &world{TB: tb, Harness: h, real: real, over: make(chan struct{})}
	var err error
	w.owner, err = h.Owner()
	require.NoError(tb, err)
	_, err = h.Service().ObserveMessages(w.record)
	require.NoError(tb, err)
	_, err = h.Service().ObserveExits(w.exit)
	require.NoError(tb, err)
	w.Script(Script{Step: w.serve})
	return w
}

func (w *world) record(m *workers.MessageContext) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.inbox = append(w.inbox, received{m.WorkerID, m.Tag, bytes.Clone(m.Payload)})
	return nil
}

func (w *world) exit(x *workers.WorkerExitContext) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.exits = append(w.exits, exited{x.WorkerID, x.Kind, x.Err})
}

// serve is the usual script: it takes messages until DispatchNext fails, and returns.
func (w *world) serve(caller wago.HostModule) Act {
	if err := w.Service().DispatchNext(w.Context(), caller); err != nil {
		return Return
	}
	return Again
}

// once returns a script that runs f in the worker's first host call and serves from then on.
func (w *world) once(f func(caller wago.HostModule) Act) Script {
	var mu sync.Mutex
	seen := map[workers.WorkerID]bool{}
	return Script{Step: func(caller wago.HostModule) Act {
		id, err := w.Service().Current(caller)
		mu.Lock()
		first := err == nil && !seen[id]
		seen[id] = true
		mu.Unlock()
		if first {
			return f(caller)
		}
		return w.serve(caller)
	}}
}

// call runs f in a host call of the owner.
func (w *world) call(f func(caller wago.HostModule)) {
	w.Helper()
	w.callOf(w.owner, f)
}

func (w *world) callOf(owner Owner, f func(caller wago.HostModule)) {
	w.Helper()
	require.NoError(w, owner.Call(f))
}

// spawn starts a worker of the owner with options, defaults without.
func (w *world) spawn(options ...workers.WorkerOptions) workers.WorkerID {
	w.Helper()
	return w.spawnOf(w.owner, options...)
}

func (w *world) spawnOf(owner Owner, options ...workers.WorkerOptions) workers.WorkerID {
	w.Helper()
	id, err := w.trySpawn(owner, options...)
	require.NoError(w, err)
	return id
}

func (w *world) trySpawn(owner Owner, options ...workers.WorkerOptions) (id workers.WorkerID, err error) {
	w.Helper()
	var o workers.WorkerOptions
	if len(options) > 0 {
		o = options[0]
	}
	w.callOf(owner, func(caller wago.HostModule) { id, err = w.Service().Spawn(caller, w.Entry(), o) })
	return id, err
}

// linked starts a worker that is linked to the owner.
func (w *world) linked(owner Owner) workers.WorkerID {
	w.Helper()
	id := w.spawnOf(owner)
	w.callOf(owner, func(caller wago.HostModule) { require.NoError(w, w.Service().Link(caller, id)) })
	return id
}

// newOwner opens one more owner.
func (w *world) newOwner() Owner {
	w.Helper()
	owner, err := w.Owner()
	require.NoError(w, err)
	return owner
}

// settle waits until nothing moves any more. In real time it does nothing: use eventually.
func (w *world) settle() {
	if !w.real {
		synctest.Wait()
	}
}

// eventually waits until the condition holds.
func (w *world) eventually(condition func() bool, what string) {
	w.Helper()
	w.settle()
	if !condition() {
		require.Eventually(w, condition, patience, time.Millisecond, what)
	}
}

// finishes runs f on a goroutine and waits until it has returned.
func (w *world) finishes(what string, f func()) {
	w.Helper()
	w.await(w.async(f), what)
}

// async runs f on a goroutine and returns a channel that closes when it has returned, or has ended its goroutine.
func (w *world) async(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

// await waits for the channel to close.
func (w *world) await(done <-chan struct{}, what string) {
	w.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		require.Fail(w, "still not over: "+what)
	}
}

// closed says whether the channel is closed.
func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// messages returns what has been received: by one worker, or by all for zero.
func (w *world) messages(id workers.WorkerID) []received {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.inbox), func(r received) bool { return id != 0 && r.worker != id })
}

// tags returns the tags of messages.
func (w *world) tags(id workers.WorkerID) []uint64 {
	var tags []uint64
	for _, m := range w.messages(id) {
		tags = append(tags, m.tag)
	}
	return tags
}

func (w *world) exitsOf(id workers.WorkerID) []exited {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.exits), func(x exited) bool { return x.worker != id })
}

// gone waits until the worker has ended, and checks that this was reported once.
func (w *world) gone(id workers.WorkerID) exited {
	w.Helper()
	w.eventually(func() bool { return len(w.exitsOf(id)) > 0 }, "the worker's end")
	exits := w.exitsOf(id)
	require.Len(w, exits, 1, "a worker's end is reported once")
	return exits[0]
}

// killed waits until the worker has ended, killed with cause.
func (w *world) killed(id workers.WorkerID, cause error) {
	w.Helper()
	end := w.gone(id)
	require.Equal(w, workers.WorkerKilled, end.kind)
	require.ErrorIs(w, end.err, cause)
}

// live says that the worker hasn't ended.
func (w *world) live(id workers.WorkerID) {
	w.Helper()
	w.settle()
	require.Empty(w, w.exitsOf(id), "the worker has ended")
}

// gate is a place where scripts wait for the check.
type gate chan struct{}

func (g gate) open() { close(g) }

// pass waits in a script until the channel is closed, or the check is over.
func (w *world) pass(c <-chan struct{}) {
	select {
	case <-c:
	case <-w.over:
	}
}

// receive waits in a check for a value.
func receive[T any](w *world, c <-chan T) (value T) {
	w.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case value = <-c:
	case <-timer.C:
		require.Fail(w, "nothing comes")
	}
	return value
}

// forged is a caller that no host made.
type forged struct{}

func (forged) Memory() []byte { return nil }

// badCallers returns callers that nobody may use, by name.
func (w *world) badCallers() map[string]wago.HostModule {
	w.Helper()
	var expired wago.HostModule
	w.call(func(caller wago.HostModule) { expired = caller })
	return map[string]wago.HostModule{"nil": nil, "made up": forged{}, "expired": expired}
}
