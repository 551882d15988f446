package guest

import (
	"fmt"
	"sync"
	"time"

	"github.com/JairusSW/pool"
)

// Answers keeps what workers answered to the tasks in their hands, by tag. Safe for concurrent use.
type Answers struct {
	maxReply int // set once

	mu   sync.Mutex
	kept map[uint64]*answer // guarded by mu
	ours map[uint64]bool    // guarded by mu: the tags that Seize has taken
	free []*answer          // guarded by mu: for reuse, so that a reply allocates nothing
}

// answer is what a worker said of the task in its hand. Only that worker's calls touch it.
type answer struct {
	worker  pool.WorkerID
	since   time.Time // when the worker took the task
	replies int
	reply   []byte
	length  uint32 // of the last reply, also when it was too long to keep
	failed  *FailedError
}

// maxKept bounds the buffers that are kept for reuse (bytes each).
const maxKept = 64 << 10

// NewAnswers returns an empty set of answers to tasks; replies may have maxReply bytes.
func NewAnswers(maxReply int) *Answers {
	return &Answers{maxReply: maxReply, kept: make(map[uint64]*answer), ours: make(map[uint64]bool)}
}

// open starts with no answer to the task in the worker's hand.
func (a *Answers) open(tag uint64, worker pool.WorkerID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	next := &answer{}
	if last := len(a.free) - 1; last >= 0 {
		next = a.free[last]
		a.free = a.free[:last]
	}
	next.worker, next.since = worker, time.Now()
	a.kept[tag] = next
}

func (a *Answers) of(tag uint64) *answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kept[tag]
}

// reply keeps a copy of the reply to the task.
func (a *Answers) reply(tag uint64, reply []byte) {
	answer := a.of(tag)
	if answer == nil {
		return
	}
	answer.replies++
	answer.length = uint32(len(reply))
	if len(reply) <= a.maxReply {
		answer.reply = append(answer.reply[:0], reply...)
	}
}

// fail keeps the message that the task failed with; the first one counts.
func (a *Answers) fail(tag uint64, message []byte) {
	if answer := a.of(tag); answer != nil && answer.failed == nil {
		answer.failed = &FailedError{Message: string(message)}
	}
}

// take returns the task's answer and forgets it; nil when there is none.
func (a *Answers) take(tag uint64) *answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer := a.kept[tag]
	delete(a.kept, tag)
	return answer
}

// close calls use with the verdict on the task's answer, if there is one, and forgets it. The reply is good until use returns.
func (a *Answers) close(tag uint64, use func(reply []byte, err error) error) error {
	answer := a.take(tag)
	if answer == nil {
		return nil
	}
	err := use(a.verdict(answer))
	a.recycle(answer)
	return err
}

// Kept is the answer of a worker that returned with the task in its hand.
type Kept struct {
	Worker pool.WorkerID
	Reply  []byte
	Err    error // why the answer is none, as in ErrNoReply
}

// Kept forgets the answer that was kept when the task's worker returned with the task in hand, and returns it. There is none when
// the worker's next step has passed it on.
func (a *Answers) Kept(tag uint64) (Kept, bool) {
	answer := a.take(tag)
	if answer == nil {
		return Kept{}, false
	}
	reply, err := a.verdict(answer)
	return Kept{Worker: answer.worker, Reply: reply, Err: err}, true
}

// Forget forgets the task's answer. It doesn't look at it: a worker that was judged may still be writing it.
func (a *Answers) Forget(tag uint64) { a.take(tag) }

// InHand is a task that a worker has in its hand.
type InHand struct {
	Tag    uint64
	Worker pool.WorkerID
	Since  time.Time // when the worker took it
}

// Seize takes over the tasks that are in a hand and whose workers the caller wants, once and for all: Seized tells who waits for
// one of them.
func (a *Answers) Seize(wanted func(pool.WorkerID) bool) []InHand {
	a.mu.Lock()
	defer a.mu.Unlock()
	var seized []InHand
	for tag, answer := range a.kept {
		if !wanted(answer.worker) {
			continue
		}
		delete(a.kept, tag)
		a.ours[tag] = true
		seized = append(seized, InHand{Tag: tag, Worker: answer.worker, Since: answer.since})
	}
	return seized
}

// Seized reports whether Seize has taken over the task.
func (a *Answers) Seized(tag uint64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ours[tag]
}

func (a *Answers) verdict(answer *answer) ([]byte, error) {
	switch {
	case answer.replies > 0 && answer.failed != nil:
		return nil, ErrReplyAndFail
	case answer.failed != nil:
		return nil, answer.failed
	case answer.replies == 0:
		return nil, ErrNoReply
	case answer.replies > 1:
		return nil, ErrTwoReplies
	case int(answer.length) > a.maxReply:
		return nil, fmt.Errorf("%w: %d bytes, at most %d are taken", ErrReplyTooLong, answer.length, a.maxReply)
	}
	return answer.reply, nil
}

func (a *Answers) recycle(used *answer) {
	reply := used.reply[:0]
	if cap(reply) > maxKept {
		reply = nil
	}
	*used = answer{reply: reply}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.free = append(a.free, used)
}
