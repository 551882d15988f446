package script

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	wago "github.com/wago-org/wago"

	"github.com/JairusSW/pool/internal/puppet"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
)

var submitVerbs = map[string]Verb{
	"submit":      {"submit POOL TASKS [key=N] [bytes=N]: Submit, or SubmitKeyed", (*player).submit},
	"submit-task": {"submit-task POOL TASKS [key=N] [bytes=N]: SubmitTask", (*player).submitTask},
	"submit-from": {"submit-from POOL TASKS [by=OWNER | in=W]: SubmitFrom, by an owner or in a worker's host call", (*player).submitFrom},
	"submit-wait": {"submit-wait POOL TASKS [bytes=N] [for=TIME] [in=W]: may wait", (*player).submitWait},
	"call":        {"call POOL TASKS [text=T] [for=TIME] [in=W]: waits", (*player).callTask},
	"broadcast":   {"broadcast POOL TASKS", (*player).broadcast},
	"send":        {"send W TASKS: a message past Pool", (*player).send},
}

// payload is a text, or as many bytes as asked for.
func payload(w *words) []byte {
	if t := w.setting("text"); t != "" {
		return []byte(t)
	}
	return []byte(strings.Repeat("x", int(w.count("bytes"))))
}

// accepted says what a submit returned.
func accepted(worker service.WorkerID, err error) string {
	switch {
	case err != nil:
		return explain(err)
	case worker == 0:
		return "ok, no worker"
	}
	return fmt.Sprintf("worker %d", worker)
}

func (p *player) each(w *words, submit func(id service.ID, tag uint64) (service.WorkerID, error)) error {
	id := p.pool(w)
	tags := w.numbers("task")
	if w.err != nil {
		return w.err
	}
	for _, tag := range tags {
		worker, err := submit(id, tag)
		p.submitted(id, 1, err)
		p.printf("task %d: %s\n", tag, accepted(worker, err))
		p.tick()
	}
	return nil
}

// tick has everything that is submitted or sent come at a time of its own.
func (p *player) tick() { time.Sleep(time.Microsecond) }

func (p *player) submit(w *words) error {
	bytes := payload(w)
	if w.settings["key"] != "" {
		key := w.count("key")
		return p.each(w, func(id service.ID, tag uint64) (service.WorkerID, error) {
			return p.stage.Pools.SubmitKeyed(id, key, tag, bytes)
		})
	}
	return p.each(w, func(id service.ID, tag uint64) (service.WorkerID, error) {
		return p.stage.Pools.Submit(id, tag, bytes)
	})
}

func (p *player) submitTask(w *words) error {
	key, bytes := w.count("key"), payload(w)
	return p.each(w, func(id service.ID, tag uint64) (service.WorkerID, error) {
		return p.stage.Pools.SubmitTask(id, service.Task{Tag: tag, Key: key, Payload: bytes})
	})
}

func (p *player) submitFrom(w *words) error {
	if w.settings["in"] == "" {
		caller := p.caller(w)
		return p.each(w, func(id service.ID, tag uint64) (service.WorkerID, error) {
			worker, err := p.stage.Pools.SubmitFrom(caller, id, tag, nil)
			if err != nil && sentinel(err) == "" { // why there is no worker
				p.tallyOf(id).refused++
			}
			return worker, err
		})
	}
	return p.waiting(w, func(_ context.Context, caller wago.HostModule, id service.ID, tag uint64) (string, error) {
		worker, err := p.stage.Pools.SubmitFrom(caller, id, tag, nil)
		return accepted(worker, err), err
	})
}

func (p *player) submitWait(w *words) error {
	bytes := payload(w)
	return p.waiting(w, func(ctx context.Context, _ wago.HostModule, id service.ID, tag uint64) (string, error) {
		worker, err := p.stage.Pools.SubmitWait(ctx, id, service.Task{Tag: tag, Key: tag, Payload: bytes})
		return accepted(worker, err), err
	})
}

func (p *player) callTask(w *words) error {
	bytes := payload(w)
	return p.waiting(w, func(ctx context.Context, _ wago.HostModule, id service.ID, tag uint64) (string, error) {
		result, err := p.stage.Pools.Call(ctx, id, service.Task{Tag: tag, Key: tag, Payload: bytes})
		if err != nil {
			return explain(err), err
		}
		return fmt.Sprintf("ok %q", result), nil
	})
}

// waiting begins submits that may wait, one for each task.
func (p *player) waiting(w *words, submit func(ctx context.Context, caller wago.HostModule, id service.ID, tag uint64) (string, error)) error {
	id := p.pool(w)
	tags := w.numbers("task")
	for _, tag := range tags {
		var text string
		var err error
		var own *job
		name := fmt.Sprintf("%s %d", w.verb, tag)
		failed := p.in(w, name, id, func(ctx context.Context, caller wago.HostModule) {
			text, err = submit(ctx, caller, id, tag)
		}, func() string {
			p.ended(id, err, own.waited)
			return text
		})
		if failed != nil {
			return failed
		}
		own = p.jobs[len(p.jobs)-1]
		p.tick()
	}
	return nil
}

// ended counts a submit that may have waited: what ends it before acceptance is a refusal, unless the door was shut when it
// came.
func (p *player) ended(id service.ID, err error, waited bool) {
	var task *service.TaskError
	switch {
	case err == nil || errors.As(err, &task):
		p.submitted(id, 1, nil)
	case waited || !atTheDoor(err):
		p.submitted(id, 0, service.ErrPoolBackpressure)
	}
}

func atTheDoor(err error) bool {
	for _, shut := range []error{
		service.ErrPoolNotFound, service.ErrPoolDraining, service.ErrPoolsClosed, service.ErrInvalidPoolOptions, service.ErrWorkersUnavailable,
	} {
		if errors.Is(err, shut) {
			return true
		}
	}
	return false
}

// inWorker begins a call in a host call of a worker.
func (p *player) inWorker(worker *puppet.Puppet, name string, id service.ID, call func(ctx context.Context, caller wago.HostModule), result func() string) error {
	begun, over := make(chan struct{}), make(chan struct{})
	err := worker.Do(func(caller wago.HostModule) workerstest.Act {
		defer close(over)
		ctx, cancel, err := p.stage.Pools.CallerContext(caller)
		if err != nil {
			return workerstest.Trap
		}
		defer cancel()
		close(begun)
		call(ctx, caller)
		return workerstest.Again
	})
	if err == nil {
		p.begin(name, id, 0, func(context.Context) { <-over }, result)
	}
	return err
}

func (p *player) broadcast(w *words) error {
	id := p.pool(w)
	tags := w.numbers("task")
	if w.err != nil {
		return w.err
	}
	for _, tag := range tags {
		n, err := p.stage.Pools.Broadcast(id, tag, nil)
		p.tallyOf(id).legs = true
		p.printf("task %d: %d took it, %s\n", tag, n, explain(err))
		p.tick()
	}
	return nil
}

func (p *player) send(w *words) error {
	worker := service.WorkerID(w.number("worker"))
	for _, tag := range w.numbers("message") {
		p.printf("message %d: %s\n", tag, explain(p.stage.Harness.Service().Send(worker, tag, nil)))
		p.tick()
	}
	return w.err
}
