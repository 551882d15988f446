package script

import (
	"fmt"
	"maps"
	"slices"

	"github.com/JairusSW/pool/internal/puppet"
	"github.com/JairusSW/pool/service"
)

// tally is what callers were told by a pool's submits, and what its guests were handed: the player's own count.
type tally struct {
	accepted  uint64 // by a submit of any kind, parked and shed included; a broadcast once per worker that took it
	refused   uint64
	legs      bool // callers can't tell how many workers took what they submitted, or what calls there were
	delivered uint64
	final     *service.Stats
}

func (p *player) tallyOf(id service.ID) *tally {
	if p.tallies[id] == nil {
		p.tallies[id] = new(tally)
	}
	return p.tallies[id]
}

// submitted counts what a submit returned. n is how many tasks nil stands for.
func (p *player) submitted(id service.ID, n uint64, err error) {
	t := p.tallyOf(id)
	switch err {
	case nil:
		t.accepted += n
	case service.ErrPoolEmpty, service.ErrPoolBackpressure, service.ErrPayloadTooLarge:
		t.refused++
	}
}

// handed counts a task, or a message, that a guest was handed.
func (p *player) handed(take puppet.Take) {
	if take.Err == nil || take.Err == error(service.ErrNoTask) {
		p.tallyOf(p.poolOf[take.Worker]).delivered++
	}
}

// checkLedgers holds every pool's ledger against itself and against the tally.
func (p *player) checkLedgers() {
	for _, id := range slices.Sorted(maps.Keys(p.tallies)) {
		t := p.tallies[id]
		stats, err := p.stage.Pools.Stats(id)
		switch {
		case err == nil:
			p.checkLedger(&stats, t)
		case t.final != nil:
			p.checkLedger(t.final, t)
		}
	}
}

func (p *player) checkLedger(s *service.Stats, t *tally) {
	check := func(ok bool, what string, numbers ...uint64) {
		if !ok {
			p.printf("LEDGER %s: %s %v\n", p.nameOf(s.Pool), what, numbers)
		}
	}
	check(s.Routed == s.Done+s.FailedTasks+s.Dropped+s.Queued+s.Running, "a routed task is nowhere, or in two places: "+fmt.Sprintf("%+v", *s))
	check(s.Queued == s.Outstanding+s.Parked, "queued is not outstanding and parked", s.Queued, s.Outstanding, s.Parked)
	handed := s.Done + s.FailedTasks + s.Running + s.Retried + s.Foreign
	check(handed == t.delivered, "not what guests were handed", handed, t.delivered)
	if t.legs || p.waits(s.Pool) {
		return
	}
	check(s.Submitted == s.Routed+s.Rejected+s.Shed, "calls", s.Submitted, s.Routed, s.Rejected, s.Shed)
	check(s.Routed+s.Shed == t.accepted, "not what callers were told was accepted", s.Routed+s.Shed, t.accepted)
	check(s.Rejected == t.refused, "not what callers were refused", s.Rejected, t.refused)
}
