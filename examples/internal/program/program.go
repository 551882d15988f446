// Package program is what every example needs and none is about: a runtime with Workers, Pool and a plugin, whose guest owns
// one supervised pool. examples/consumer shows the same written out, as part of a plugin that does something.
package program

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"sync"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/register"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Echo is a guest that gives back what it is given: see echo.wat.
//
//go:embed echo.wasm
var Echo []byte

// Program is a guest and what is done with a pool of its workers.
type Program struct {
	// Guest imports own, next and done from the module "example", as echo.wat does.
	Guest []byte
	// Settings are Pool's JSON configuration. Empty: its defaults.
	Settings string
	// Options shape the pool.
	Options pool.PoolOptions
	// Use is what the example is about. It runs beside the supervision; when it returns, the pool is drained and destroyed. The
	// context ends when the owner's instance closes.
	Use func(ctx context.Context, s pool.Service, id pool.PoolID) error
	// Busy, if not nil, is called with each task that a worker takes, before the guest sees it. The context ends when the
	// worker is told to stop.
	Busy func(ctx context.Context, task pool.Task)
}

// Run runs the program and takes everything down again.
func (p Program) Run(ctx context.Context) (err error) {
	runtime := wago.NewRuntime()
	defer func() { err = errors.Join(err, runtime.Close()) }()
	providers := append(register.Providers(), workers.Provider(), (&plugin{Program: p}).provider())
	plugins, err := wago.SelectAll(providers, map[string]json.RawMessage{pool.PluginID: json.RawMessage(p.Settings)})
	if err != nil {
		return err
	}
	if err := runtime.LoadPlugins(ctx, plugins); err != nil {
		return err
	}
	module, err := runtime.Compile(p.Guest)
	if err != nil {
		return err
	}
	owner, err := runtime.Instantiate(ctx, module)
	if err != nil {
		return err
	}
	_, err = owner.InvokeContext(ctx, "main")
	return err
}

// own makes the pool of the calling guest and stays in Supervise until Use is over.
func (p *plugin) own(caller wago.HostModule, params, _ []uint64) {
	err := p.pools.With(func(s pool.Service) error {
		ctx, cancel, err := s.CallerContext(caller)
		if err != nil {
			return err
		}
		defer cancel()
		id, err := s.Create(caller, uint32(params[0]), p.Options)
		if err != nil {
			return err
		}
		var use sync.WaitGroup
		var used error
		use.Go(func() {
			used = p.Use(ctx, s, id)
			_ = s.Drain(id) // Use may have destroyed the pool
		})
		supervised := s.Supervise(ctx, caller, id)
		use.Wait()
		return errors.Join(used, unlessEnded(supervised), unlessEnded(s.Destroy(id)))
	})
	if err != nil {
		panic(wago.HostTrap{Err: err}) // the guest's call ends with it
	}
}

// unlessEnded leaves out what is said of a pool that Use has destroyed itself.
func unlessEnded(err error) error {
	if errors.Is(err, pool.ErrPoolDestroyed) || errors.Is(err, pool.ErrPoolNotFound) {
		return nil
	}
	return err
}
