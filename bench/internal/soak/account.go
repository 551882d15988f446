package soak

import (
	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
)

// account holds the last Stats of every pool of a world that is over against the books, and against the events. Every call has
// returned, every guest has gone.
func (w *world) account() {
	lives := w.witness.every()
	for _, p := range w.stage.every() {
		life := lives[p.id]
		switch {
		case life != nil && life.Final != nil:
			w.accountFor(p, life)
			delete(lives, p.id)
		case w.dark:
			w.count("pools", "ended unseen")
		case w.witness.sequence.Lost > 0:
			w.count("pools", "whose end was lost")
		default:
			w.violated("pool %d: no event has reported its end", p.id)
		}
	}
	for id, life := range lives { // those that a Create took back
		if life.Final == nil {
			if life.Whole() {
				w.violated("pool %d, which a Create took back: no event has reported its end", id)
			}
			continue
		}
		if err := ledger.NewBook(id, ledger.Shape{Max: life.Final.Max, Queue: 1 << 20}).CheckFinal(*life.Final, 0); err != nil {
			w.violated("pool %d, which a Create took back: %+v\n%w", id, *life.Final, err)
		}
		w.check(life.CheckFinal(false), "pool %d, which a Create took back", id)
	}
}

// accountFor holds one pool's last Stats.
func (w *world) accountFor(p *subject, life *ledger.Life) {
	final := *life.Final
	if err := p.book.CheckFinal(final, w.strays.Load()); err != nil {
		w.violated("pool %d (%+v) at its end: Stats %+v\nbooks %+v\n%w", p.id, p.plan, final, p.book.Counts(), err)
	}
	if err := life.CheckFinal(p.book.Shape.Legs || p.book.Counts().Broadcasts > 0); err != nil {
		w.violated("pool %d (%+v) at its end: Stats %+v\n%w", p.id, p.plan, final, err)
	}
	if most, bounded := p.boundedSpawns(); bounded && life.Count(pool.PoolWorkerAdded) > most {
		w.violated("pool %d (%+v), whose workers take nothing, has had %d of them, at most %d are allowed",
			p.id, p.plan, life.Count(pool.PoolWorkerAdded), most)
	}
	w.count("pools", "held against books")
	if life.Whole() {
		w.count("pools", "held against events")
	}
	w.count("ends", finalReason(&final))
	t := w.run.totals
	for name, n := range map[string]uint64{
		"submitted": final.Submitted, "accepted": final.Routed, "rejected": final.Rejected, "shed": final.Shed, "done": final.Done,
		"failed": final.FailedTasks, "dropped": final.Dropped, "redelivered": final.Redelivered, "retried": final.Retried,
		"sent past Pool": final.Foreign,
	} {
		t.add("tasks", name, n)
	}
	t.add("workers", "ended", final.Exited)
	t.add("workers", "ended with a failure", final.Failed)
	t.add("workers", "to be replaced", final.Restarted)
}

// finalReason says what a pool's last Stats tell of its life.
func finalReason(final *pool.PoolStats) string {
	switch {
	case final.Halted && final.Draining:
		return "halted and draining"
	case final.Halted:
		return "halted"
	case final.Draining:
		return "draining"
	}
	return "open"
}
