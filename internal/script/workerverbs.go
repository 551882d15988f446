package script

import (
	"fmt"

	wago "github.com/wago-org/wago"

	"github.com/JairusSW/pool/internal/puppet"
	"github.com/JairusSW/pool/internal/workerstest"
)

var workerVerbs = map[string]Verb{
	"take":     {"take W...: the worker asks Pool for its next task, and has it in hand when there is one", (*player).take},
	"take-raw": {"take-raw W...: the worker asks Workers for its next message, past Pool", (*player).takeRaw},
	"current":  {"current W: what the worker has in hand", (*player).current},
	"complete": {"complete W [RESULT | bytes=N] [then=return]: settles the task in hand as done, and returns", (*player).complete},
	"fail":     {"fail W: settles the task in hand as failed", (*player).fail},
	"return":   {"return W...: the guest returns", (*player).returns},
	"trap":     {"trap W...: the guest executes unreachable", (*player).trap},
	"abort":    {"abort W...: a host call of the guest fails", (*player).abort},
	"exit":     {"exit W CODE: the guest exits", (*player).exit},
	"stubborn": {"stubborn W...: the guest stays when it is told to stop, until it is told to return", (*player).stubborn},
	"kill":     {"kill W: Workers' Kill, past Pool", (*player).kill},
}

// every does something to each worker that is named.
func (p *player) every(w *words, do func(*puppet.Puppet) error) error {
	ids := w.numbers("worker")
	for _, id := range ids {
		if worker := p.puppet(w, id); w.err == nil {
			if err := do(worker); err != nil {
				return err
			}
			p.stage.Settle()
		}
	}
	return w.err
}

func (p *player) take(w *words) error {
	return p.every(w, func(worker *puppet.Puppet) error { return p.waitsAfter(worker, worker.Take()) })
}

func (p *player) takeRaw(w *words) error {
	return p.every(w, func(worker *puppet.Puppet) error { return p.waitsAfter(worker, worker.TakeRaw()) })
}

// waitsAfter says that a worker has found nothing to take.
func (p *player) waitsAfter(worker *puppet.Puppet, err error) error {
	if err != nil {
		return err
	}
	p.stage.Settle()
	if worker.Busy() {
		p.printf("worker %d waits\n", worker.ID)
	}
	return nil
}

// inHost has a worker make a host call, and prints what came of it.
func (p *player) inHost(worker *puppet.Puppet, then workerstest.Act, call func(caller wago.HostModule) string) error {
	said := ""
	err := worker.Do(func(caller wago.HostModule) workerstest.Act {
		said = call(caller)
		return then
	})
	if err == nil {
		p.stage.Settle()
		p.printf("worker %d: %s\n", worker.ID, said)
	}
	return err
}

func (p *player) current(w *words) error {
	return p.every(w, func(worker *puppet.Puppet) error {
		return p.inHost(worker, workerstest.Again, func(caller wago.HostModule) string {
			task, err := p.stage.Pools.Current(caller)
			if err != nil {
				return explain(err)
			}
			return fmt.Sprintf("task %d key %d attempt %d %q", task.Tag, task.Key, task.Attempt, task.Payload)
		})
	})
}

func (p *player) complete(w *words) error {
	worker := p.puppet(w, w.number("worker"))
	result := []byte(w.optional())
	if n := w.count("bytes"); n > 0 {
		result = make([]byte, n)
	}
	then := workerstest.Again
	if w.setting("then") == "return" {
		then = workerstest.Return
	}
	if w.err != nil {
		return w.err
	}
	return p.inHost(worker, then, func(caller wago.HostModule) string { return explain(p.stage.Pools.Complete(caller, result)) })
}

func (p *player) fail(w *words) error {
	return p.every(w, func(worker *puppet.Puppet) error {
		return p.inHost(worker, workerstest.Again, func(caller wago.HostModule) string { return explain(p.stage.Pools.Fail(caller, errCause)) })
	})
}

func (p *player) returns(w *words) error { return p.end(w, workerstest.Return) }
func (p *player) trap(w *words) error    { return p.end(w, workerstest.Trap) }
func (p *player) abort(w *words) error   { return p.end(w, workerstest.Abort) }

func (p *player) end(w *words, how workerstest.Act) error {
	return p.every(w, func(worker *puppet.Puppet) error { return worker.End(how) })
}

func (p *player) exit(w *words) error {
	worker, code := p.puppet(w, w.number("worker")), w.number("code")
	if w.err != nil {
		return w.err
	}
	return worker.Exit(int32(code))
}

func (p *player) stubborn(w *words) error {
	return p.every(w, func(worker *puppet.Puppet) error {
		worker.Stubborn()
		return nil
	})
}

func (p *player) kill(w *words) error {
	worker := p.puppet(w, w.number("worker"))
	if w.err != nil {
		return w.err
	}
	p.printf("kill: %s\n", explain(p.stage.Harness.Service().Kill(worker.ID)))
	return nil
}
