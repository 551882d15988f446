package service_test

import (
	"slices"
	"time"

	"github.com/JairusSW/pool/service"
)

// The model is what the ledger, supervision and sizing promise, in plain words and without a lock, an atomic or a
// goroutine. It does not say which of several workers gets a task: that is the strategies' business, and is looked up in
// Workers' mailboxes. Everything else it says itself.

// modelTask is an accepted task, a leg of a broadcast, or a message that was sent past Pool.
type modelTask struct {
	tag              uint64
	arrived, entered int // when it was submitted, and accepted: the numbers of verbs
	attempt          uint32
	leg, foreign     bool
	again            bool             // it was in the mailbox of a worker that ended
	heir             service.WorkerID // that worker, or the one that had it in hand
	place            int              // in its mailbox
	moves            int              // how often that was
	wait             *modelWait
}

// older says that a must go before b, whatever one takes for their age: both come from the same mailbox, in which a was
// first, or a is older and neither has been behind younger tasks in another mailbox.
func (a *modelTask) older(b *modelTask) bool {
	if a.heir != 0 && a.heir == b.heir {
		return a.place < b.place
	}
	return a.arrived < b.arrived && a.entered < b.entered && a.moves < 2 && b.moves < 2
}

// left notes that the task was left behind by a worker.
func (a *modelTask) left(w *modelWorker, place int) {
	a.heir, a.place = w.id, place
	if a.moves++; w.judged {
		a.moves++ // while it was dying others may have gone before
	}
}

// modelWait is a SubmitWait or a Call that has not returned.
type modelWait struct {
	name    string
	isCall  bool
	task    *modelTask
	want    error  // what it must return, once it has to; nil is fine
	settled bool   // it has to return now
	result  string // of a Call that has to return nil

	// what it returned
	job    interface{ Over() bool }
	cancel func()
	worker service.WorkerID
	got    []byte
	err    error
}

// settle says what the wait has to return. What comes later doesn't matter.
func (w *modelWait) settle(want error, result string) {
	if w != nil && !w.settled {
		w.settled, w.want, w.result = true, want, result
	}
}

// modelWorker is a worker of a pool.
type modelWorker struct {
	id       service.WorkerID
	cordoned bool
	leaving  bool // told to go: retired, or killed
	judged   bool // its task timed out
	gone     bool // it has ended, and the model has yet to say why
	box      []*modelTask
	hand     *modelTask
	raw      bool // hand was taken past Pool
	since    time.Time
	took     bool
	taking   bool         // it waits for a task
	rawTake  bool         // past Pool
	due      []*modelTask // given to it by the verb under way
	refused  error        // what its wait for a task ended with
}

func (w *modelWorker) routable() bool { return !w.cordoned && !w.leaving }

// mirrored is how many of Pool's tasks are in the mailbox.
func (w *modelWorker) mirrored() (n int) {
	for _, t := range slices.Concat(w.box, w.due) {
		if !t.foreign {
			n++
		}
	}
	return n
}

func (w *modelWorker) load() int {
	n := w.mirrored()
	if w.hand != nil && !w.raw {
		n++
	}
	return n
}

// modelPool is a pool.
type modelPool struct {
	id         service.ID
	opts       service.Options
	floorless  bool
	elastic    bool
	workers    []*modelWorker // in slot order, as Stats lists those that aren't leaving
	unborn     []*modelWorker // that have been started, and the model doesn't know yet why
	parked     []*modelTask
	waiting    []*modelWait
	supervisor *modelWait
	drainers   []*modelWait // calls of DrainWait

	base, givenUp, held int
	replaced            []time.Time // replacements that the window counts
	idle                int         // places given up by workers that took nothing
	idleSince           time.Time   // when the last of them was
	wants               []modelWant
	most                int // the load before the tasks of the verb under way were taken
	halted, draining    bool
	drained, limited    bool
	drops               int           // tasks that were parked when the last worker of a draining pool ended
	n                   service.Stats // the counters
}

// modelWant is a size that load asked for at a time.
type modelWant struct {
	at   time.Time
	size int
}

func (p *modelPool) worker(id service.WorkerID) *modelWorker {
	for _, w := range p.workers {
		if w.id == id {
			return w
		}
	}
	return nil
}

func (p *modelPool) live() (n int) {
	for _, w := range p.workers {
		if w.routable() {
			n++
		}
	}
	return n
}

// room is how many more messages the mailbox takes, foreign ones included. While a verb is followed it may hold one that has
// been taken already.
func (p *modelPool) room(w *modelWorker) int {
	return max(int(p.opts.Worker.QueueCapacity)-len(w.box)-len(w.due), 0)
}

// roomy are the workers that can be sent to.
func (p *modelPool) roomy() (n int) {
	for _, w := range p.workers {
		if w.routable() && p.room(w) > 0 {
			n++
		}
	}
	return n
}

// free is how many messages the workers have room for.
func (p *modelPool) free() (n int) {
	for _, w := range p.workers {
		if w.routable() {
			n += p.room(w)
		}
	}
	return n
}

// left is how many tasks are parked when those that find room have gone. Of a worker that has just joined the model does not
// know yet what it got.
func (p *modelPool) left() int { return max(len(p.parked)-p.free(), 0) }

// load is what an elastic pool is sized by.
func (p *modelPool) load() int {
	n := len(p.parked) + len(p.waiting)
	for _, w := range p.workers {
		n += w.load()
	}
	return n
}

// wanted is the size that load asks for.
func (p *modelPool) wanted() int { return p.wantedFor(p.load()) }

func (p *modelPool) wantedFor(load int) int {
	target := int(p.opts.TargetPerWorker)
	return min(max((load+target-1)/target, int(p.opts.MinWorkers)), int(p.opts.MaxWorkers))
}
