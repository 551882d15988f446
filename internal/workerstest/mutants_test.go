package workerstest_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/workerstest"
)

// A mutant is the real service with one thing wrong.
type mutant struct {
	topic  string // whose checks have to notice
	name   string
	change func(*workers.Workers) workers.Service
}

// TestTheSuiteNoticesEveryMutant holds the suite to its purpose: for each mutant a check of the topic fails, and on the real
// service none does.
func TestTheSuiteNoticesEveryMutant(t *testing.T) {
	for _, mutant := range mutants {
		t.Run(mutant.topic+"/"+mutant.name, func(t *testing.T) {
			for _, check := range workerstest.Checks() {
				if strings.HasPrefix(check.Name, mutant.topic+"/") && mutant.fails(t, check) {
					return
				}
			}
			assert.Fail(t, "no check fails")
		})
	}
}

// fails runs a check on the mutant and says whether it complains.
func (m mutant) fails(t *testing.T, check workerstest.Check) bool {
	var r recorder
	workerstest.Isolate(t, check, func(t *testing.T) {
		h := newHost(t, m.change)
		defer func() { _ = h.Close() }()
		done := make(chan struct{})
		go func() {
			defer close(done)
			check.Run(&r, h)
		}()
		<-done
	})
	return r.failed()
}

// The mutants keep their own state in the value that holds the real service; the methods they don't mention are its own.
var mutants = []mutant{
	{"send", "drops a message", func(s *workers.Workers) workers.Service { return &drops{Workers: s} }},
	{"send", "delivers twice", func(s *workers.Workers) workers.Service { return &twice{s} }},
	{"send", "swaps two messages", func(s *workers.Workers) workers.Service { return &swaps{Workers: s} }},
	{"send", "keeps the sender's bytes", func(s *workers.Workers) workers.Service { return &keepsBytes{s} }},
	{"send", "cuts a payload that is too long", func(s *workers.Workers) workers.Service { return &cuts{s} }},
	{"send", "forgets to wake the worker", func(s *workers.Workers) workers.Service { return &forgetsWake{Workers: s} }},
	{"send", "sends to the wrong worker", func(s *workers.Workers) workers.Service { return &wrongWorker{s} }},
	{"send", "accepts for the dead", func(s *workers.Workers) workers.Service { return &sendsToDead{s} }},
	{"dispatch", "prefers an ended context", func(s *workers.Workers) workers.Service { return &contextFirst{s} }},
	{"dispatch", "ignores the context", func(s *workers.Workers) workers.Service { return &ignoresContext{s} }},
	{"dispatch", "lets dispatches queue", func(s *workers.Workers) workers.Service { return &queuesDispatch{s} }},
	{"exit", "says the wrong exit kind", func(s *workers.Workers) workers.Service { return &wrongKind{s} }},
	{"exit", "loses the exit's error", func(s *workers.Workers) workers.Service { return &noExitError{s} }},
	{"exit", "reports an exit twice", func(s *workers.Workers) workers.Service { return &exitTwice{s} }},
	{"exit", "reports exits late", func(s *workers.Workers) workers.Service { return &exitLate{Workers: s} }},
	{"observe", "swallows an observer's error", func(s *workers.Workers) workers.Service { return &swallows{s} }},
	{"observe", "calls the newest observer first", func(s *workers.Workers) workers.Service { return &newestFirst{Workers: s} }},
	{"link", "links strangers", func(s *workers.Workers) workers.Service { return &linksAnybody{s} }},
	{"link", "links in name only", func(s *workers.Workers) workers.Service { return &linksNobody{s} }},
	{"link", "links the dying", func(s *workers.Workers) workers.Service { return &linksDying{s} }},
	{"kill", "kills nobody", func(s *workers.Workers) workers.Service { return &killsNobody{s} }},
	{"kill", "kills the unknown", func(s *workers.Workers) workers.Service { return &killsUnknown{s} }},
	{"kill", "has no patience when killing", func(s *workers.Workers) workers.Service { return &killsAtOnce{s} }},
	{"kill", "has too much patience when killing", func(s *workers.Workers) workers.Service { return &killsNever{s} }},
	{"current", "finds a worker in everybody", func(s *workers.Workers) workers.Service { return &currentAlways{s} }},
	{"spawn", "takes any option", func(s *workers.Workers) workers.Service { return &anyOption{s} }},
	{"spawn", "takes any caller", func(s *workers.Workers) workers.Service { return &anyCaller{s} }},
	{"spawn", "counts one worker too many", func(s *workers.Workers) workers.Service { return &shortQuota{Workers: s} }},
	{"unsubscribe", "unsubscribes without waiting", func(s *workers.Workers) workers.Service { return &noWait{s} }},
	{"unsubscribe", "unsubscribes in name only", func(s *workers.Workers) workers.Service { return &unsubscribesNobody{s} }},
	{"unsubscribe", "unsubscribes the unknown", func(s *workers.Workers) workers.Service { return &unsubscribesAll{s} }},
	{"close", "observes after its end", func(s *workers.Workers) workers.Service { return &observesClosed{s} }},
	{"owned", "copies what it owns", func(s *workers.Workers) workers.Service { return &copiesOwned{s} }},
	{"retire", "kills to retire", func(s *workers.Workers) workers.Service { return &killsToRetire{s} }},
	{"retire", "retires nobody", func(s *workers.Workers) workers.Service { return &retiresNobody{s} }},
	{"killwithin", "forgets the cause", func(s *workers.Workers) workers.Service { return &forgetsCause{s} }},
	{"killwithin", "forgets the grace", func(s *workers.Workers) workers.Service { return &forgetsGrace{s} }},
	{"closing", "closes nobody's channel", func(s *workers.Workers) workers.Service { return &neverClosing{s} }},
	{"closing", "closes the channel early", func(s *workers.Workers) workers.Service { return &closingNow{s} }},
	{"identity", "gives each call an identity", func(s *workers.Workers) workers.Service { return &noIdentity{s} }},
}

