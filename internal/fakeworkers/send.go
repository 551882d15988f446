package fakeworkers

import (
	"bytes"

	"github.com/wago-org/workers"
)

// Send puts a copy of the payload at the end of the worker's mailbox.
func (p plain) Send(id workers.WorkerID, tag uint64, payload []byte) error {
	return p.f.send(id, tag, payload, true)
}

func (f *Fake) send(id workers.WorkerID, tag uint64, payload []byte, clone bool) error {
	if err := refuses(f.hooked().Send, id); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return workers.ErrWorkerRuntimeClosed
	}
	w := f.workers[id]
	if w == nil {
		return workers.ErrWorkerNotFound
	}
	if err := w.admitLocked(len(payload)); err != nil {
		return err
	}
	if clone {
		payload = bytes.Clone(payload)
	}
	w.box = append(w.box, message{tag, payload})
	w.bytes += uint64(len(payload))
	w.wakeLocked()
	return nil
}

func (w *worker) admitLocked(size int) error {
	switch {
	case size > int(w.options.MaxPayloadBytes):
		return workers.ErrPayloadTooLarge
	case w.cause != nil || w.retired || w.ended:
		return workers.ErrWorkerStopping
	case len(w.box) >= int(w.options.QueueCapacity) || w.bytes+uint64(size) > uint64(w.options.MaxQueueBytes):
		return workers.ErrWorkerQueueFull
	}
	return nil
}

func (w *worker) popLocked() message {
	msg := w.box[0]
	w.box = w.box[1:]
	w.bytes -= uint64(len(msg.payload))
	return msg
}

// Mailbox returns the tags of the messages in the worker's mailbox, oldest first.
func (f *Fake) Mailbox(id workers.WorkerID) (tags []uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w := f.workers[id]; w != nil {
		for _, m := range w.box {
			tags = append(tags, m.tag)
		}
	}
	return tags
}
