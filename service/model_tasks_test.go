package service_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/JairusSW/pool/service"
)

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

// park puts tasks among those parked, the oldest first.
func (p *modelPool) park(tasks ...*modelTask) {
	p.parked = append(p.parked, tasks...)
	slices.SortStableFunc(p.parked, func(a, b *modelTask) int { return a.arrived - b.arrived })
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

// mayBeFull says whether a new task may be refused. What the strategy chooses is not known, so without spill one full worker
// is enough.
func (p *modelPool) mayBeFull() bool {
	left := p.left()
	switch {
	case left > 0:
		return left+len(p.waiting) >= p.parking()
	case p.opts.Overflow == service.OverflowSpill:
		return p.free() <= p.asking()
	}
	return p.asking() > 0 || p.roomy() < p.live()
}

// mayPark says whether a new task may be parked: behind others, or for lack of a worker. One that waited may have been parked
// before a worker joined, or when another had just found one.
func (p *modelPool) mayPark(waited bool) bool {
	left := p.left()
	behind := left > 0 || waited && len(p.parked) > 0
	return (waited || left < p.parking()) && (behind && p.live() > 0 || p.live() == 0 && p.floorless)
}
