package soak

import (
	"context"
	"math/rand/v2"
)

// How many submit at once: those who hardly ever wait, and those who often do.
const (
	hastyProducers   = 6
	patientProducers = 6
)

// produce submits in bursts, now here, now there.
func (w *world) produce(ctx context.Context, dice *rand.Rand, post *post) {
	w.submitBursts(ctx, dice, post, false)
}

// produceHastily is produce for those who hardly ever wait.
func (w *world) produceHastily(ctx context.Context, dice *rand.Rand, post *post) {
	w.submitBursts(ctx, dice, post, true)
}

func (w *world) submitBursts(ctx context.Context, dice *rand.Rand, post *post, hasty bool) {
	for ctx.Err() == nil {
		p := w.stage.any(dice)
		if p == nil || p.shut.Load() && dice.IntN(20) > 0 {
			pause(ctx, microseconds(dice, 2_000))
			continue
		}
		for range 1 + dice.IntN(64) {
			post.begin("a submit")
			w.submitSomehow(dice, p, origin{ctx: ctx, hasty: hasty})
			post.end()
		}
		pause(ctx, microseconds(dice, 1_500))
	}
}
