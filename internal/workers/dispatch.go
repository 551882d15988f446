package workers

import (
	"context"
	"runtime"
	"runtime/debug"

	wago "github.com/wago-org/wago"
)

// DispatchNext gives the calling worker's next message to the observers: see [Service]. A worker that was retired gets
// ErrWorkerStopping once its mailbox is empty.
//
// Safe for concurrent use.
func (s *Workers) DispatchNext(ctx context.Context, caller wago.HostModule) error {
	if s.manager == nil {
		return ErrWorkersInactive
	}
	w, err := s.calling(caller)
	if err != nil {
		return err
	}
	if err := w.dispatch.begin(); err != nil {
		return err
	}
	defer w.dispatch.end()
	msg, found, err := w.take(false)
	if err == nil && !found {
		// Whoever waits for what the worker has just done may run first and send the next message: that is cheaper than
		// going to sleep and being woken.
		runtime.Gosched()
		msg, found, err = w.take(true)
	}
	if err == nil && !found {
		if ctx == nil {
			ctx = context.Background()
		}
		msg, err = w.await(ctx, caller)
	}
	if err != nil {
		return err
	}
	return w.deliver(msg, caller)
}

// take takes a message if there is one. Without one, and without a reason to end, the worker is waiting from here on if it is
// to sleep.
func (w *worker) take(sleep bool) (msg message, found bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.ended:
		return message{}, false, ErrInvalidWorkerCaller
	case w.cause != nil:
		return message{}, false, w.cause
	case w.box.count > 0:
		return w.box.pop(), true, nil
	case w.retiring:
		w.shut = true
		return message{}, false, ErrWorkerStopping
	}
	w.waiting = sleep
	return message{}, false, nil
}

// await waits for a message, a stop, the end of the caller's host call, or the end of ctx. It also sees the instance's own
// close, by which it learns that the runtime closes: the host waits for consumers before it ends this service.
func (w *worker) await(ctx context.Context, caller wago.HostModule) (message, error) {
	gone, unwatch, err := w.service.manager.WatchCaller(caller)
	if err != nil {
		return message{}, ErrInvalidWorkerCaller
	}
	defer unwatch()
	closing, err := w.service.manager.Closing(caller)
	if err != nil {
		return message{}, ErrInvalidWorkerCaller
	}
	for {
		select {
		case <-w.wake:
		case <-ctx.Done():
		case <-closing:
			w.instanceClosing()
		case <-gone:
			return message{}, ErrInvalidWorkerCaller
		}
		if isClosed(gone) { // nobody is there to take a message, though one may have come
			return message{}, ErrInvalidWorkerCaller
		}
		if msg, found, err := w.take(true); found || err != nil {
			return msg, err
		}
		if err := ctx.Err(); err != nil {
			return message{}, err
		}
	}
}

// deliver calls the message observers. What one of them returns, a panic or a Goexit ends the worker.
func (w *worker) deliver(msg message, caller wago.HostModule) (err error) {
	unwound := true
	defer func() {
		if unwound {
			// recover is nil in a Goexit: the goroutine goes on unwinding, and nobody sees err but the worker.
			err = ErrGoexit
			if value := recover(); value != nil {
				err = &PanicError{Value: value, Stack: debug.Stack()}
			}
		}
		w.leave(insideMessage)
		w.message = MessageContext{}
		if err != nil {
			w.stop(err, stopFailed, w.service.grace)
		}
	}()
	w.message = MessageContext{WorkerID: w.id, Tag: msg.tag, Payload: msg.payload, Caller: caller}
	for _, o := range w.service.observers.messages.load() {
		if !w.enter(insideMessage, o) {
			continue
		}
		if err = o.message(&w.message); err != nil {
			break
		}
		w.leave(insideMessage)
	}
	unwound = false
	return err
}
