package script

import (
	"fmt"
	"sync"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
)

var faultVerbs = map[string]Verb{
	"start": {
		"start trap|hold|go [after=N n=N]: after N more, the next N start sections, all without N, trap or wait; go ends both",
		(*player).start,
	},
	"spawned": {"spawned hold|go: workers run, but their Spawn does not return until go; on the fake", (*player).spawned},
	"refuse":  {"refuse spawn|link|send|retire [n=N] [error=full|stopping|gone]: the next N such operations fail; on the fake", (*player).refuses},
}

// startPlan is what start sections do.
//
// Safe for concurrent use.
type startPlan struct {
	mu   sync.Mutex // guards what follows
	how  string
	skip uint64 // start sections before it begins
	left uint64 // start sections that it holds for
	gate gate   // what those that are held wait for
}

func (s *startPlan) start(wago.HostModule) workerstest.Act {
	s.mu.Lock()
	how := s.how
	switch {
	case s.skip > 0:
		s.skip--
		how = ""
	case s.left > 0:
		s.left--
	default:
		how = ""
	}
	s.mu.Unlock()
	switch how {
	case "trap":
		return workerstest.Trap
	case "hold":
		s.gate.pass()
	}
	return workerstest.Return
}

func (s *startPlan) plan(how string, after, n uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.how, s.skip, s.left = how, after, n
	s.gate.shut()
}

// letGo ends a plan.
func (s *startPlan) letGo() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate.open()
	s.how, s.skip, s.left = "", 0, 0
}

func (p *player) start(w *words) error {
	how, after, n := w.next("way"), w.count("after"), w.count("n")
	if n == 0 {
		n = 1 << 32
	}
	switch how {
	case "go":
		p.starts.letGo()
	case "trap", "hold":
		p.starts.plan(how, after, n)
	default:
		w.fail("start: there is no way %q", how)
	}
	return w.err
}

// refusals are how often operations of the fake fail, and how.
//
// Safe for concurrent use.
type refusals struct {
	mu   sync.Mutex // guards what follows
	left map[string]uint64
	with map[string]error
}

func (r *refusals) of(operation string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left[operation] == 0 {
		return nil
	}
	r.left[operation]--
	return r.with[operation]
}

var refusalErrors = map[string]error{
	"": errRefused, "full": workers.ErrWorkerQueueFull, "stopping": workers.ErrWorkerStopping, "gone": workers.ErrWorkerNotFound,
}

// hook has the fake ask the player, once.
func (p *player) hook() error {
	fake, ok := p.stage.Harness.(*fakeworkers.Fake)
	if !ok {
		return fmt.Errorf("only the fake does that")
	}
	p.refuse.mu.Lock()
	defer p.refuse.mu.Unlock()
	if p.refuse.left != nil {
		return nil
	}
	p.refuse.left, p.refuse.with = make(map[string]uint64), make(map[string]error)
	about := func(operation string) func(service.WorkerID) error {
		return func(service.WorkerID) error { return p.refuse.of(operation) }
	}
	fake.Hook(fakeworkers.Hooks{
		Spawn:   func(int) error { return p.refuse.of("spawn") },
		Spawned: func(service.WorkerID) { p.spawns.pass() },
		Link:    about("link"), Send: about("send"), Retire: about("retire"),
	})
	return nil
}

func (p *player) refuses(w *words) error {
	operation, n, err := w.next("operation"), max(w.count("n"), 1), refusalErrors[w.setting("error")]
	if err == nil {
		w.fail("refuse: there is no such error")
	}
	if err := p.hook(); err != nil {
		return err
	}
	p.refuse.mu.Lock()
	defer p.refuse.mu.Unlock()
	p.refuse.left[operation], p.refuse.with[operation] = n, err
	return w.err
}

func (p *player) spawned(w *words) error {
	if err := p.hook(); err != nil {
		return err
	}
	switch how := w.next("way"); how {
	case "hold":
		p.spawns.shut()
	case "go":
		p.spawns.open()
	default:
		w.fail("spawned: there is no way %q", how)
	}
	return w.err
}

// gate is open until it is shut.
//
// Safe for concurrent use.
type gate struct {
	mu   sync.Mutex
	wait chan struct{} // guarded by mu: nil while it is open
}

func (g *gate) pass() {
	g.mu.Lock()
	wait := g.wait
	g.mu.Unlock()
	if wait != nil {
		<-wait
	}
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.wait == nil {
		g.wait = make(chan struct{})
	}
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.wait != nil {
		close(g.wait)
		g.wait = nil
	}
}
