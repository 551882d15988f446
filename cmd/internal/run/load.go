package run

import (
	"github.com/JairusSW/pool/cmd/internal/host"
	"github.com/JairusSW/pool/cmd/internal/inspect"
	"github.com/wago-org/wago"
)

// load makes the runtime and compiles the guest in it. It says what would stop the guest before any of its code runs.
func (r *Run) load() (*wago.Runtime, *wago.Module, error) {
	rt, err := host.New(r.working, host.Options{
		Plugin:      r.plugin.Provider(),
		Workers:     r.opts.Max,
		QueueBytes:  r.opts.mailboxBytes(),
		MemoryPages: uint32(r.opts.MemoryLimit / inspect.PageSize),
		PoolConfig:  r.opts.PoolConfig,
		Stderr:      r.printed,
		Name:        r.opts.Name,
	})
	if err != nil {
		return nil, nil, err
	}
	x := inspect.Examine(rt, r.opts.Guest, r.opts.Start)
	r.module = x.Module
	if len(x.Problems) > 0 {
		_ = rt.Close()
		if x.Module == nil {
			return nil, nil, &GuestError{Problems: []string{r.opts.Name + ": " + x.Problems[0]}}
		}
		return nil, nil, &GuestError{Problems: x.Problems}
	}
	if err := host.CheckBudget(r.opts.Max, x.Compiled); err != nil {
		_ = rt.Close()
		return nil, nil, err
	}
	return rt, x.Compiled, nil
}
