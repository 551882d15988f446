package fakeworkers

import (
	"context"
	"runtime/debug"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// DispatchNext takes one message out of the calling worker's mailbox and gives it to the message observers.
func (p plain) DispatchNext(ctx context.Context, caller wago.HostModule) error {
	w, c, err := p.f.calling(caller)
	if err != nil {
		return err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if !w.beginDispatch() {
		return workers.ErrWorkerDispatchActive
	}
	defer w.endDispatch()
	msg, err := w.await(ctx, c)
	if err != nil {
		return err
	}
	return w.deliver(msg, caller)
}

func (w *worker) beginDispatch() bool {
	w.fake.mu.Lock()
	defer w.fake.mu.Unlock()
	if w.dispatch != nil {
		return false
	}
	w.dispatch = make(chan struct{})
	return true
}

func (w *worker) endDispatch() {
	w.fake.mu.Lock()
	defer w.fake.mu.Unlock()
	close(w.dispatch)
	w.dispatch = nil
}

// await waits for a message, a stop, the end of the host call or the end of ctx. A stop comes first, a message before an
// ended context.
func (w *worker) await(ctx context.Context, c *call) (message, error) {
	for {
		if msg, found, err := w.take(c); found || err != nil {
			return msg, err
		}
		if err := ctx.Err(); err != nil {
			return message{}, err
		}
		select {
		case <-w.wake:
		case <-ctx.Done():
		case <-c.ended:
		}
	}
}

func (w *worker) take(c *call) (msg message, found bool, err error) {
	w.fake.mu.Lock()
	defer w.fake.mu.Unlock()
	switch {
	case w.ended || isClosed(c.ended):
		return message{}, false, workers.ErrInvalidWorkerCaller
	case w.cause != nil:
		return message{}, false, w.cause
	case len(w.box) > 0:
		return w.popLocked(), true, nil
	case w.retiring:
		w.retired = true
		return message{}, false, workers.ErrWorkerStopping
	}
	return message{}, false, nil
}

// deliver calls the message observers, oldest first. An error of one, a panic or a Goexit ends the worker.
func (w *worker) deliver(msg message, caller wago.HostModule) (err error) {
	var inside *observer
	unwound := true
	defer func() {
		if unwound {
			err = workers.ErrGoexit // a Goexit goes on unwinding; nobody sees err but the worker
			if value := recover(); value != nil {
				err = &workers.PanicError{Value: value, Stack: debug.Stack()}
			}
			w.fake.observers.leave(inside)
		}
		if err != nil {
			w.stop(err, true, w.fake.config.Grace)
		}
	}()
	m := &workers.MessageContext{WorkerID: w.id, Tag: msg.tag, Payload: msg.payload, Caller: caller}
	for _, inside = range w.fake.observers.messages() {
		if !w.fake.observers.enter(inside) {
			continue
		}
		if err = inside.message(m); err != nil {
			w.fake.observers.leave(inside)
			break
		}
		w.fake.observers.leave(inside)
	}
	unwound = false
	return err
}