type drops struct {
	*workers.Workers
	n atomic.Uint32
}

func (m *drops) Send(id workers.WorkerID, tag uint64, payload []byte) error {
	if m.n.Add(1) == 2 {
		return nil
	}
	return m.Workers.Send(id, tag, payload)
}

type twice struct{ *workers.Workers }

func (m *twice) Send(id workers.WorkerID, tag uint64, payload []byte) error {
	_ = m.Workers.Send(id, tag, payload)
	return m.Workers.Send(id, tag, payload)
}

type swaps struct {
	*workers.Workers
	mu   sync.Mutex
	kept *uint64
}

func (m *swaps) Send(id workers.WorkerID, tag uint64, payload []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if tag == 1<<40 { // the second of a hundred
		m.kept = &tag
		return nil
	}
	err := m.Workers.Send(id, tag, payload)
	if m.kept != nil {
		_ = m.Workers.Send(id, *m.kept, []byte("payload 1"))
		m.kept = nil
	}
	return err
}

type keepsBytes struct{ *workers.Workers }

func (m *keepsBytes) Send(id workers.WorkerID, tag uint64, payload []byte) error {
	return m.Workers.SendOwned(id, tag, payload)
}

type cuts struct{ *workers.Workers }

func (m *cuts) Send(id workers.WorkerID, tag uint64, payload []byte) error {
	err := m.Workers.Send(id, tag, payload)
	if err == workers.ErrPayloadTooLarge {
		return m.Workers.Send(id, tag, payload[:len(payload)-1])
	}
	return err
}

// forgetsWake gives a worker that waits its message only together with the next one.
type forgetsWake struct {
	*workers.Workers
	waiting atomic.Bool
	late    func()
}

func (m *forgetsWake) DispatchNext(ctx context.Context, caller wago.HostModule) error {
	m.waiting.Store(true)
	defer m.waiting.Store(false)
	return m.Workers.DispatchNext(ctx, caller)
}

func (m *forgetsWake) Send(id workers.WorkerID, tag uint64, payload []byte) error {
	if m.late == nil && m.waiting.Load() {
		payload = bytes.Clone(payload)
		m.late = func() { _ = m.Workers.Send(id, tag, payload) }
		return nil
	}
	if m.late != nil {
		m.late()
		m.late = nil
	}
	return m.Workers.Send(id, tag, payload)
}

type wrongWorker struct{ *workers.Workers }

func (m *wrongWorker) Send(id workers.WorkerID, tag uint64, payload []byte) error {
	if id > 1 {
		id--
	}
	return m.Workers.Send(id, tag, payload)
}

type sendsToDead struct{ *workers.Workers }

func (m *sendsToDead) Send(id workers.WorkerID, tag uint64, payload []byte) error {
	if err := m.Workers.Send(id, tag, payload); err != workers.ErrWorkerNotFound {
		return err
	}
	return nil
}

type contextFirst struct{ *workers.Workers }

func (m *contextFirst) DispatchNext(ctx context.Context, caller wago.HostModule) error {
	if ctx != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return m.Workers.DispatchNext(ctx, caller)
}

type ignoresContext struct{ *workers.Workers }

func (m *ignoresContext) DispatchNext(ctx context.Context, caller wago.HostModule) error {
	if ctx != nil {
		ctx = context.WithoutCancel(ctx)
	}
	return m.Workers.DispatchNext(ctx, caller)
}

type queuesDispatch struct{ *workers.Workers }

