package soak

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// crowd is how many pools a world has at a time.
const crowd = 5

// keepPools creates pools whenever there are few.
func (w *world) keepPools(ctx context.Context, dice *rand.Rand, post *post) {
	for ctx.Err() == nil {
		if len(w.stage.living()) < crowd {
			post.begin("Create")
			w.create(ctx, dice)
			post.end()
		}
		pause(ctx, microseconds(dice, 20_000))
	}
}

// create creates a pool, most times one that can be created, and has it supervised, most times.
func (w *world) create(ctx context.Context, dice *rand.Rand) {
	o := w.cast.any(dice)
	if o == nil {
		return
	}
	p := newPlan(dice)
	switch dice.IntN(20) {
	case 0:
		w.createCrooked(dice, o, p)
		return
	case 1:
		p.entry = [...]uint32{entryTyped, entryOutside}[dice.IntN(2)]
		p.opts.MinWorkers = 1 // without a floor nobody would look at the entry
	}
	var id pool.PoolID
	err := w.with(func(s pool.Service) (err error) {
		id, err = s.Create(o.caller(), p.entry, p.opts)
		return err
	})
	if err != nil {
		w.refusedCreate(o, &p, err)
		return
	}
	if p.entry >= entryTyped {
		w.violated("Create with entry %d made pool %d", p.entry, id)
	}
	w.count("pools", "created")
	w.count("strategies", p.opts.Strategy.String())
	s := &subject{plan: p, id: id, owner: o, book: ledger.NewBook(id, p.shape())}
	w.stage.enter(s)
	if dice.IntN(4) > 0 {
		stream := dice.Uint64()
		w.start(ctx, "supervisor", stream, func(ctx context.Context, dice *rand.Rand, post *post) { w.supervise(ctx, dice, post, s) })
	}
}

// nobody stands for the worker that created a pool: its caller is good in one host call only.
var nobody = func() *owner {
	s := &stay{here: make(chan struct{}), left: make(chan struct{})}
	close(s.left)
	return &owner{stay: s}
}()

// createFrom has a worker create a pool, which ends with it.
func (w *world) createFrom(dice *rand.Rand, caller wago.HostModule) {
	p := newPlan(dice)
	if p.entry >= entryTyped || p.floorless() {
		return
	}
	p.opts.MinWorkers = 1
	var id pool.PoolID
	err := w.with(func(s pool.Service) (err error) {
		id, err = s.Create(caller, p.entry, p.opts)
		return err
	})
	if err != nil {
		w.count("pools", "not created")
		if !(p.dud() && is(err, pool.ErrPoolHalted)) && !startFailed(err) && !is(err, stopped...) {
			w.expect("Create by a worker", err, pool.ErrPoolLimit, pool.ErrPoolWorkerLimit)
		}
		return
	}
	w.count("pools", "created by workers")
	w.stage.enter(&subject{plan: p, id: id, owner: nobody, book: ledger.NewBook(id, p.shape())})
}

// refusedCreate holds a failed Create against what it may fail with.
func (w *world) refusedCreate(o *owner, p *plan, err error) {
	w.count("pools", "not created")
	w.count("refusals", createRefusal(err))
	switch {
	case p.entry >= entryTyped: // the error is the host's own
	case p.dud() && is(err, pool.ErrPoolHalted):
	default:
		w.expectOf(o, "Create", err, pool.ErrPoolLimit, pool.ErrPoolWorkerLimit)
	}
}

// createRefusal says in a few words why a Create failed.
func createRefusal(err error) string {
	for _, known := range []error{pool.ErrPoolLimit, pool.ErrPoolWorkerLimit, pool.ErrPoolHalted, workers.ErrInvalidWorkerCaller} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	if startFailed(err) {
		return "a start section fails"
	}
	return "other"
}

func (w *world) createCrooked(dice *rand.Rand, o *owner, p plan) {
	err := w.with(func(s pool.Service) error {
		_, err := s.Create(o.caller(), p.entry, crooked(dice, p).opts)
		return err
	})
	if err == nil {
		w.violated("Create accepts options that it has to refuse")
	}
	w.expectOf(o, "Create with options to refuse", err, pool.ErrInvalidPoolOptions)
}
