package soak

import (
	"encoding/binary"
	"errors"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Where the guest finds a task in its memory, and where its own submits lie.
const (
	taskAt   = 1024
	bytesAt  = taskAt + 16
	submitAt = 32 << 10
)

// attempt notes and checks that a worker has a task in hand, hands it to the guest, and does what the host is to do with it. It
// returns what the guest is to do.
func (w *world) attempt(caller wago.HostModule, g *guest, task pool.Task) act {
	tag := ledger.Tag(task.Tag)
	p := w.stage.find(tag.Pool())
	if p == nil {
		w.violated("worker %d has task %#x of pool %d, which there is none", g.id, task.Tag, tag.Pool())
		return actReturn
	}
	w.belong(g.id, p.id)
	n, before, err := p.book.Take(tag, task.Attempt, g.id, func(n uint32) bool { return act(tag.Act(n)).ends() == soft })
	if err != nil && !(errors.Is(err, ledger.ErrEnded) && !w.inHand(caller, task.Tag)) {
		w.violated("pool %d: %w", p.id, err)
	}
	if before != 0 {
		w.gone(p, before, task.Tag)
	}
	w.handOver(caller, p, tag, task)
	how := act(tag.Act(n))
	w.count("acts", actNames[how])
	if how < actsOfGuests {
		if how == actSpin && !p.timed() {
			w.spins(g.id)
		}
		return how
	}
	return w.perform(caller, g, p, tag, how)
}

// inHand asks Pool whether the calling worker has that task in hand.
func (w *world) inHand(caller wago.HostModule, tag uint64) bool {
	var task pool.Task
	err := w.with(func(s pool.Service) (err error) {
		task, err = s.Current(caller)
		return err
	})
	return err == nil && task.Tag == tag
}

// gone checks that who made the last attempt at a task is no more.
func (w *world) gone(p *subject, worker pool.WorkerID, tag uint64) {
	err := w.workers.With(func(s workers.Service) error { return s.Kill(worker) })
	if err == nil {
		w.violated("pool %d: task %#x is tried again, and worker %d, which had it, is still there", p.id, tag, worker)
	}
	w.expect("Kill of a worker that has gone", err, workers.ErrWorkerNotFound)
}

// handOver writes a task into the guest's memory, and checks that its bytes are those that were submitted.
func (w *world) handOver(caller wago.HostModule, p *subject, tag ledger.Tag, task pool.Task) {
	want := make([]byte, length(tag, p.opts.Worker.MaxPayloadBytes))
	payload(tag, want)
	if task.Attempt > 0 && string(task.Payload) != string(want) { // of a raw worker's message only the tag is known
		w.violated("pool %d: task %#x has %d bytes, which are not the %d that were submitted",
			p.id, task.Tag, len(task.Payload), len(want))
	}
	memory := caller.Memory()
	if memory == nil {
		return // the call has been ended from outside
	}
	binary.LittleEndian.PutUint64(memory[taskAt:], task.Tag)
	binary.LittleEndian.PutUint32(memory[taskAt+8:], uint32(len(want)))
	copy(memory[bytesAt:], want)
}
