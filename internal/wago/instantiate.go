package wago

import (
	"context"
	"errors"
	"fmt"

	"github.com/wago-org/wago/internal/engine"
)

// Instantiate makes an instance of a module and runs its start section, nothing else: exported functions such as _start are
// the embedder's to call. The end of ctx interrupts the start section; a nil ctx never ends. Interceptors may refuse.
//
// Errors: [ErrMissingImport] naming every import that nobody provides, joined with an [*ImportSignatureError] for each that is
// declared with another signature; [ErrPluginConflict]; [ErrUnsupported]; [ErrPermissionDenied] for a policy that forbids what the module needs; [ErrInvalidHandle] for a closed module and
// [ErrForeignModule] for another runtime's; [ErrRuntimeLoading], [ErrRuntimeClosed]; an interceptor's error; [ErrGuestMemory];
// and those of [Instance.InvokeContext] for a start section.
//
// Safe for concurrent use.
func (rt *Runtime) Instantiate(ctx context.Context, m *Module, opts ...InstantiateOption) (*Instance, error) {
	if err := rt.begin(); err != nil {
		return nil, err
	}
	defer rt.operations.Done()
	b, err := rt.prepare(m, opts)
	if err != nil {
		return nil, err
	}
	in := rt.newInstance(m, b, InstantiateDirect)
	if err := in.create(ctx); err != nil {
		return nil, err
	}
	return in, nil
}

// prepare checks module and options and binds the imports.
func (rt *Runtime) prepare(m *Module, opts []InstantiateOption) (*bindings, error) {
	switch {
	case m == nil:
		return nil, fmt.Errorf("%w: nil Module", ErrInvalidHandle)
	case m.rt != rt:
		return nil, ErrForeignModule
	}
	o, err := collect(opts)
	if err != nil {
		return nil, err
	}
	b, err := rt.bind(m, o)
	if err != nil {
		return nil, err
	}
	return b, o.policy.check(m)
}

// create turns a new instance into a usable one, or reports why not and leaves nothing of it.
func (in *Instance) create(ctx context.Context) error {
	err := in.tryCreate(ctx)
	if err != nil {
		observe(in.rt, "InstanceInstantiateObserver.OnError", in.rt.hooks.instantiateFailed,
			InstantiationErrorEvent{Module: in.view(), Origin: in.origin, Err: err})
		return err
	}
	observe(in.rt, "InstanceInstantiateObserver.After", in.rt.hooks.instantiated, in.event())
	return nil
}

func (in *Instance) tryCreate(ctx context.Context) error {
	err := intercept(in.rt, "InstanceInstantiateInterceptor.Before", in.rt.hooks.beforeInstantiate,
		InstantiationRequest{Module: in.view(), Origin: in.origin})
	if err != nil {
		return in.discard(err)
	}
	if err := in.retain(); err != nil {
		return in.discard(err)
	}
	if err := in.rt.register(in); err != nil {
		return errors.Join(in.discard(err), in.module.compiled.release())
	}
	if err := in.bringUp(ctx); err != nil {
		return in.abandon(err)
	}
	return nil
}

// bringUp makes the guest and lets the interceptors decide about it.
func (in *Instance) bringUp(ctx context.Context) error {
	in.known.Store(in.module.compiled.code.HasStart())
	if err := in.start(ctx); err != nil {
		return err
	}
	in.known.Store(true)
	err := intercept(in.rt, "InstanceInstantiateInterceptor.After", in.rt.hooks.afterInstantiate, in.event())
	if err != nil {
		return err
	}
	return in.finishCreation()
}

// retain keeps the code: a fork's by its creator, whose module may be closed already.
func (in *Instance) retain() error {
	if in.creator != nil {
		if !in.module.compiled.retain() {
			return fmt.Errorf("%w: the creator's code has been freed", ErrInvalidHandle)
		}
		return nil
	}
	return in.module.use()
}

func (in *Instance) event() InstantiationEvent {
	return InstantiationEvent{Module: in.view(), Instance: in.id, Origin: in.origin}
}

// start makes the guest. Its start section is a call like any other, which close and ctx interrupt, and runs on a goroutine
// of its own if it can call the host.
func (in *Instance) start(ctx context.Context) error {
	act, err := in.enter(ctx, in.bindings.policy.MaxInvokeDuration)
	if err != nil {
		return err
	}
	code := in.module.compiled.code
	run := func() error {
		guest, err := in.rt.engine.Instantiate(act.ctx, code, in.engineBindings())
		if err == nil {
			in.guest.Store(guest)
		}
		return err
	}
	if in.bindings.host && code.HasStart() {
		return act.spawn(run)
	}
	defer act.leave()
	return run()
}

func (in *Instance) engineBindings() engine.Bindings {
	pages, _ := in.bindings.policy.memoryPages()
	return engine.Bindings{Host: in.bindings, Globals: in.bindings.globals, WASI: in.bindings.wasi,
		MemoryLimitPages: pages, Owner: in}
}

// finishCreation makes the instance an ordinary one, unless it was told to close meanwhile.
func (in *Instance) finishCreation() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.signalled != nil {
		return in.signalled
	}
	in.creating = false
	return nil
}

// abandon closes an instance whose creation failed.
func (in *Instance) abandon(err error) error {
	if closeErr := in.close(err); closeErr != nil {
		return errors.Join(err, closeErr)
	}
	return err
}

// discard drops an instance that the runtime doesn't know yet.
func (in *Instance) discard(err error) error {
	in.stop(err)
	in.refund()
	return err
}
