package pooltest_test

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
)

// mine is a plugin as a reader of the README writes one. It answers a task with its payload reversed, in one host call or in
// two, and its guest's owner stays in Supervise.
type mine struct {
	pools *wagoplugin.Ref[pool.Service]

	mu    sync.Mutex
	owned []pool.PoolID // guarded by mu
}

func (p *mine) provider() wago.PluginProvider {
	return wago.PluginProvider{
		New: func() wago.Plugin { return p },
		Definition: wago.PluginDefinition{
			ID: "example.com/mine", Version: "1.0.0",
			Provenance: wago.PluginProvenance{Repository: "https://example.com/mine", License: "Apache-2.0"},
			Requires:   []wago.PluginRequirement{{ID: pool.PluginID, Version: "^0.1.0"}},
			Consumes: []wago.ContractRequirement{
				{ID: pool.Contract.ID(), Major: pool.Contract.Major(), Mode: wago.ContractRequired},
			},
			Authorities: []wago.AuthorityRequest{{
				Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "guests call it",
				Scope: wago.AuthorityScope{Modules: []string{"mine"}},
			}},
		},
	}
}

func (p *mine) Register(reg *wago.Registrar) (err error) {
	if p.pools, err = wagoplugin.Require(reg, pool.Contract); err != nil {
		return err
	}
	imports, err := reg.HostImports()
	if err != nil {
		return err
	}
	module, err := imports.Module("mine")
	if err != nil {
		return err
	}
	module.Func("own", p.own).Params(wago.ValI32)
	module.Func("leave", func(wago.HostModule, []uint64, []uint64) {}).Params(wago.ValI32)
	module.Func("work", p.work).Results(wago.ValI32)
	module.Func("next", p.next).Params(wago.ValI32, wago.ValI32).Results(wago.ValI32)
	module.Func("done", p.done).Params(wago.ValI32, wago.ValI32)
	return nil
}

// own makes a pool of two and supervises it.
func (p *mine) own(caller wago.HostModule, params, _ []uint64) {
	err := p.pools.With(func(s pool.Service) error {
		id, err := s.Create(caller, uint32(params[0]), pool.PoolOptions{MinWorkers: 2})
		if err != nil {
			return err
		}
		p.mu.Lock()
		p.owned = append(p.owned, id)
		p.mu.Unlock()
		return s.Supervise(context.Background(), caller, id)
	})
	if err != nil && !errors.Is(err, pool.ErrPoolDestroyed) {
		panic(wago.HostTrap{Err: err})
	}
}

func (p *mine) pool() (pool.PoolID, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.owned) == 0 {
		return 0, false
	}
	return p.owned[0], true
}

// work takes a task and answers it.
func (p *mine) work(caller wago.HostModule, _, results []uint64) {
	task, err := p.take(caller)
	if err != nil {
		results[0] = 1<<32 - 1
		return
	}
	answer := slices.Clone(task.Payload)
	slices.Reverse(answer)
	p.complete(caller, answer)
}

func (p *mine) take(caller wago.HostModule) (task pool.Task, err error) {
	err = p.pools.With(func(s pool.Service) (err error) {
		if err = s.DispatchNext(context.Background(), caller); err == nil {
			task, err = s.Current(caller)
		}
		return err
	})
	return task, err
}

func (p *mine) complete(caller wago.HostModule, answer []byte) {
	if err := p.pools.With(func(s pool.Service) error { return s.Complete(caller, answer) }); err != nil {
		panic(wago.HostTrap{Err: err})
	}
}

func (p *mine) next(caller wago.HostModule, params, results []uint64) {
	task, err := p.take(caller)
	if err != nil {
		results[0] = 1<<32 - 1
		return
	}
	slices.Reverse(caller.Memory()[:copy(caller.Memory()[params[0]:], task.Payload)])
	results[0] = uint64(len(task.Payload))
}

func (p *mine) done(caller wago.HostModule, params, _ []uint64) {
	p.complete(caller, caller.Memory()[params[0]:params[0]+params[1]])
}
