package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

// Level says which plugins a host has besides the bench's own.
type Level uint8

// The levels.
const (
	Bare    Level = iota // none
	Workers              // Workers
	Pools                // Workers and Pool
)

// Options shapes a host.
type Options struct {
	Guest   []byte
	Level   Level
	Workers uint32 // how many there can be, without a look at how many ever were: 1 or more, unless the level is Bare
}

// server is what answers a guest's next and reply.
type server interface {
	next(m wago.HostModule, buffer []byte) int32
	reply(m wago.HostModule, result []byte)
}

// What next returns instead of a task's length.
const (
	goHome = -1 // the guest returns
	goTrap = -2 // the guest traps
)

// Host is a runtime whose owner, an instance of the guest, is parked in a host call: what a pool's creator is. The fields that
// an owner gives are zero without one.
//
// Safe for concurrent use, but for Close.
type Host struct {
	Runtime *wago.Runtime
	Module  *wago.Module
	Manager *wago.InstanceManager // makes instances that belong to no plugin but the bench's
	Caller  wago.HostModule       // the owner's, good until Close
	Entry   uint32                // of the guest's worker, in its table

	level    Level
	pools    *wagoplugin.Ref[pool.Service]
	workers  *wagoplugin.Ref[workers.Service]
	server   server
	stopping chan struct{}  // closed when Close begins
	arrivals chan *Visit    // of guests that called own
	running  sync.WaitGroup // calls of instances
	gate     gate
	arrived  atomic.Pointer[countdown] // nil: nobody counts
	Marks    chan Mark                 // of workers that were given a Mark or a Trap
}

// Open starts a host. Close it.
func Open(ctx context.Context, o Options) (*Host, error) {
	h, err := OpenIdle(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := h.park(ctx); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// OpenIdle starts a host without an owner. Close it.
func OpenIdle(ctx context.Context, o Options) (*Host, error) {
	h := &Host{
		Runtime: wago.NewRuntime(), level: o.Level, stopping: make(chan struct{}), arrivals: make(chan *Visit),
		gate: gate{waiting: make(chan struct{}, o.Workers)}, Marks: make(chan Mark, 16),
	}
	if o.Level == Pools {
		h.server = poolServer{h}
	}
	if err := h.load(ctx, o); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

func (h *Host) load(ctx context.Context, o Options) error {
	set, err := h.plugins(o)
	if err != nil {
		return err
	}
	if err := h.Runtime.LoadPlugins(ctx, set); err != nil {
		return err
	}
	h.Module, err = h.Runtime.Compile(o.Guest)
	return err
}

// park makes the owner, asks it where the worker's entry is, and has it come to its host call.
func (h *Host) park(ctx context.Context) error {
	owner, err := h.Runtime.Instantiate(ctx, h.Module)
	if err != nil {
		return err
	}
	entry, err := owner.InvokeContext(ctx, "entry")
	if err != nil {
		return err
	}
	h.Entry = uint32(entry[0])
	visit, err := h.Visit(ctx, owner, "own")
	if err != nil {
		return err
	}
	h.Caller = visit.Caller
	return nil
}

// Close ends everything that runs, and the runtime.
func (h *Host) Close() error {
	close(h.stopping)
	err := h.Runtime.Close()
	h.running.Wait()
	if opened, ended := h.Runtime.Instances(); opened != ended {
		err = errors.Join(err, fmt.Errorf("%d instances were opened, %d closed", opened, ended))
	}
	if mapped, unmapped := h.Runtime.Mappings(); mapped != unmapped {
		err = errors.Join(err, fmt.Errorf("%d memories were mapped, %d unmapped", mapped, unmapped))
	}
	return err
}

// WithPools leases Pool, as a consumer does.
func (h *Host) WithPools(use func(pool.Service) error) error { return h.pools.With(use) }

// WithWorkers leases Workers, as a consumer does.
func (h *Host) WithWorkers(use func(workers.Service) error) error { return h.workers.With(use) }
