package program

import (
	"context"
	"errors"
	"fmt"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
)

type plugin struct {
	Program
	pools *wagoplugin.Ref[pool.Service]
}

func (p *plugin) provider() wago.PluginProvider {
	return wago.PluginProvider{
		New: func() wago.Plugin { return p },
		Definition: wago.PluginDefinition{
			ID: "example.com/example", Version: "1.0.0",
			Provenance: wago.PluginProvenance{Repository: "https://example.com/example", License: "Apache-2.0"},
			Requires:   []wago.PluginRequirement{{ID: pool.PluginID, Version: "^0.1.0"}},
			Consumes: []wago.ContractRequirement{
				{ID: pool.Contract.ID(), Major: pool.Contract.Major(), Mode: wago.ContractRequired},
			},
			Authorities: []wago.AuthorityRequest{{
				Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "guests call own, next and done",
				Scope: wago.AuthorityScope{Modules: []string{"example"}},
			}},
		},
	}
}

// Register implements wago.Plugin.
func (p *plugin) Register(reg *wago.Registrar) (err error) {
	if p.pools, err = wagoplugin.Require(reg, pool.Contract); err != nil {
		return err
	}
	imports, err := reg.HostImports()
	if err != nil {
		return err
	}
	module, err := imports.Module("example")
	if err != nil {
		return err
	}
	module.Func("own", p.own).Params(wago.ValI32)
	module.Func("next", p.next).Params(wago.ValI32, wago.ValI32).Results(wago.ValI32)
	module.Func("done", p.done).Params(wago.ValI32, wago.ValI32)
	return nil
}

// next copies the payload of the worker's next task into its memory and returns its length; -1: it is over.
func (p *plugin) next(caller wago.HostModule, params, results []uint64) {
	results[0] = 1<<32 - 1                        // -1
	_ = p.pools.With(func(s pool.Service) error { // an error means that it is over
		task, err := taken(s, caller)
		if err != nil {
			return err
		}
		if p.Busy != nil {
			ctx, cancel, err := s.CallerContext(caller)
			if err != nil {
				return err
			}
			defer cancel()
			p.Busy(ctx, task)
		}
		results[0] = uint64(copy(memory(caller, params), task.Payload))
		return nil
	})
}

// taken waits for the worker's next task. A message that is none was sent past Pool.
func taken(s pool.Service, caller wago.HostModule) (task pool.Task, err error) {
	err = pool.ErrNoTask
	for errors.Is(err, pool.ErrNoTask) {
		if err := s.DispatchNext(context.Background(), caller); err != nil {
			return task, err
		}
		task, err = s.Current(caller)
	}
	return task, err
}

// done settles the task in the worker's hand with a result from its memory.
func (p *plugin) done(caller wago.HostModule, params, _ []uint64) {
	err := p.pools.With(func(s pool.Service) error { return s.Complete(caller, memory(caller, params)) })
	if err != nil {
		panic(wago.HostTrap{Err: err})
	}
}

// memory returns the part of a guest's memory that a pointer and a length name; a wrong one ends the guest's call.
func memory(caller wago.HostModule, params []uint64) []byte {
	all, pointer, length := caller.Memory(), uint64(uint32(params[0])), uint64(uint32(params[1]))
	if pointer+length > uint64(len(all)) {
		panic(wago.HostTrap{Err: fmt.Errorf("%d bytes at %d are not in the guest's memory", length, pointer)})
	}
	return all[pointer : pointer+length]
}