func (m *queuesDispatch) DispatchNext(ctx context.Context, caller wago.HostModule) error {
	for {
		if err := m.Workers.DispatchNext(ctx, caller); err != workers.ErrWorkerDispatchActive {
			return err
		}
		time.Sleep(time.Millisecond) // of the bubble's time
	}
}

// observeExits makes a mutant's exit observers see something else than what happened.
func observeExits(s *workers.Workers, change func(x *workers.WorkerExitContext, tell func(*workers.WorkerExitContext))) func(func(*workers.WorkerExitContext)) (workers.Subscription, error) {
	return func(fn func(*workers.WorkerExitContext)) (workers.Subscription, error) {
		if fn == nil {
			return s.ObserveExits(nil)
		}
		return s.ObserveExits(func(x *workers.WorkerExitContext) {
			copied := *x
			change(&copied, fn)
		})
	}
}

type wrongKind struct{ *workers.Workers }

func (m *wrongKind) ObserveExits(fn func(*workers.WorkerExitContext)) (workers.Subscription, error) {
	return observeExits(m.Workers, func(x *workers.WorkerExitContext, tell func(*workers.WorkerExitContext)) {
		if x.Kind == workers.WorkerFailed {
			x.Kind = workers.WorkerKilled
		}
		tell(x)
	})(fn)
}

type noExitError struct{ *workers.Workers }

func (m *noExitError) ObserveExits(fn func(*workers.WorkerExitContext)) (workers.Subscription, error) {
	return observeExits(m.Workers, func(x *workers.WorkerExitContext, tell func(*workers.WorkerExitContext)) {
		x.Err = nil
		tell(x)
	})(fn)
}

type exitTwice struct{ *workers.Workers }

func (m *exitTwice) ObserveExits(fn func(*workers.WorkerExitContext)) (workers.Subscription, error) {
	return observeExits(m.Workers, func(x *workers.WorkerExitContext, tell func(*workers.WorkerExitContext)) {
		tell(x)
		tell(x)
	})(fn)
}

// exitLate reports the exits that have happened at the next Spawn.
type exitLate struct {
	*workers.Workers
	mu   sync.Mutex
	late []func()
}

func (m *exitLate) ObserveExits(fn func(*workers.WorkerExitContext)) (workers.Subscription, error) {
	return observeExits(m.Workers, func(x *workers.WorkerExitContext, tell func(*workers.WorkerExitContext)) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.late = append(m.late, func() { tell(x) })
	})(fn)
}

func (m *exitLate) Spawn(caller wago.HostModule, table uint32, options workers.WorkerOptions) (workers.WorkerID, error) {
	m.mu.Lock()
	late := m.late
	m.late = nil
	m.mu.Unlock()
	for _, tell := range late {
		tell()
	}
	return m.Workers.Spawn(caller, table, options)
}

type swallows struct{ *workers.Workers }

func (m *swallows) ObserveMessages(fn func(*workers.MessageContext) error) (workers.Subscription, error) {
	if fn == nil {
		return m.Workers.ObserveMessages(nil)
	}
	return m.Workers.ObserveMessages(func(x *workers.MessageContext) error {
		_ = fn(x)
		return nil
	})
}

// newestFirst calls all of its observers from one subscription, last first.
type newestFirst struct {
	*workers.Workers
	mu  sync.Mutex
	fns []func(*workers.MessageContext) error
}

func (m *newestFirst) ObserveMessages(fn func(*workers.MessageContext) error) (workers.Subscription, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if fn != nil {
		m.fns = append(m.fns, fn)
	}
	if len(m.fns) != 1 {
		return m.Workers.ObserveMessages(func(*workers.MessageContext) error { return nil })
	}
	return m.Workers.ObserveMessages(func(x *workers.MessageContext) error {
		m.mu.Lock()
		fns := slices.Clone(m.fns)
		m.mu.Unlock()
		for _, fn := range slices.Backward(fns) {
			if err := fn(x); err != nil {
				return err
			}
		}
		return nil
	})
}

type linksAnybody struct{ *workers.Workers }

func (m *linksAnybody) Link(caller wago.HostModule, id workers.WorkerID) error {
	if err := m.Workers.Link(caller, id); err != workers.ErrInvalidWorkerLink {
		return err
	}
	return nil
}

type linksNobody struct{ *workers.Workers }

func (m *linksNobody) Link(wago.HostModule, workers.WorkerID) error { return nil }

type linksDying struct{ *workers.Workers }

func (m *linksDying) Link(caller wago.HostModule, id workers.WorkerID) error {
	if err := m.Workers.Link(caller, id); err != workers.ErrWorkerStopping {
		return err
	}
	return nil
}

type killsNobody struct{ *workers.Workers }

func (m *killsNobody) Kill(workers.WorkerID) error { return nil }

type killsUnknown struct{ *workers.Workers }

func (m *killsUnknown) Kill(id workers.WorkerID) error {
	_ = m.Workers.Kill(id)
	return nil
}

