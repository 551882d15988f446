package ledger

import (
	"fmt"

	"github.com/JairusSW/pool"
)

// Draft is a task that is being submitted. Exactly one of its methods says how that ended; their errors say what should not have
// happened by then.
//
// Not safe for concurrent use.
type Draft struct {
	Tag  Tag
	book *Book
	most uint64 // how many tasks it can become
}

// Draft begins a submit of a task at which guests do first, and in later attempts later.
func (b *Book) Draft(first, later uint8) Draft {
	most := uint64(1)
	if b.Shape.Legs {
		most = uint64(b.Shape.Max)
	}
	return b.draft(first, later, most)
}

// DraftBroadcast begins a Broadcast of a task.
func (b *Book) DraftBroadcast(act uint8) Draft {
	b.counts.broadcasts.Add(1)
	return b.draft(act, broadcast, uint64(b.Shape.Max))
}

func (b *Book) draft(first, later uint8, most uint64) Draft {
	b.counts.begun.Add(most)
	return Draft{Tag: newTag(b.ID, b.serial.Add(1), first, later), book: b, most: most}
}

// Accepted is for a submit that said so.
func (d Draft) Accepted() {
	d.book.counts.accepted.Add(1)
	if !d.book.Shape.Legs {
		d.book.counts.away.Add(d.most - 1)
	}
}

// Legs is for a Broadcast that n workers took.
func (d Draft) Legs(n int) error {
	if n < 0 || uint64(n) > d.most {
		return fmt.Errorf("%d workers took a broadcast to at most %d", n, d.most)
	}
	d.book.counts.accepted.Add(uint64(n))
	d.book.counts.away.Add(d.most - uint64(n))
	return nil
}

// AcceptedOrShed is for a submit to a pool that sheds, which returned nil and no worker.
func (d Draft) AcceptedOrShed() { d.book.counts.maybeShed.Add(1) }

// Refused is for a call that counts as rejected.
func (d Draft) Refused() error {
	d.book.counts.refused.Add(1)
	return d.nothingLeft(d.most)
}

// Unclear is for a call that was refused and may count as rejected or not.
func (d Draft) Unclear() error {
	d.book.counts.unclear.Add(1)
	return d.nothingLeft(d.most)
}

// Away is for a call that was refused and counts nowhere.
func (d Draft) Away() error { return d.nothingLeft(d.most) }

func (d Draft) nothingLeft(tasks uint64) error {
	d.book.counts.away.Add(tasks)
	if was := d.book.tasks.mark(d.Tag, refused); was.attempts() > 0 {
		return fmt.Errorf("task %#x was refused, and worker %d has had it", uint64(d.Tag), was.worker())
	}
	return nil
}

// Ended is for an accepted Call that was told how its task ended; done: with a result.
func (d Draft) Ended(done bool) error {
	d.Accepted()
	was := d.book.tasks.mark(d.Tag, over)
	if done && was.attempts() == 0 {
		return fmt.Errorf("call %#x has a result, and no worker has had the task", uint64(d.Tag))
	}
	return nil
}

// TakenBy returns who had the task in hand last; 0: nobody.
func (d Draft) TakenBy() pool.WorkerID { return word(d.book.tasks.at(d.Tag.Serial()).Load()).worker() }
