package script

import (
	"context"
	"fmt"

	wago "github.com/wago-org/wago"

	"github.com/JairusSW/pool/internal/puppet"
	"github.com/JairusSW/pool/service"
)

// Verb is something a script can do.
type Verb struct {
	Usage string
	play  func(*player, *words) error
}

// Verbs are all there are. A TASKS list is numbers and ranges, as in 1 3-5; W is a worker.
var Verbs map[string]Verb

func init() { // a variable would be initialised by itself
	Verbs = make(map[string]Verb)
	for _, some := range []map[string]Verb{stageVerbs, poolVerbs, submitVerbs, workerVerbs, faultVerbs} {
		for name, verb := range some {
			Verbs[name] = verb
		}
	}
}

func verbOf(name string) (Verb, error) {
	verb, ok := Verbs[name]
	if !ok {
		return Verb{}, fmt.Errorf("there is no verb %q", name)
	}
	return verb, nil
}

// pool takes the name of a pool. A number is a pool by its id, whether there is one or not.
func (p *player) pool(w *words) service.ID {
	name := w.next("pool")
	id, ok := p.pools[name]
	if !ok {
		if _, err := fmt.Sscanf(name, "#%d", &id); err != nil {
			w.fail("%s: there is no pool %q", w.verb, name)
		}
	}
	return id
}

func (p *player) puppet(w *words, id uint64) *puppet.Puppet {
	worker, err := p.stage.Puppet(service.WorkerID(id))
	if err != nil {
		w.fail("%s: %w", w.verb, err)
	}
	return worker
}

// caller is who makes a call: by=NAME is an owner, the first without a name; by=none is nobody.
func (p *player) caller(w *words) wago.HostModule {
	name := w.setting("by")
	switch name {
	case "none":
		return nil
	case "":
		name = firstOwner
	}
	owner := p.owners[name]
	if owner == nil {
		w.fail("%s: there is no owner %q", w.verb, name)
		return nil
	}
	return owner.Caller
}

// call begins a call whose result is an error alone. for=TIME ends its context.
func (p *player) call(w *words, name string, id service.ID, do func(ctx context.Context) error) error {
	limit := w.time("for")
	if w.err != nil {
		return w.err
	}
	var err error
	p.begin(name, id, limit, func(ctx context.Context) { err = do(ctx) }, func() string { return explain(err) })
	return nil
}
