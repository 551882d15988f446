package autoscale_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/JairusSW/pool/autoscale"
)

const (
	forkCost = 50 * time.Microsecond  // starts come one after the other
	tick     = 100 * time.Millisecond // a decision each, and one for every arrival
)

// simulation is a pool in made-up time whose size is decided by the real code. Its load is imposed:
// arrivals go to the least-loaded routable worker, ends come from any worker that has something to do.
type simulation struct {
	t                   *testing.T
	target, least, most uint32
	damper              *autoscale.Damper
	random              *rand.Rand
	now, nextTick       time.Duration
	workers             []autoscale.Worker
	starting            []time.Duration // when those on their way arrive
	waiting             int             // tasks for which there was no routable worker
	outstanding         int
	result              measures
}

// measures is what a trace shows of the decisions.
type measures struct {
	size, peak, steps, turns, forks uint32
	up                              bool
	settled                         time.Duration // when the size last changed
	work, over                      float64       // task seconds: all, and those above the target of the workers there are
	had, ideal                      float64       // worker seconds: all that lived, and those wanted
}

func newSimulation(t *testing.T, target, least, most uint32) *simulation {
	s := &simulation{
		t: t, target: target, least: least, most: most,
		damper: autoscale.NewDamper(autoscale.DefaultDelay),
		random: rand.New(rand.NewPCG(1, 2)),
	}
	s.decide()
	s.run(time.Second)
	s.result = measures{size: s.result.size, peak: s.result.size}
	return s
}

// run lets time pass.
func (s *simulation) run(span time.Duration) {
	for end := s.now + span; s.now < end; {
		next := min(end, s.nextTick)
		if len(s.starting) > 0 {
			next = min(next, s.starting[0])
		}
		s.account(next - s.now)
		s.now = next
		if len(s.starting) > 0 && s.starting[0] == s.now {
			s.arrived()
		}
		if s.nextTick == s.now {
			s.nextTick += tick
			s.decide()
		}
	}
}

func (s *simulation) account(span time.Duration) {
	seconds := span.Seconds()
	s.result.work += float64(s.outstanding) * seconds
	s.result.over += float64(max(0, s.outstanding-int(s.target)*s.routable())) * seconds
	s.result.had += float64(len(s.workers)) * seconds
	s.result.ideal += float64(autoscale.Desired(uint64(s.outstanding), s.target, s.least, s.most)) * seconds
}

// load makes the number of tasks n, by arrivals or ends.
func (s *simulation) load(n int) {
	for s.outstanding < n {
		s.outstanding++
		s.waiting++
		s.dispatch()
		s.decide()
	}
	for s.outstanding > n {
		s.outstanding--
		s.finish()
	}
}

func (s *simulation) routable() (n int) {
	for _, w := range s.workers {
		if !w.Cordoned {
			n++
		}
	}
	return n
}

func (s *simulation) dispatch() {
	for ; s.waiting > 0; s.waiting-- {
		least := -1
		for i, w := range s.workers {
			if !w.Cordoned && (least < 0 || w.Load < s.workers[least].Load) {
				least = i
			}
		}
		if least < 0 {
			return
		}
		s.workers[least].Load++
	}
}

func (s *simulation) finish() {
	if s.waiting > 0 {
		s.waiting--
		return
	}
	task := int64(s.random.IntN(s.outstanding + 1)) // of those the workers have, the one that ends
	for i := range s.workers {
		if task -= s.workers[i].Load; task < 0 {
			s.workers[i].Load--
			break
		}
	}
	s.retire()
}

// retire lets cordoned workers go that have nothing to do.
func (s *simulation) retire() {
	kept := s.workers[:0]
	for _, w := range s.workers {
		if !w.Cordoned || w.Load > 0 {
			kept = append(kept, w)
		}
	}
	s.workers = kept
}

func (s *simulation) arrived() {
	s.starting = s.starting[1:]
	if uint32(s.routable()) < s.result.size { // else nobody wants it any more
		s.workers = append(s.workers, autoscale.Worker{})
		s.dispatch()
	}
}

func (s *simulation) decide() {
	want := autoscale.Desired(uint64(s.outstanding), s.target, s.least, s.most)
	size, next, pending := s.damper.Want(at(s.now), want)
	if pending != (size != want) || pending && !next.After(at(s.now)) {
		s.t.Fatalf("size %d, wanted %d: pending %v until %v", size, want, pending, next)
	}
	s.note(size)
	there := uint32(len(s.workers) + len(s.starting))
	step := autoscale.Plan(size, uint32(len(s.starting)), s.most-there, s.workers)
	for _, i := range step.TakeBack {
		s.workers[i].Cordoned = false
	}
	for _, i := range step.Cordon {
		s.workers[i].Cordoned = true
	}
	s.retire()
	for range step.Start {
		begin := s.now
		if n := len(s.starting); n > 0 {
			begin = s.starting[n-1]
		}
		s.starting = append(s.starting, begin+forkCost)
		s.result.forks++
	}
	s.check(size)
}

func (s *simulation) check(size uint32) {
	there := uint32(len(s.workers) + len(s.starting))
	tasks := s.waiting
	for _, w := range s.workers {
		tasks += int(w.Load)
	}
	switch serving := uint32(s.routable() + len(s.starting)); {
	case size < s.least || size > s.most:
		s.t.Fatalf("size %d is not in %d to %d", size, s.least, s.most)
	case there > s.most:
		s.t.Fatalf("%d workers are there, above %d", there, s.most)
	case serving < s.least:
		s.t.Fatalf("%d workers serve, below %d", serving, s.least)
	case tasks != s.outstanding:
		s.t.Fatalf("%d tasks left of %d: a worker went with a task in hand", tasks, s.outstanding)
	}
}

func (s *simulation) note(size uint32) {
	r := &s.result
	if size == r.size {
		return
	}
	if up := size > r.size; r.steps == 0 || up != r.up {
		if r.steps > 0 {
			r.turns++
		}
		r.up = up
	}
	r.steps++
	r.size, r.peak, r.settled = size, max(r.peak, size), s.now
}

func (m measures) overShare() float64   { return m.over / m.work }
func (m measures) overSeconds() float64 { return m.had / m.ideal }
