package wago

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
)

// Close is [Runtime.CloseContext] with a context that never ends.
//
// Safe for concurrent use.
func (rt *Runtime) Close() error { return rt.CloseContext(context.Background()) }

// CloseContext ends the runtime: when it returns no instance, module, plugin or goroutine of it is left. ctx is what the
// plugins' Stop gets; a nil one never ends. A concurrent or later close waits for the first and has the same result: the
// joined errors of stopping the plugins and of observers that panicked in the runtime's life (the first 8).
//
// In order: a load in progress is waited for. New operations are refused, and every instance's Closing channel is closed.
// The RuntimeCloseObserver callbacks run, last registered first. The direct instances close, newest first. The plugins end
// in reverse activation order: each makes no more instances; its host functions and hooks admit nobody any more; its Stop
// runs, with its contract references and instances still usable; its instances are interrupted; callbacks that are inside
// are waited for; its instances close; its contract references are revoked, which waits for those that use them; its handles
// go dead.
//
// It must not be called, on any goroutine, by something it waits for: plugin code, a host function, a contract lease. On the
// goroutine of a guest call or a plugin callback it fails at once with [ErrCloseInsideCall] and nothing has happened;
// elsewhere that is a deadlock.
//
// Safe for concurrent use.
func (rt *Runtime) CloseContext(ctx context.Context) error {
	if ctx == nil {
		ctx = context.Background()
	}
	if rt.insideOwnCall() {
		return ErrCloseInsideCall
	}
	if !rt.beginClose() {
		<-rt.closed
		return rt.closeResult()
	}
	return rt.finishClose(ctx)
}

// insideOwnCall reports whether the calling goroutine runs a guest or a plugin callback of this runtime.
func (rt *Runtime) insideOwnCall() bool {
	self := goroutineID()
	if rt.callbacks.has(self) {
		return true
	}
	return slices.ContainsFunc(rt.liveInstances(), func(in *Instance) bool { return in.runsOn(self) })
}

// beginClose makes the caller the one who closes; false if somebody else does.
func (rt *Runtime) beginClose() bool {
	for {
		rt.mu.Lock()
		phase, loaded := rt.phase, rt.loaded
		if phase != phaseLoading && phase < phaseClosing {
			rt.phase = phaseClosing
		}
		rt.mu.Unlock()
		if phase != phaseLoading {
			return phase < phaseClosing
		}
		<-loaded
	}
}

func (rt *Runtime) closeResult() error {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	return rt.closeErr
}

// finishClose takes a closing runtime to its end.
func (rt *Runtime) finishClose(ctx context.Context) error {
	err := rt.shutdown(ctx)
	rt.mu.Lock()
	rt.phase = phaseClosed
	rt.closeErr = errors.Join(append([]error{err}, rt.hookFailures...)...)
	err = rt.closeErr
	rt.mu.Unlock()
	close(rt.closed)
	return err
}

func (rt *Runtime) shutdown(ctx context.Context) error {
	instances := rt.liveInstances()
	for _, in := range instances {
		in.signal(ErrRuntimeClosed)
	}
	observeReverse(rt, "RuntimeCloseObserver.Observe", rt.hooks.runtimeClose, RuntimeCloseEvent{})
	errs := []error{closeNewestFirst(slices.DeleteFunc(instances, func(in *Instance) bool { return in.managed != nil }))}
	for _, u := range slices.Backward(rt.units) {
		errs = append(errs, rt.stopUnit(ctx, u))
	}
	rt.operations.Wait()
	errs = append(errs, rt.releaseModules())
	if rt.engine != nil {
		errs = append(errs, rt.engine.Close())
	}
	return errors.Join(errs...)
}

// stopUnit ends one plugin, whose consumers have ended before.
func (rt *Runtime) stopUnit(ctx context.Context, u *unit) error {
	var errs []error
	if u.manager != nil {
		u.manager.creations.Close()
		<-u.manager.creations.Done()
	}
	u.callbacks.Close()
	if u.eligible && u.lifecycle != nil && u.lifecycle.Stop != nil {
		if err := rt.callbacks.contain(u.id(), "Stop", func() error { return u.lifecycle.Stop(ctx) }); err != nil {
			errs = append(errs, &PluginError{Plugin: u.id(), Phase: PluginPhaseStop, Err: err})
		}
	}
	if u.manager != nil {
		u.manager.interrupt()
	}
	<-u.callbacks.Done()
	if u.manager != nil {
		errs = append(errs, u.manager.closeInstances())
	}
	for _, ref := range u.required {
		ref.revoke()
	}
	u.active.Store(false)
	return errors.Join(errs...)
}

func (rt *Runtime) liveInstances() []*Instance {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	return slices.Collect(maps.Keys(rt.instances))
}

func closeNewestFirst(instances []*Instance) error {
	slices.SortFunc(instances, func(a, b *Instance) int { return cmp.Compare(b.sequence, a.sequence) })
	var errs []error
	for _, in := range instances {
		errs = append(errs, in.close(ErrRuntimeClosed))
	}
	return errors.Join(errs...)
}

// releaseModules closes the modules the embedder has left open.
func (rt *Runtime) releaseModules() error {
	rt.mu.Lock()
	left := slices.Collect(maps.Keys(rt.modules))
	clear(rt.modules)
	rt.mu.Unlock()
	var errs []error
	for _, m := range left {
		if m.markClosed() {
			errs = append(errs, m.compiled.release())
		}
	}
	return errors.Join(errs...)
}
