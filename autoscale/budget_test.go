package autoscale_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/autoscale"
)

// tenant is one of several elastic pools that live on one budget, and looks after itself once a round.
type tenant struct {
	target, least, most uint32
	load                uint64
	damper              *autoscale.Damper
	workers             []autoscale.Worker
}

func (p *tenant) claim(now time.Time) autoscale.Claim {
	want := autoscale.Desired(p.load, p.target, p.least, p.most)
	hold, _, _ := p.damper.Want(now, want)
	return autoscale.Claim{Floor: p.least, Want: want, Hold: hold}
}

// round decides for all tenants together and lets each take its steps; busy cordoned workers end a task a
// round.
func round(now time.Time, budget uint32, tenants []*tenant) {
	claims := make([]autoscale.Claim, len(tenants))
	for i, p := range tenants {
		claims[i] = p.claim(now)
	}
	for i, size := range autoscale.Share(budget, claims) {
		p := tenants[i]
		if size < claims[i].Hold {
			p.damper.Set(now, size)
		}
		step := autoscale.Plan(size, 0, budget-total(tenants), p.workers)
		for _, j := range step.TakeBack {
			p.workers[j].Cordoned = false
		}
		for _, j := range step.Cordon {
			p.workers[j].Cordoned = true
		}
		p.workers = slices.DeleteFunc(p.workers, func(w autoscale.Worker) bool { return w.Cordoned && w.Load == 0 })
		for range step.Start {
			p.workers = append(p.workers, autoscale.Worker{Load: 3})
		}
		for j := range p.workers {
			if w := &p.workers[j]; w.Cordoned {
				w.Load--
			}
		}
	}
}

func total(tenants []*tenant) (n uint32) {
	for _, p := range tenants {
		n += uint32(len(p.workers))
	}
	return n
}

func (p *tenant) routable() (n int) {
	for _, w := range p.workers {
		if !w.Cordoned {
			n++
		}
	}
	return n
}

func TestTwoPoolsOnOneBudget(t *testing.T) {
	const budget = 10
	a := &tenant{target: 4, least: 1, most: 10, load: 1000, damper: autoscale.NewDamper(autoscale.DefaultDelay)}
	b := &tenant{target: 4, least: 1, most: 5, damper: autoscale.NewDamper(autoscale.DefaultDelay)}
	both := []*tenant{a, b}
	now := start
	rounds := func(n int, check func()) {
		for range n {
			now = now.Add(100 * time.Millisecond)
			round(now, budget, both)
			require.LessOrEqual(t, total(both), uint32(budget))
			require.GreaterOrEqual(t, b.routable(), 1)
			check()
		}
	}
	rounds(10, func() {})
	require.Equal(t, 9, a.routable(), "all that the other's floor leaves")

	b.load = 20 // and a is as busy as before: it gives places back as its workers finish, and asks for none
	rounds(10, func() { require.LessOrEqual(t, a.routable(), 5) })
	require.Equal(t, []int{5, 5}, []int{a.routable(), b.routable()})
	rounds(50, func() { require.Equal(t, []int{5, 5}, []int{a.routable(), b.routable()}) })

	a.load = 0 // a keeps its workers for the delay, since nobody wants them
	rounds(40, func() { require.Equal(t, 5, a.routable()) })
	rounds(20, func() {})
	require.Equal(t, []int{1, 5}, []int{a.routable(), b.routable()})
}
