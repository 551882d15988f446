package service

import (
	"bytes"
	"unsafe"
)

// entry is one accepted task on its way: in a mailbox's mirror, parked, or in a worker's hand. It is as large as a cache line.
type entry struct {
	tag, key  uint64
	data      *byte // the payload's first byte
	size      uint32
	attempt   uint32
	call      *call // who waits for the result; nil for Submit
	accepted  int64 // when it was accepted, on the service's clock (nanoseconds)
	queued    int64 // when it was put into the mailbox it is in
	owned     bool  // the payload is a copy of ours; before that it is the submitter's, who waits
	leg       bool  // one worker's share of a broadcast: it belongs to that worker
	waits     bool  // its submitter waits: in a pool that is halted it is not parked
	counted   bool  // it is in the ledger as routed: it was parked, or goes round again
	redeliver bool  // it was in the mailbox of a worker that ended
}

// newEntry makes an entry of a task whose payload has been found to be no larger than a mailbox allows. The payload is copied
// when somebody has room for it.
func newEntry(task *Task, c *call) (e entry) {
	e.tag, e.key, e.call = task.Tag, task.Key, c
	e.data, e.size = unsafe.SliceData(task.Payload), uint32(len(task.Payload))
	return e
}

func (e *entry) payload() []byte { return unsafe.Slice(e.data, e.size) }

// own copies the payload, once. The submitter may use its bytes again when the submit returns.
func (e *entry) own() {
	if !e.owned {
		copied := make([]byte, e.size)
		copy(copied, e.payload())
		e.data, e.owned = unsafe.SliceData(copied), true
	}
}

func (e *entry) task() Task {
	return Task{Tag: e.tag, Key: e.key, Payload: e.payload(), Attempt: e.attempt}
}

// is reports whether a message that Workers hands out is this entry. Shared bytes are recognised without reading them.
func (e *entry) is(tag uint64, payload []byte) bool {
	if e.tag != tag || int(e.size) != len(payload) {
		return false
	}
	return e.data == unsafe.SliceData(payload) || bytes.Equal(e.payload(), payload)
}
