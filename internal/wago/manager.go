package wago

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/wago-org/wago/internal/lease"
)

// InstanceManager makes instances that a plugin owns, within the limits of its grant, and tells callers apart. Get one from
// [Registrar.ManagedInstances]. It works from the commit of the load to the end of the plugin's teardown; forks and
// instantiations end before the plugin's Stop. Outside that life, and for anything but a caller of this runtime whose host
// call still lasts, its methods fail with [ErrPermissionDenied].
//
// Safe for concurrent use.
type InstanceManager struct {
	// set once
	unit   *unit
	budget budget

	creations lease.Gate // forks and instantiations in progress

	mu        sync.Mutex
	instances map[*Instance]struct{} // guarded by mu: created and not released
}

func newInstanceManager(u *unit, scope AuthorityScope) *InstanceManager {
	m := &InstanceManager{unit: u, instances: make(map[*Instance]struct{})}
	m.budget.limit = charge{instances: uint64(scope.MaxInstances), memory: scope.MaxMemoryBytes}
	return m
}

// CallerIdentity returns the identity of the instance, direct or managed, whose host call m is the caller of.
//
// Safe for concurrent use.
func (mgr *InstanceManager) CallerIdentity(m HostModule) (InstanceIdentity, error) {
	c, err := mgr.unit.resolveCaller(m)
	if err != nil {
		return InstanceIdentity{}, err
	}
	return c.act.in.id, nil
}

// ManagedCaller returns the instance of this manager whose host call m is the caller of, and [ErrNotManaged] for a valid
// caller that is no instance of this manager.
//
// Safe for concurrent use.
func (mgr *InstanceManager) ManagedCaller(m HostModule) (*ManagedInstance, error) {
	c, err := mgr.unit.resolveCaller(m)
	if err != nil {
		return nil, err
	}
	managed := c.act.in.managed
	if managed == nil || managed.manager != mgr {
		return nil, ErrNotManaged
	}
	return managed, nil
}

// WatchCaller returns a channel from which one can receive once the host call of m has returned, and a function to call when
// nobody watches any longer. Any number can watch one call.
//
// Safe for concurrent use.
func (mgr *InstanceManager) WatchCaller(m HostModule) (<-chan struct{}, func(), error) {
	c, err := mgr.unit.resolveCaller(m)
	if err != nil {
		return nil, nil, err
	}
	return c.watch(), func() {}, nil
}

// Closing returns a channel that is closed when the caller's instance, direct or managed, begins to close. When the runtime
// closes, the channels of all instances are closed before anything is waited for. A host function that waits should wait for
// this as well. An extra of this host.
//
// Safe for concurrent use.
func (mgr *InstanceManager) Closing(m HostModule) (<-chan struct{}, error) {
	c, err := mgr.unit.resolveCaller(m)
	if err != nil {
		return nil, err
	}
	return c.act.in.closing, nil
}

// Fork makes a fresh, anonymous instance of the caller's module with the caller's imports and policy. Memory, tables and
// globals are as the module declares them: nothing of the caller's state is copied. The module's start section runs, nothing
// else; it is guest code, and is interrupted when ctx ends, the caller's instance begins to close, or the runtime does. A nil
// ctx never ends.
//
// A fork costs one instance and the maximum of the guest's memory, at most the runtime's limit, which is also the charge of a
// guest that declares none, until it is closed. Beyond the grant it fails with a [*BudgetError]. A caller that closes gives
// [ErrInstanceClosed], a runtime [ErrRuntimeClosed], a system without room for the memory [ErrGuestMemory].
//
// Safe for concurrent use.
func (mgr *InstanceManager) Fork(ctx context.Context, m HostModule) (*ManagedInstance, error) {
	c, err := mgr.unit.resolveCaller(m)
	if err != nil {
		return nil, err
	}
	return mgr.create(ctx, c.act.in, c.act.in.module, c.act.in.bindings)
}

// Instantiate makes an instance of a module of this runtime, as [Runtime.Instantiate] does, that this manager owns and pays
// for, as for [InstanceManager.Fork]. An import that couldn't be shared with a fork fails with [ErrManagedImportLifetime].
//
// Safe for concurrent use.
func (mgr *InstanceManager) Instantiate(ctx context.Context, m *Module, opts ...InstantiateOption) (*ManagedInstance, error) {
	rt := mgr.unit.runtime()
	if rt == nil {
		return nil, fmt.Errorf("%w: plugin %s is not active", ErrPermissionDenied, mgr.unit.id())
	}
	b, err := rt.prepare(m, opts)
	if errors.Is(err, ErrUnsupported) {
		return nil, fmt.Errorf("%w: %w", ErrManagedImportLifetime, err)
	}
	if err != nil {
		return nil, err
	}
	return mgr.create(ctx, nil, m, b)
}

// create makes a managed instance; parent is the instance it is forked from, nil if it isn't.
func (mgr *InstanceManager) create(ctx context.Context, parent *Instance, m *Module, b *bindings) (*ManagedInstance, error) {
	if mgr.creations.Enter() != nil {
		return nil, fmt.Errorf("%w: plugin %s makes no more instances", ErrPermissionDenied, mgr.unit.id())
	}
	defer mgr.creations.Leave()
	cost, declared := m.cost(b.policy)
	if err := mgr.budget.take(mgr.unit.id(), cost, declared); err != nil {
		return nil, err
	}
	in := m.rt.newInstance(m, b, InstantiateManaged)
	in.managed, in.charge, in.creator = &ManagedInstance{manager: mgr, in: in}, cost, parent
	mgr.add(in)
	if err := in.adopted(); err != nil {
		return nil, in.discard(err)
	}
	defer in.weaned()
	if err := in.create(ctx); err != nil {
		return nil, err
	}
	return in.managed, nil
}

func (mgr *InstanceManager) add(in *Instance) {
	mgr.mu.Lock()
	defer mgr.mu.Unlock()
	mgr.instances[in] = struct{}{}
}

// refund gives back what the instance costs its manager, if it has one.
func (in *Instance) refund() {
	if in.managed == nil {
		return
	}
	mgr := in.managed.manager
	mgr.budget.give(in.charge)
	mgr.mu.Lock()
	defer mgr.mu.Unlock()
	delete(mgr.instances, in)
}

// interrupt ends the guest code that the plugin has left running.
func (mgr *InstanceManager) interrupt() {
	for _, in := range mgr.liveInstances() {
		in.interrupt(ErrRuntimeClosed)
	}
}

// closeInstances closes what the plugin has left open, newest first.
func (mgr *InstanceManager) closeInstances() error { return closeNewestFirst(mgr.liveInstances()) }

func (mgr *InstanceManager) liveInstances() []*Instance {
	mgr.mu.Lock()
	defer mgr.mu.Unlock()
	return slices.Collect(maps.Keys(mgr.instances))
}
