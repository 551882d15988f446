package soak

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/JairusSW/pool"
)

// prank is something that is done to a pool while it works. It holds what methods return against what they may return itself, and
// returns it.
type prank struct {
	name   string
	weight int // how often it is played, beside the others
	do     func(*world, context.Context, *rand.Rand, *subject) error
}

// mischief is all the pranks.
var mischief = []prank{
	{"kill", 40, (*world).killOne},
	{"Scale", 20, (*world).scale},
	{"Reconcile", 15, (*world).reconcile},
	{"Rearm", 8, (*world).rearm},
	{"sizing by another owner", 4, (*world).sizeForeign},
	{"a message past Pool", 4, (*world).sendForeign},
	{"Drain", 1, (*world).drain},
	{"DrainWait", 2, (*world).drainWait},
	{"Destroy", 2, (*world).destroy},
	{"List", 4, (*world).list},
	{"verbs of workers by an owner", 2, (*world).actAsWorker},
	{"a caller of another runtime", 2, (*world).callFromElsewhere},
}

// disturb plays pranks. The disturbed get some rest in between.
func (w *world) disturb(ctx context.Context, dice *rand.Rand, post *post) {
	for ctx.Err() == nil {
		pause(ctx, microseconds(dice, 8_000))
		if p := w.stage.any(dice); p != nil {
			prank := anyPrank(dice)
			post.begin(prank.name)
			w.play(ctx, dice, prank, p)
			post.end()
		}
	}
}

func anyPrank(dice *rand.Rand) prank {
	total := 0
	for _, prank := range mischief {
		total += prank.weight
	}
	at := dice.IntN(total)
	for _, prank := range mischief {
		if at -= prank.weight; at < 0 {
			return prank
		}
	}
	panic("weights don't add up")
}

// play plays a prank, unless it would spoil a count that is kept.
func (w *world) play(ctx context.Context, dice *rand.Rand, prank prank, p *subject) {
	if _, bounded := p.boundedSpawns(); bounded && (prank.name == "Scale" || prank.name == "Rearm") {
		return
	}
	err := prank.do(w, ctx, dice, p)
	w.count("mischief", prank.name)
	if errors.Is(err, pool.ErrPoolNotFound) {
		w.stage.exit(p)
	}
}
