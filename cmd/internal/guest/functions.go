package guest

import (
	"bytes"
	"errors"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// serve(entry i32) hands the first instance's call over to the server. The lease on Pool lasts as long as the call.
func (p *Plugin) serve(m wago.HostModule, params, _ []uint64) error {
	if !p.opened.CompareAndSwap(true, false) {
		err := p.misuse(m)
		p.server.Misused(&CallError{Function: "pool.serve", Err: err})
		return err
	}
	p.served.Store(true)
	return p.pools.With(func(s pool.Service) error { return p.server.Serve(s, m, uint32(params[0])) })
}

// misuse says what is wrong with a call of pool.serve.
func (p *Plugin) misuse(m wago.HostModule) error {
	if _, err := p.worker(m); err == nil {
		return ErrServeInWorker
	}
	if p.served.Load() {
		return ErrServeTwice
	}
	return ErrServeEarly
}

// read(off i32, buf i32, cap i32) -> i32 copies the record in hand from off on and returns how many bytes that were.
func (p *Plugin) read(m wago.HostModule, params, results []uint64) error {
	buf, err := view(m, uint32(params[1]), uint32(params[2]))
	if err != nil {
		return err
	}
	task, err := p.inHand(m)
	if err != nil {
		return err
	}
	offset := min(uint64(uint32(params[0])), uint64(len(task.Payload)))
	results[0] = uint64(copy(buf, task.Payload[offset:]))
	return nil
}

// reply(ptr i32, len i32) keeps a copy of the reply to the record in hand.
func (p *Plugin) reply(m wago.HostModule, params, _ []uint64) error {
	reply, err := view(m, uint32(params[0]), uint32(params[1]))
	if err != nil {
		return err
	}
	task, err := p.inHand(m)
	if err != nil {
		return err
	}
	p.answers.reply(task.Tag, reply)
	return nil
}

// maxMessage bounds what is kept of a guest's messages (bytes).
const maxMessage = 4 << 10

// fail(ptr i32, len i32) keeps the message with which the record in hand fails.
func (p *Plugin) fail(m wago.HostModule, params, _ []uint64) error {
	message, err := view(m, uint32(params[0]), uint32(params[1]))
	if err != nil {
		return err
	}
	task, err := p.inHand(m)
	if err != nil {
		return err
	}
	p.answers.fail(task.Tag, message[:min(len(message), maxMessage)])
	return nil
}

// tag() -> i64 returns the number of the record in hand, from 1 on.
func (p *Plugin) tag(m wago.HostModule, _, results []uint64) error {
	task, err := p.inHand(m)
	results[0] = task.Tag
	return err
}

// log(ptr i32, len i32) passes a message on, from any instance at any time.
func (p *Plugin) log(m wago.HostModule, params, _ []uint64) error {
	message, err := view(m, uint32(params[0]), uint32(params[1]))
	if err != nil {
		return err
	}
	task, _ := p.inHand(m)   // none: the message is about no record
	worker, _ := p.worker(m) // none: it is the first instance's
	text := bytes.TrimRight(message[:min(len(message), maxMessage)], "\r\n")
	p.server.Log(worker, task.Tag, string(text))
	return nil
}

// abort(message i32, file i32, line i32, column i32) is where AssemblyScript's assertions and throws end.
func (p *Plugin) abort(m wago.HostModule, params, _ []uint64) error {
	return &AbortError{
		Message: scriptString(m, uint32(params[0])), File: scriptString(m, uint32(params[1])),
		Line: uint32(params[2]), Column: uint32(params[3]),
	}
}

// inHand returns the task in the calling worker's hand.
func (p *Plugin) inHand(m wago.HostModule) (pool.Task, error) {
	var task pool.Task
	err := p.pools.With(func(s pool.Service) (err error) {
		task, err = s.Current(m)
		return err
	})
	return task, named(err)
}

// worker returns which worker calls.
func (p *Plugin) worker(m wago.HostModule) (pool.WorkerID, error) {
	var id pool.WorkerID
	err := p.workers.With(func(s workers.Service) (err error) {
		id, err = s.Current(m)
		return err
	})
	return id, err
}

// named gives Pool's answers to a guest's mistake the names that the ABI has for them.
func named(err error) error {
	switch {
	case errors.Is(err, pool.ErrNoTask):
		return ErrNoRecord
	case errors.Is(err, workers.ErrWorkerNotFound), errors.Is(err, workers.ErrInvalidWorkerCaller):
		return ErrNotWorker
	}
	return err
}
