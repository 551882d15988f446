package fakeworkers

import (
	"time"

	"github.com/wago-org/workers"
)

// Kill tells the worker to stop.
func (p plain) Kill(id workers.WorkerID) error { return p.f.kill(id, p.f.config.Grace, nil) }

func (f *Fake) kill(id workers.WorkerID, grace time.Duration, cause error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.workers[id]
	if w == nil {
		return workers.ErrWorkerNotFound
	}
	if cause == nil {
		cause = workers.ErrWorkerKilled
	}
	w.stopLocked(cause, false, grace)
	return nil
}

func (f *Fake) retire(id workers.WorkerID) error {
	if err := refuses(f.hooked().Retire, id); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.workers[id]
	if w == nil {
		return workers.ErrWorkerNotFound
	}
	w.retiring = true
	w.wakeLocked()
	return nil
}

func (w *worker) stop(cause error, failed bool, grace time.Duration) {
	w.fake.mu.Lock()
	defer w.fake.mu.Unlock()
	w.stopLocked(cause, failed, grace)
}

// stopLocked tells the worker to stop: the mailbox is dropped, a dispatch wakes up, and the guest is interrupted when the
// grace is over. The first cause stays, and a later stop can only shorten the grace.
func (w *worker) stopLocked(cause error, failed bool, grace time.Duration) {
	if w.ended {
		return
	}
	if w.cause == nil {
		w.cause, w.failed = cause, failed
		w.box, w.bytes = nil, 0
		w.wakeLocked()
		close(w.told)
	}
	until := time.Now().Add(grace)
	switch {
	case isClosed(w.interrupted):
	case grace <= 0:
		w.interruptLocked()
	case w.grace == nil:
		w.graceUntil = until
		w.grace = time.AfterFunc(grace, w.interrupt)
	case until.Before(w.graceUntil):
		w.graceUntil = until
		w.grace.Reset(grace)
	}
}

func (w *worker) interrupt() {
	w.fake.mu.Lock()
	defer w.fake.mu.Unlock()
	w.interruptLocked()
}

func (w *worker) interruptLocked() {
	if !isClosed(w.interrupted) {
		close(w.interrupted)
	}
}
