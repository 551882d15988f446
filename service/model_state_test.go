package service_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/JairusSW/pool/service"
	"github.com/JairusSW/pool/supervise"
	"github.com/wago-org/workers"
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

// room is how many more messages the mailbox takes, foreign ones included. While a verb is followed it may hold one that has
// been taken already.
func (p *modelPool) room(w *modelWorker) int {
	return max(int(p.opts.Worker.QueueCapacity)-len(w.box)-len(w.due), 0)
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

// next moves the next message of w's mailbox into its hand. tag is what w was handed, and attempt how often the task has been
// in a hand then, 0 for a message that wasn't taken through Pool.
func (p *modelPool) next(now time.Time, w *modelWorker, raw bool, tag uint64, attempt uint32) error {
	var item *modelTask
	switch {
	case len(w.box) > 0:
		item, w.box = w.box[0], w.box[1:]
	case len(w.due) > 0 && !p.isParked(tag):
		item, w.due = w.due[0], w.due[1:]
	default:
		if item = p.unpark(tag); item == nil {
			return fmt.Errorf("worker %d was handed %d out of nowhere", w.id, tag)
		}
	}
	p.handOver(w)
	w.took = true
	switch {
	case item.foreign:
		p.n.Foreign++
		if raw && tag == item.tag || !raw && attempt == 0 {
			return nil
		}
		return fmt.Errorf("worker %d was handed %d, and not message %d", w.id, tag, item.tag)
	case item.tag != tag || !raw && attempt != item.attempt+1:
		return fmt.Errorf("worker %d was handed task %d attempt %d, and not %d attempt %d", w.id, tag, attempt, item.tag, item.attempt+1)
	}
	item.attempt++
	w.hand, w.raw, w.since = item, raw, now
	return nil
}

func (p *modelPool) isParked(tag uint64) bool {
	return slices.ContainsFunc(p.parked, func(t *modelTask) bool { return t.tag == tag })
}

// unpark takes a task out of those parked: a worker got it.
func (p *modelPool) unpark(tag uint64) *modelTask {
	i := slices.IndexFunc(p.parked, func(t *modelTask) bool { return t.tag == tag })
	if i < 0 {
		return nil
	}
	t := p.parked[i]
	p.parked = slices.Delete(p.parked, i, i+1)
	if t.again {
		p.n.Redelivered++
	}
	return t
}

// fill makes what is in w's mailbox what Workers says. It is what was there, then parked tasks, then those that were given to
// w directly.
func (p *modelPool) fill(w *modelWorker, tags []uint64) error {
	if len(tags) > int(p.opts.Worker.QueueCapacity) {
		return fmt.Errorf("worker %d has %d messages", w.id, len(tags))
	}
	for i, tag := range tags {
		switch {
		case i < len(w.box):
			if w.box[i].tag != tag {
				return fmt.Errorf("worker %d has message %d in place %d, and not %d", w.id, tag, i, w.box[i].tag)
			}
		case len(w.due) > 0 && w.due[0].tag == tag:
			w.box, w.due = append(w.box, w.due[0]), w.due[1:]
		default:
			t := p.unpark(tag)
			switch {
			case t == nil:
				return fmt.Errorf("worker %d has message %d out of nowhere", w.id, tag)
			case !w.routable():
				return fmt.Errorf("worker %d was given task %d, and takes none", w.id, tag)
			}
			w.box = append(w.box, t)
		}
	}
	if len(tags) < len(w.box) || len(w.due) > 0 {
		return fmt.Errorf("worker %d has lost messages: it has %v", w.id, tags)
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

// roomy are the workers that can be sent to.
func (p *modelPool) roomy() (n int) {
	for _, w := range p.workers {
		if w.routable() && p.room(w) > 0 {
			n++
		}
	}
	return n
}

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

// done, failed and dropped settle a task.
func (p *modelPool) done(t *modelTask, result string) {
	p.n.Done++
	t.wait.settle(nil, result)
}

func (p *modelPool) failed(t *modelTask, why error) {
	p.n.FailedTasks++
	t.wait.settle(why, "")
}

func (p *modelPool) dropped(tasks []*modelTask, why error) {
	for _, t := range tasks {
		p.n.Dropped++
		t.wait.settle(why, "")
	}
}

// handOver settles what w has in hand as done: it takes its next, or returns.
func (p *modelPool) handOver(w *modelWorker) {
	if w.hand != nil {
		p.done(w.hand, "")
		w.hand = nil
	}
}

// park puts tasks among those parked, the oldest first.
func (p *modelPool) park(tasks ...*modelTask) {
	p.parked = append(p.parked, tasks...)
	slices.SortStableFunc(p.parked, func(a, b *modelTask) int { return a.arrived - b.arrived })
}

// refuseWaits ends every wait for room.
func (p *modelPool) refuseWaits(why error) {
	for len(p.waiting) > 0 {
		p.refuse(p.waiting[0], why)
	}
}

// refuse ends a wait for room.
func (p *modelPool) refuse(w *modelWait, why error) {
	p.n.Submitted++
	p.n.Rejected++
	w.settle(why, "")
	p.waiting = slices.DeleteFunc(p.waiting, func(other *modelWait) bool { return other == w })
}

// die takes a worker out of the pool. clean says that it returned, or exited with code 0.
func (p *modelPool) die(now time.Time, w *modelWorker, kind workers.WorkerExitKind) {
	clean := kind == workers.WorkerReturned
	unasked := w.judged || w.routable()
	p.n.Exited++
	if kind == workers.WorkerFailed {
		p.n.Failed++
	}
	switch {
	case w.hand == nil:
	case clean && !w.judged:
		p.handOver(w)
	case !w.hand.leg && w.hand.attempt <= p.opts.Retries:
		p.n.Retried++
		w.hand.again = false
		w.hand.left(w, 0)
		p.park(w.hand)
	default:
		p.failed(w.hand, service.ErrTaskFailed)
	}
	for i, t := range w.box {
		switch {
		case t.foreign:
		case t.leg:
			p.dropped([]*modelTask{t}, service.ErrTasksDropped)
		default:
			t.again = true
			t.left(w, 1+i)
			p.park(t)
		}
	}
	p.workers = slices.DeleteFunc(p.workers, func(other *modelWorker) bool { return other == w })
	if unasked && !p.draining {
		p.ended(now, !clean || w.judged, w.took)
	}
	p.rest()
}

// ended is supervision's say on a worker that ended without having been asked to.
func (p *modelPool) ended(now time.Time, failure, took bool) {
	replace := p.opts.Restart == supervise.Always || p.opts.Restart == supervise.OnFailure && failure
	switch {
	case p.halted:
	case !replace:
		p.givenUp++
		if !took {
			p.forgetIdle(now)
			p.idle, p.idleSince = p.idle+1, now
		}
	case p.spend(now, took):
		p.n.Restarted++
		p.held++
	}
}

func (p *modelPool) forgetIdle(now time.Time) {
	if now.Sub(p.idleSince) > p.opts.RestartWindow {
		p.idle = 0
	}
}

// spend counts a replacement, or halts the pool.
func (p *modelPool) spend(now time.Time, took bool) bool {
	budget := int(p.opts.MaxRestarts)
	if p.opts.MaxRestarts == service.UnlimitedRestarts {
		if took {
			return true
		}
		budget = int(service.DefaultMaxRestarts)
	}
	p.replaced = slices.DeleteFunc(p.replaced, func(at time.Time) bool { return now.Sub(at) > p.opts.RestartWindow })
	if len(p.replaced) == budget {
		p.halted = true
		return false
	}
	p.replaced = append(p.replaced, now)
	return true
}

// rest is what follows when workers have gone.
func (p *modelPool) rest() {
	defer p.tellDrainers()
	switch {
	case p.draining && len(p.workers) == 0 && !p.drained:
		p.drained = true
		p.drops = len(p.parked)
		p.dropped(p.parked, service.ErrTasksDropped)
		p.parked = nil
		p.supervisor.settle(nil, "")
		p.supervisor = nil
	case p.halted && p.live() == 0 && !p.draining:
		p.refuseWaits(service.ErrPoolHalted)
		for _, t := range p.parked {
			t.wait.settle(service.ErrPoolHalted, "")
		}
	}
}

// tellDrainers ends the calls of DrainWait on a pool that is drained.
func (p *modelPool) tellDrainers() {
	if !p.drained {
		return
	}
	for _, w := range p.drainers {
		if p.drops > 0 {
			w.settle(service.ErrTasksDropped, "")
		} else {
			w.settle(nil, "")
		}
	}
	p.drainers = nil
}
