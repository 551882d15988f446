package soak

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
	"github.com/wago-org/wago"
)

// unsettled holds the refusal of a verb that settles against what there is: somebody else has given a verdict.
func (w *world) unsettled(p *subject, tag ledger.Tag, verb string, err error) {
	w.expect(verb, err, pool.ErrNoTask)
	if !errors.Is(err, pool.ErrNoTask) || p.timed() {
		return
	}
	if err := w.with(func(s pool.Service) error { _, err := s.Stats(p.id); return err }); err == nil {
		w.violated("pool %d: worker has no task %#x in hand any more, though nobody can have taken it", p.id, uint64(tag))
	}
}

// reply is the guests' import: it settles the task with a result.
func (w *world) reply(caller wago.HostModule, params, _ []uint64) {
	memory, at, size := caller.Memory(), uint64(uint32(params[1])), uint64(uint32(params[2]))
	if at+size > uint64(len(memory)) {
		panic(wago.HostTrap{Err: errGuest})
	}
	g, tag := w.guestOf(caller), ledger.Tag(params[0])
	if g == nil {
		return
	}
	p := w.stage.find(tag.Pool())
	if p == nil {
		w.violated("worker %d replies to task %#x, which is no pool's", g.id, uint64(tag))
		return
	}
	bytes := make([]byte, length(tag, p.opts.Worker.MaxPayloadBytes))
	payload(tag, bytes)
	if got := memory[at : at+size]; len(got) != 4 || binary.LittleEndian.Uint32(got) != answer(bytes) {
		w.violated("pool %d: worker %d replies to task %#x with %x, want %08x", p.id, g.id, uint64(tag), got, answer(bytes))
	}
	again := g.replied == tag
	g.replied = tag
	err := w.with(func(s pool.Service) error { return s.Complete(caller, memory[at:at+size]) })
	switch {
	case err == nil && again:
		w.violated("pool %d: worker %d completes task %#x twice", p.id, g.id, uint64(tag))
	case err == nil:
		w.check(p.book.Finish(tag, g.id), "pool %d", p.id)
	case !again:
		w.unsettled(p, tag, "Complete", err)
	}
}

// submits is the guests' import: the host submits bytes of the guest's memory, to the worker's own pool most times.
func (w *world) submits(caller wago.HostModule, params, _ []uint64) {
	tag := ledger.Tag(params[0])
	dice := rand.New(rand.NewPCG(w.seed^uint64(tag), 4))
	p := w.stage.find(tag.Pool())
	if dice.IntN(4) == 0 {
		p = w.stage.any(dice)
	}
	memory := caller.Memory()
	if p == nil || memory == nil {
		return
	}
	w.inContext(caller, func(ctx context.Context) {
		w.submitSomehow(dice, p, origin{ctx: ctx, caller: caller, tame: true, room: memory[submitAt:]})
	})
}
