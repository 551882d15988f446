package puppet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
)

// Stage is Pool's service over a harness whose guests are puppets.
//
// Safe for concurrent use, but for Settle and what is built on it: those belong to the goroutine of the test.
type Stage struct {
	// set once
	Harness workerstest.Harness
	Pools   *service.Pools
	cut     chan struct{} // closed when every puppet is to go
	close   func() error

	mu      sync.Mutex // guards what follows
	puppets map[service.WorkerID]*Puppet
	takes   []Take
	start   func(caller wago.HostModule) workerstest.Act
}

// lease is a Workers service for a Pools, without a host that could refuse it.
type lease struct{ workers.Service }

func (l lease) With(use func(workers.Service) error) error { return use(l.Service) }

// New starts Pool's service over the harness, which the stage closes.
func New(h workerstest.Harness, limits service.Limits) (*Stage, error) {
	s := &Stage{Harness: h, cut: make(chan struct{}), puppets: make(map[service.WorkerID]*Puppet)}
	s.close = sync.OnceValue(s.end)
	s.Pools = service.New(lease{h.Service()}, limits)
	h.Script(workerstest.Script{Start: s.starts, Step: s.step})
	if err := s.Pools.Start(context.Background()); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	_, seesErr := h.Service().ObserveMessages(s.sees) // after Pool, so it sees what Pool let through
	_, leavesErr := h.Service().ObserveExits(s.leaves)
	if err := errors.Join(seesErr, leavesErr); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close has every puppet return, stops the service and closes the harness, as a runtime's close does.
func (s *Stage) Close() error { return s.close() }

func (s *Stage) end() error {
	close(s.cut)
	return errors.Join(s.Pools.Stop(context.Background()), s.Harness.Close())
}

// OnStart says what start sections do from now on; nil: nothing.
func (s *Stage) OnStart(start func(caller wago.HostModule) workerstest.Act) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start = start
}

func (s *Stage) starts(caller wago.HostModule) workerstest.Act {
	s.mu.Lock()
	start := s.start
	s.mu.Unlock()
	if start == nil {
		return workerstest.Return
	}
	return start(caller)
}

// Job is a call that may wait.
type Job struct{ done chan struct{} }

// Over reports whether the call has returned.
func (j *Job) Over() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// Go begins a call and settles.
func (s *Stage) Go(call func()) *Job {
	j := &Job{done: make(chan struct{})}
	go func() {
		defer close(j.done)
		call()
	}()
	s.Settle()
	return j
}

// Settle returns when nothing moves any more. Puppets that have been told to stop, and are not stubborn, go.
func (s *Stage) Settle() {
	for {
		synctest.Wait()
		p := s.nextToGo()
		if p == nil {
			return
		}
		close(p.release)
	}
}

// Pass lets time go by, and settles a hundred times meanwhile.
func (s *Stage) Pass(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); s.Settle() {
		time.Sleep(min(max(d/100, 1), time.Until(end)))
	}
}

func (s *Stage) nextToGo() *Puppet {
	for _, p := range s.Puppets() {
		if p.goes() {
			return p
		}
	}
	return nil
}

// Puppets returns those that live, by id.
func (s *Stage) Puppets() []*Puppet {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*Puppet, 0, len(s.puppets))
	for _, p := range s.puppets {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *Puppet) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Puppet returns the one with that id, or an error when it does not live.
func (s *Stage) Puppet(id service.WorkerID) (*Puppet, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.puppets[id]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("puppet: there is no worker %d", id)
}

// Take is what became of an order to take a task.
type Take struct {
	Worker service.WorkerID
	Task   service.Task // as Pool's Current returns it, or the message of a raw take; Attempt is 0 for those
	Err    error
}

// Takes returns what orders to take came to since it was last called, by worker.
func (s *Stage) Takes() []Take {
	s.mu.Lock()
	defer s.mu.Unlock()
	takes := s.takes
	s.takes = nil
	slices.SortStableFunc(takes, func(a, b Take) int { return cmp.Compare(a.Worker, b.Worker) })
	return takes
}

func (s *Stage) took(t Take) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takes = append(s.takes, t)
}

// sees keeps the last message of each worker, for raw takes.
func (s *Stage) sees(m *workers.MessageContext) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.puppets[m.WorkerID]; p != nil {
		p.message = service.Task{Tag: m.Tag, Payload: bytes.Clone(m.Payload)}
	}
	return nil
}