type killsAtOnce struct{ *workers.Workers }

func (m *killsAtOnce) Kill(id workers.WorkerID) error {
	return m.Workers.KillWithin(id, 0, workers.ErrWorkerKilled)
}

type killsNever struct{ *workers.Workers }

func (m *killsNever) Kill(id workers.WorkerID) error {
	return m.Workers.KillWithin(id, grace+2500*time.Millisecond, workers.ErrWorkerKilled)
}

type currentAlways struct{ *workers.Workers }

func (m *currentAlways) Current(caller wago.HostModule) (workers.WorkerID, error) {
	if id, err := m.Workers.Current(caller); err == nil {
		return id, nil
	}
	return 1, nil
}

type anyOption struct{ *workers.Workers }

func (m *anyOption) Spawn(caller wago.HostModule, table uint32, options workers.WorkerOptions) (workers.WorkerID, error) {
	if options.MaxQueueBytes < options.MaxPayloadBytes {
		options.MaxQueueBytes = options.MaxPayloadBytes
	}
	return m.Workers.Spawn(caller, table, options)
}

type anyCaller struct{ *workers.Workers }

func (m *anyCaller) Spawn(caller wago.HostModule, table uint32, options workers.WorkerOptions) (workers.WorkerID, error) {
	id, err := m.Workers.Spawn(caller, table, options)
	if err == workers.ErrInvalidWorkerCaller {
		return 0, workers.ErrInvalidWorkerOptions
	}
	return id, err
}

// shortQuota forgets to give a worker's place back once.
type shortQuota struct {
	*workers.Workers
	spawned atomic.Uint32
}

func (m *shortQuota) Spawn(caller wago.HostModule, table uint32, options workers.WorkerOptions) (workers.WorkerID, error) {
	if m.spawned.Add(1) > 8 {
		return 0, &workers.QuotaError{Setting: "maxLiveWorkers", Limit: 8, Wanted: 9}
	}
	return m.Workers.Spawn(caller, table, options)
}

type noWait struct{ *workers.Workers }

func (m *noWait) Unsubscribe(s workers.Subscription) error {
	go func() { _ = m.Workers.Unsubscribe(s) }()
	return nil
}

type unsubscribesNobody struct{ *workers.Workers }

func (m *unsubscribesNobody) Unsubscribe(workers.Subscription) error { return nil }

type unsubscribesAll struct{ *workers.Workers }

func (m *unsubscribesAll) Unsubscribe(s workers.Subscription) error {
	if err := m.Workers.Unsubscribe(s); err != workers.ErrUnknownSubscription {
		return err
	}
	return nil
}

type observesClosed struct{ *workers.Workers }

func (m *observesClosed) ObserveMessages(fn func(*workers.MessageContext) error) (workers.Subscription, error) {
	s, err := m.Workers.ObserveMessages(fn)
	if err == workers.ErrWorkerRuntimeClosed {
		return s, nil
	}
	return s, err
}

type copiesOwned struct{ *workers.Workers }

func (m *copiesOwned) SendOwned(id workers.WorkerID, tag uint64, payload []byte) error {
	return m.Workers.Send(id, tag, payload)
}

type killsToRetire struct{ *workers.Workers }

func (m *killsToRetire) Retire(id workers.WorkerID) error { return m.Workers.Kill(id) }

type retiresNobody struct{ *workers.Workers }

func (m *retiresNobody) Retire(workers.WorkerID) error { return nil }

type forgetsCause struct{ *workers.Workers }

func (m *forgetsCause) KillWithin(id workers.WorkerID, grace time.Duration, _ error) error {
	return m.Workers.KillWithin(id, grace, nil)
}

type forgetsGrace struct{ *workers.Workers }

func (m *forgetsGrace) KillWithin(id workers.WorkerID, _ time.Duration, cause error) error {
	return m.Workers.KillWithin(id, 0, cause)
}

type neverClosing struct{ *workers.Workers }

func (m *neverClosing) Closing(caller wago.HostModule) (<-chan struct{}, error) {
	if _, err := m.Workers.Closing(caller); err != nil {
		return nil, err
	}
	// Closed in the end, so that the guests that wait for it can go: long after the check has lost its patience.
	never := make(chan struct{})
	time.AfterFunc(30*time.Second, func() { close(never) })
	return never, nil
}

type closingNow struct{ *workers.Workers }

func (m *closingNow) Closing(caller wago.HostModule) (<-chan struct{}, error) {
	now := make(chan struct{})
	close(now)
	_, err := m.Workers.Closing(caller)
	return now, err
}

type noIdentity struct{ *workers.Workers }

func (m *noIdentity) Identity(wago.HostModule) (wago.InstanceIdentity, error) {
	return wago.InstanceIdentity{}, nil
}
