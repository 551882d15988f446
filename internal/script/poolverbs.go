package script

import (
	"context"
	"fmt"
	"strings"

	wago "github.com/wago-org/wago"

	"github.com/JairusSW/pool/service"
	"github.com/JairusSW/pool/strategy"
	"github.com/JairusSW/pool/supervise"
)

var poolVerbs = map[string]Verb{
	"create": {
		"create POOL [by=OWNER entry=N] [min=N|none max=N target=N delay=TIME] [strategy=S seed=N] [overflow=O queue=N payload=N queue-bytes=N] " +
			"[restart=R restarts=N|unlimited window=TIME|lifetime backoff=TIME..TIME] [retries=N timeout=TIME]",
		(*player).create,
	},
	"reconcile":  {"reconcile POOL [by=OWNER]", (*player).reconcile},
	"scale":      {"scale POOL N [by=OWNER]", (*player).scale},
	"supervise":  {"supervise POOL [by=OWNER] [for=TIME]: waits", (*player).supervise},
	"rearm":      {"rearm POOL", (*player).rearm},
	"drain":      {"drain POOL", (*player).drain},
	"drain-wait": {"drain-wait POOL [for=TIME]: may wait", (*player).drainWait},
	"destroy":    {"destroy POOL: may wait", (*player).destroy},
	"stats":      {"stats POOL", (*player).stats},
}

// options are what create's settings ask for. The seed is 1 unless given, so that scripts repeat.
func options(w *words) service.Options {
	opts := service.Options{
		Strategy: text[strategy.Kind](w, "strategy"), HashSeed: max(w.count("seed"), 1),
		Overflow: text[service.OverflowPolicy](w, "overflow"),
		Restart:  text[supervise.Policy](w, "restart"), RestartBackoff: backoff(w),
		ScaleDownDelay: w.time("delay"), TargetPerWorker: uint32(w.count("target")), MaxWorkers: uint32(w.count("max")),
		Retries: uint32(w.count("retries")), TaskTimeout: w.time("timeout"), RingReplicas: uint32(w.count("replicas")),
	}
	opts.Worker.QueueCapacity = uint32(w.count("queue"))
	opts.Worker.MaxPayloadBytes = uint32(w.count("payload"))
	opts.Worker.MaxQueueBytes = uint32(w.count("queue-bytes"))
	switch opts.MinWorkers = service.NoWorkers; w.settings["min"] {
	case "none":
		w.setting("min")
	default:
		opts.MinWorkers = uint32(w.count("min"))
	}
	switch opts.MaxRestarts = service.UnlimitedRestarts; w.settings["restarts"] {
	case "unlimited":
		w.setting("restarts")
	default:
		opts.MaxRestarts = uint32(w.count("restarts"))
	}
	switch opts.RestartWindow = service.Lifetime; w.settings["window"] {
	case "lifetime":
		w.setting("window")
	default:
		opts.RestartWindow = w.time("window")
	}
	return opts
}

func backoff(w *words) (b service.Backoff) {
	value := w.setting("backoff")
	if value == "" {
		return b
	}
	base, most, ok := strings.Cut(value, "..")
	if !ok {
		w.fail("%s: backoff is BASE..MAX", w.verb)
	}
	return service.Backoff{Base: w.parseTime(base), Max: w.parseTime(most)}
}

func (p *player) create(w *words) error {
	name, caller, opts, entry := w.next("pool"), p.caller(w), options(w), p.stage.Harness.Entry()
	if w.settings["entry"] != "" {
		entry = uint32(w.count("entry"))
	}
	if w.err != nil {
		return w.err
	}
	if _, taken := p.pools[name]; taken {
		return fmt.Errorf("there is a pool %q", name)
	}
	var id service.ID
	var err error
	p.begin("create "+name, 0, 0, func(context.Context) {
		id, err = p.stage.Pools.Create(caller, entry, opts)
	}, func() string {
		if err != nil {
			return explain(err)
		}
		p.pools[name], p.names[id] = id, name
		p.tallyOf(id).legs = opts.Strategy == strategy.Broadcast
		return fmt.Sprintf("pool %d", id)
	})
	return nil
}

// sized begins a call of the pool's owner.
func (p *player) sized(w *words, do func(ctx context.Context, caller wago.HostModule, id service.ID) error) error {
	name := w.verb
	if len(w.plain) > 0 {
		name += " " + w.plain[0]
	}
	id, caller := p.pool(w), p.caller(w)
	return p.call(w, name, 0, func(ctx context.Context) error { return do(ctx, caller, id) })
}

func (p *player) reconcile(w *words) error {
	return p.sized(w, func(_ context.Context, caller wago.HostModule, id service.ID) error {
		return p.stage.Pools.Reconcile(caller, id)
	})
}

func (p *player) scale(w *words) error {
	size := uint64(0)
	if len(w.plain) == 2 {
		pool := w.plain[0]
		w.plain = w.plain[1:]
		size = w.number("size")
		w.plain = []string{pool}
	}
	return p.sized(w, func(_ context.Context, caller wago.HostModule, id service.ID) error {
		return p.stage.Pools.Scale(caller, id, uint32(size))
	})
}

func (p *player) supervise(w *words) error {
	return p.sized(w, p.stage.Pools.Supervise)
}

func (p *player) rearm(w *words) error {
	return p.sized(w, func(_ context.Context, _ wago.HostModule, id service.ID) error { return p.stage.Pools.Rearm(id) })
}

func (p *player) drain(w *words) error {
	return p.sized(w, func(_ context.Context, _ wago.HostModule, id service.ID) error { return p.stage.Pools.Drain(id) })
}

func (p *player) drainWait(w *words) error {
	return p.sized(w, func(ctx context.Context, _ wago.HostModule, id service.ID) error {
		return p.stage.Pools.DrainWait(ctx, id)
	})
}

func (p *player) destroy(w *words) error {
	return p.sized(w, func(_ context.Context, _ wago.HostModule, id service.ID) error { return p.stage.Pools.Destroy(id) })
}

func (p *player) stats(w *words) error {
	stats, err := p.stage.Pools.Stats(p.pool(w))
	switch {
	case w.err != nil:
		return w.err
	case err != nil:
		p.printf("stats: %s\n", explain(err))
	default:
		p.printf("%s", p.statsText(&stats))
	}
	return nil
}
