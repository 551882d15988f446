package ledger

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/JairusSW/pool"
)

// word is what is known of one task.
//
//	bits 0–7 attempts begun; 8 refused; 9 over; 10 finished; 16–63 the worker that took it last
type word uint64

const (
	attemptMask word = 1<<8 - 1
	refused     word = 1 << 8  // its submit said that nothing was left behind
	over        word = 1 << 9  // its caller or its guest has been told that it ended
	finished    word = 1 << 10 // its guest did its last step
	workerShift      = 16
)

func (w word) attempts() uint32      { return uint32(w & attemptMask) }
func (w word) worker() pool.WorkerID { return pool.WorkerID(w >> workerShift) }

// tasks are the words of a pool's tasks, by number.
//
// Safe for concurrent use.
type tasks struct {
	mu     sync.RWMutex
	chunks []*[chunkSize]atomic.Uint64 // guarded by mu
}

const chunkSize = 1 << 10

func (t *tasks) at(serial uint32) *atomic.Uint64 {
	chunk, i := int(serial/chunkSize), serial%chunkSize
	t.mu.RLock()
	if chunk < len(t.chunks) {
		defer t.mu.RUnlock()
		return &t.chunks[chunk][i]
	}
	t.mu.RUnlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	for chunk >= len(t.chunks) {
		t.chunks = append(t.chunks, new([chunkSize]atomic.Uint64))
	}
	return &t.chunks[chunk][i]
}

// change applies next to a task's word and returns the word as it was.
func (t *tasks) change(serial uint32, next func(word) word) word {
	for at := t.at(serial); ; {
		old := at.Load()
		if at.CompareAndSwap(old, uint64(next(word(old)))) {
			return word(old)
		}
	}
}

// mark sets a flag and returns the word as it was.
func (t *tasks) mark(tag Tag, flag word) word {
	return t.change(tag.Serial(), func(w word) word { return w | flag })
}

// take notes that a worker has begun an attempt, the nth or, for 0, the next; it returns the word as it was.
func (t *tasks) take(tag Tag, worker pool.WorkerID, n uint32) word {
	return t.change(tag.Serial(), func(w word) word {
		flags := w & (refused | over | finished)
		return word(worker)<<workerShift | flags | min(max(w&attemptMask+1, word(n)), attemptMask)
	})
}

// ErrEnded: a task runs whose caller has been told that it ended, or that Fail had settled. It may have been in the guest's hand
// when that happened: ask Pool whether it still is.
var ErrEnded = errors.New("a task runs that had ended")

// mayBegin says what is wrong with an attempt of a task of which so much is known; attempt is the number that the guest was told,
// 0 when it isn't told any.
func (w word) mayBegin(tag Tag, attempt, retries uint32) error {
	begun := w.attempts()
	switch {
	case w&refused != 0:
		return fmt.Errorf("task %#x runs, which was refused", uint64(tag))
	case w&finished != 0:
		return fmt.Errorf("task %#x runs again, which worker %d had finished", uint64(tag), w.worker())
	case w&over != 0:
		return fmt.Errorf("%w: %#x", ErrEnded, uint64(tag))
	case max(begun+1, attempt) > retries+1:
		return fmt.Errorf("task %#x is tried for the %d. time with %d retries", uint64(tag), max(begun+1, attempt), retries)
	case attempt != 0 && attempt <= begun:
		return fmt.Errorf("task %#x is tried for the %d. time, its guest is told %d", uint64(tag), begun+1, attempt)
	}
	return nil
}
