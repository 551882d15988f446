package wago

import (
	"fmt"
	"slices"
)

// hook is one callback of a plugin.
type hook[F any] struct {
	unit *unit
	fn   F
}

// hookSet holds callbacks in the order of their registration: of one plugin, then of all, plan order first.
type hookSet struct {
	runtimeClose      []hook[func(RuntimeCloseEvent)]
	compiled          []hook[func(ModuleCompiledEvent)]
	compileFailed     []hook[func(ModuleCompileErrorEvent)]
	moduleClose       []hook[func(ModuleCloseEvent)]
	beforeInstantiate []hook[func(InstantiationRequest) error]
	afterInstantiate  []hook[func(InstantiationEvent) error]
	instantiated      []hook[func(InstantiationEvent)]
	instantiateFailed []hook[func(InstantiationErrorEvent)]
	beforeClose       []hook[func(InstanceCloseEvent)]
	afterClose        []hook[func(InstanceCloseEvent)]
	beforeInvoke      []hook[func(InvocationRequest) error]
	afterInvoke       []hook[func(InvocationEvent)]
}

func (h *hookSet) append(other *hookSet) {
	h.runtimeClose = append(h.runtimeClose, other.runtimeClose...)
	h.compiled = append(h.compiled, other.compiled...)
	h.compileFailed = append(h.compileFailed, other.compileFailed...)
	h.moduleClose = append(h.moduleClose, other.moduleClose...)
	h.beforeInstantiate = append(h.beforeInstantiate, other.beforeInstantiate...)
	h.afterInstantiate = append(h.afterInstantiate, other.afterInstantiate...)
	h.instantiated = append(h.instantiated, other.instantiated...)
	h.instantiateFailed = append(h.instantiateFailed, other.instantiateFailed...)
	h.beforeClose = append(h.beforeClose, other.beforeClose...)
	h.afterClose = append(h.afterClose, other.afterClose...)
	h.beforeInvoke = append(h.beforeInvoke, other.beforeInvoke...)
	h.afterInvoke = append(h.afterInvoke, other.afterInvoke...)
}

// addHooks registers callbacks of one kind; nil ones are refused.
func addHooks[F any](r *Registrar, fns []F, isNil func(F) bool, list func(*hookSet) *[]hook[F]) error {
	for i, fn := range fns {
		if isNil(fn) {
			return fmt.Errorf("%w: callback %d is nil", ErrInvalidArgument, i)
		}
	}
	return r.add(func(c *contributions) error {
		hooks := list(&c.hooks)
		for _, fn := range fns {
			*hooks = append(*hooks, hook[F]{unit: r.unit, fn: fn})
		}
		return nil
	})
}

// observe runs observers in order. A plugin that no longer takes callbacks is skipped; a panic is kept for the result of the
// runtime's close.
func observe[E any](rt *Runtime, where string, hooks []hook[func(E)], event E) {
	for _, h := range hooks {
		rt.noteHookFailure(runHook(rt, where, h.unit, func() error { h.fn(event); return nil }))
	}
}

// observeReverse is observe, last registered first.
func observeReverse[E any](rt *Runtime, where string, hooks []hook[func(E)], event E) {
	for _, h := range slices.Backward(hooks) {
		rt.noteHookFailure(runHook(rt, where, h.unit, func() error { h.fn(event); return nil }))
	}
}

// intercept runs interceptors in order and stops at the first error, which may be a panic of theirs.
func intercept[E any](rt *Runtime, where string, hooks []hook[func(E) error], event E) error {
	for _, h := range hooks {
		if err := runHook(rt, where, h.unit, func() error { return h.fn(event) }); err != nil {
			return fmt.Errorf("%s of plugin %s: %w", where, h.unit.id(), err)
		}
	}
	return nil
}

func runHook(rt *Runtime, where string, u *unit, fn func() error) error {
	if u.callbacks.Enter() != nil {
		return nil
	}
	defer u.callbacks.Leave()
	return rt.callbacks.contain(u.id(), where, fn)
}
