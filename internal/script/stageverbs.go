package script

import (
	"context"
	"fmt"
	"strings"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/puppet"
	"github.com/JairusSW/pool/service"
)

// firstOwner is there from the start.
const firstOwner = "owner"

var stageVerbs = map[string]Verb{
	"setup": {
		"setup [workers=N queue-bytes=N] [pools=N per-pool=N total=N runnable=N] [without=EXTRA]: limits of Workers and of Pool, extras of Workers",
		(*player).setup,
	},
	"owner":       {"owner NAME: opens one more instance that can create pools", (*player).newOwner},
	"leave":       {"leave NAME: the owner's host call ends, so its caller is stale", (*player).leave},
	"close-owner": {"close-owner [NAME]: the instance closes", (*player).closeOwner},
	"close":       {"close: the runtime closes", (*player).closeAll},
	"stop":        {"stop: the plugin is stopped", (*player).stop},
	"pass":        {"pass TIME: time goes by", (*player).pass},
	"cancel":      {"cancel CALL TASK: the context of a call that waits ends", (*player).cancel},
	"list":        {"list: the ids of the pools", (*player).list},
	"quiet":       {"quiet COMMAND: plays a command without printing what comes of it", (*player).quiet},
	"events":      {"events on|off: whether events are printed; they are at first", (*player).toggleEvents},
}

var extras = map[string]fakeworkers.Extras{
	"": 0, "all": fakeworkers.All, "send-owned": fakeworkers.SendOwned, "retire": fakeworkers.Retire,
	"kill-within": fakeworkers.KillWithin, "closing": fakeworkers.Closing, "identity": fakeworkers.Identity,
	"ceiling": fakeworkers.Ceiling,
}

func (p *player) setup(w *words) error {
	if p.stage != nil {
		return fmt.Errorf("setup comes first")
	}
	limits := workers.WorkerLimits{MaxLiveWorkers: uint32(w.count("workers")), MaxQueueBytes: w.count("queue-bytes")}
	runnable := uint32(w.count("runnable"))
	if runnable == 0 {
		runnable = 4 // the default is the machine's
	}
	pools := service.Limits{
		MaxPools: uint32(w.count("pools")), MaxWorkersPerPool: uint32(w.count("per-pool")),
		MaxTotalWorkers: uint32(w.count("total")), RunnableWorkers: runnable,
	}
	without, ok := extras[w.setting("without")]
	if !ok {
		w.fail("setup: there is no such extra")
	}
	if w.err != nil {
		return w.err
	}
	var err error
	if p.stage, err = puppet.New(p.open(limits, without), pools); err != nil {
		return err
	}
	p.stage.OnStart(p.starts.start)
	if _, err := p.stage.Pools.ObserveEvents(p.events.add); err != nil {
		return err
	}
	return p.addOwner(firstOwner)
}

func (p *player) newOwner(w *words) error { return p.addOwner(w.next("name")) }

func (p *player) addOwner(name string) (err error) {
	p.owners[name], err = p.stage.Owner()
	return err
}

func (p *player) owner(w *words) *puppet.Owner {
	name := w.optional()
	if name == "" {
		name = firstOwner
	}
	owner := p.owners[name]
	if owner == nil {
		w.fail("%s: there is no owner %q", w.verb, name)
	}
	return owner
}

func (p *player) leave(w *words) error {
	owner := p.owner(w)
	if w.err == nil {
		owner.Leave()
	}
	return w.err
}

func (p *player) closeOwner(w *words) error {
	owner := p.owner(w)
	if w.err != nil {
		return w.err
	}
	return p.call(w, "close", 0, func(context.Context) error { return owner.Close() })
}

func (p *player) closeAll(w *words) error {
	return p.call(w, "close", 0, func(context.Context) error { return p.stage.Harness.Close() })
}

func (p *player) stop(w *words) error {
	return p.call(w, "stop", 0, p.stage.Pools.Stop)
}

func (p *player) pass(w *words) error {
	d := w.parseTime(w.next("time"))
	if w.err == nil {
		p.stage.Pass(d)
	}
	return w.err
}

func (p *player) cancel(w *words) error {
	name := strings.Join(w.plain, " ")
	w.plain = nil
	for _, j := range p.jobs {
		if j.name == name {
			j.cancel()
			return nil
		}
	}
	return fmt.Errorf("nothing waits that is called %q", name)
}

func (p *player) list(*words) error {
	p.printf("pools %v\n", p.stage.Pools.List())
	return nil
}

func (p *player) quiet(w *words) error {
	p.hush = true
	w.verb = w.next("command")
	verb, err := verbOf(w.verb)
	if err != nil {
		return err
	}
	return verb.play(p, w)
}

func (p *player) toggleEvents(w *words) error {
	p.deaf = w.next("on or off") == "off"
	return nil
}

// in begins a call in a host call of worker in=W, whose context ends when the worker is told to stop; without it, on its
// own.
func (p *player) in(w *words, name string, id service.ID, call func(ctx context.Context, caller wago.HostModule), result func() string) error {
	if w.settings["in"] == "" {
		limit := w.time("for")
		if w.err == nil {
			p.begin(name, id, limit, func(ctx context.Context) { call(ctx, nil) }, result)
		}
		return w.err
	}
	worker, err := p.stage.Puppet(service.WorkerID(w.count("in")))
	if err != nil {
		return err
	}
	return p.inWorker(worker, name, id, call, result)
}
