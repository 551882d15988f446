package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
)

// shout is the plugin. Guests import its functions from the module "shout".
type shout struct {
	words   []string
	answers []answer // of the word at the same place
	pools   *wagoplugin.Ref[pool.Service]
}

type answer struct {
	text []byte
	err  error
}

const pluginID = "example.com/shout"

func (p *shout) provider() wago.PluginProvider {
	return wago.PluginProvider{
		New: func() wago.Plugin { return p },
		Definition: wago.PluginDefinition{
			ID: pluginID, Version: "1.0.0",
			Provenance: wago.PluginProvenance{Repository: "https://example.com/shout", License: "Apache-2.0"},
			Requires:   []wago.PluginRequirement{{ID: pool.PluginID, Version: "^0.1.0"}},
			Consumes: []wago.ContractRequirement{
				{ID: pool.Contract.ID(), Major: pool.Contract.Major(), Mode: wago.ContractRequired},
			},
			Authorities: []wago.AuthorityRequest{{
				Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "guests call own, next and done",
				Scope: wago.AuthorityScope{Modules: []string{"shout"}},
			}},
		},
	}
}

// Register asks for Pool's contract and defines what guests import. The contract can be used from Start on.
func (p *shout) Register(reg *wago.Registrar) (err error) {
	if p.pools, err = wagoplugin.Require(reg, pool.Contract); err != nil {
		return err
	}
	imports, err := reg.HostImports()
	if err != nil {
		return err
	}
	module, err := imports.Module("shout")
	if err != nil {
		return err
	}
	module.Func("own", p.own).Params(wago.ValI32)
	module.Func("next", p.next).Params(wago.ValI32, wago.ValI32).Results(wago.ValI32)
	module.Func("done", p.done).Params(wago.ValI32, wago.ValI32)
	return nil
}

// own makes a pool whose workers are forks of the calling guest, has it work on every word, and ends it. The guest stays in
// this call, in Supervise: with its live caller workers that end are replaced, until the pool is drained.
func (p *shout) own(caller wago.HostModule, params, _ []uint64) {
	err := p.pools.With(func(s pool.Service) error {
		ctx, cancel, err := s.CallerContext(caller) // ends when the guest's instance is closed
		if err != nil {
			return err
		}
		defer cancel()
		id, err := s.Create(caller, uint32(params[0]), pool.PoolOptions{MinWorkers: 4, Strategy: pool.PowerOfTwo})
		if err != nil {
			return err
		}
		var calls sync.WaitGroup
		calls.Go(func() {
			p.callAll(ctx, s, id)
			_ = s.Drain(id) // that the pool has gone already is what Supervise returns
		})
		err = s.Supervise(ctx, caller, id)
		calls.Wait()
		return errors.Join(err, s.Destroy(id))
	})
	if err != nil {
		panic(wago.HostTrap{Err: err}) // the guest's call ends with it
	}
}

func (p *shout) callAll(ctx context.Context, s pool.Service, id pool.PoolID) {
	var waiting sync.WaitGroup
	for i, word := range p.words {
		waiting.Go(func() {
			text, err := s.Call(ctx, id, pool.Task{Tag: uint64(i), Payload: []byte(word)})
			p.answers[i] = answer{text, err}
		})
	}
	waiting.Wait()
}

// next gives the calling worker its next task: it copies the payload into the guest's memory and returns its length, or -1
// when the worker is to return.
func (p *shout) next(caller wago.HostModule, params, results []uint64) {
	const over = 1<<32 - 1 // -1
	results[0] = over
	_ = p.pools.With(func(s pool.Service) error { // an error means that it is over
		for {
			if err := s.DispatchNext(context.Background(), caller); err != nil {
				return err
			}
			task, err := s.Current(caller)
			if errors.Is(err, pool.ErrNoTask) {
				continue // what came was no task: somebody sent it past Pool
			}
			if err != nil {
				return err
			}
			buffer := memory(caller, params)
			if len(task.Payload) <= len(buffer) {
				results[0] = uint64(copy(buffer, task.Payload))
				return nil
			}
			tooLong := fmt.Errorf("%d bytes, the guest takes %d", len(task.Payload), len(buffer))
			if err := s.Fail(caller, tooLong); err != nil {
				return err
			}
		}
	})
}

// done settles the task in the calling worker's hand with a result from the guest's memory.
func (p *shout) done(caller wago.HostModule, params, _ []uint64) {
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
