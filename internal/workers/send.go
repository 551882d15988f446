package workers

import "bytes"

// Send puts a copy of the payload at the end of the worker's mailbox: see [Service]. A refused Send copies nothing.
//
// Safe for concurrent use.
func (s *Workers) Send(id WorkerID, tag uint64, payload []byte) error {
	w, err := s.find(id)
	if err != nil {
		return err
	}
	if len(payload) > 0 {
		// Asked first, so that the copy is made with the mailbox free and only for a message that has room.
		if err := w.admit(len(payload)); err != nil {
			return err
		}
		payload = bytes.Clone(payload)
	}
	return w.put(message{tag: tag, payload: payload})
}

// SendOwned is Send without the copy: the payload belongs to the message from here on, and nobody may write to it again, a
// refused message's excepted.
//
// Safe for concurrent use.
func (s *Workers) SendOwned(id WorkerID, tag uint64, payload []byte) error {
	w, err := s.find(id)
	if err != nil {
		return err
	}
	return w.put(message{tag: tag, payload: payload})
}

// find returns a worker to send to.
func (s *Workers) find(id WorkerID) (*worker, error) {
	if s.closed.Load() {
		return nil, ErrWorkerRuntimeClosed
	}
	if w := s.byID.get(id); w != nil {
		return w, nil
	}
	if s.manager == nil {
		return nil, ErrWorkersInactive
	}
	return nil, ErrWorkerNotFound
}

func (w *worker) admit(size int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.admitLocked(size)
}

func (w *worker) admitLocked(size int) error {
	switch {
	case size > int(w.options.MaxPayloadBytes):
		return ErrPayloadTooLarge
	case w.shut:
		return ErrWorkerStopping
	case w.box.count >= w.options.QueueCapacity, uint64(w.box.bytes)+uint64(size) > uint64(w.options.MaxQueueBytes):
		return ErrWorkerQueueFull
	}
	return nil
}

func (w *worker) put(msg message) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.admitLocked(len(msg.payload)); err != nil {
		return err
	}
	w.box.push(msg)
	w.wakeLocked()
	return nil
}
