package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/wago-org/wago/internal/countdown"
)

// Instantiate makes an anonymous instance and runs the module's start section,
// nothing else. The end of ctx interrupts it. A nil ctx is
// context.Background().
//
// Errors: ErrForeignModule, ErrModuleClosed, ErrEngineClosed; ErrLink for a
// binding that is missing or malformed; a *[LimitError] for an initial memory
// above Bindings.MemoryLimitPages; ErrMemory; and the errors of [Instance.Call] for a start
// section, or a data segment, that traps. After an error nothing is left open.
func (e *Engine) Instantiate(ctx context.Context, m *Module, b Bindings) (*Instance, error) {
	if m == nil || m.engine != e {
		return nil, ErrForeignModule
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if ctx.Err() != nil {
		return nil, interrupted(ctx)
	}
	if err := e.openInstance(); err != nil {
		return nil, err
	}
	if err := m.acquire(); err != nil {
		e.closeInstance()
		return nil, err
	}
	i := &Instance{module: m, host: b.Host, owner: b.Owner}
	made := false
	defer func() { // also when a host function ends the goroutine
		if !made {
			_ = i.Close()
		}
	}()
	if err := i.start(ctx, b); err != nil {
		return nil, err
	}
	made = true
	return i, nil
}

func (i *Instance) start(ctx context.Context, b Bindings) (err error) {
	if err := i.checkBindings(b); err != nil {
		return err
	}
	if err := i.allocate(b); err != nil {
		return err
	}
	if i.constants, err = i.module.acquireConstants(b.Globals); err != nil {
		return err
	}
	cfg, files, err := i.moduleConfig(b.WASI)
	if err != nil {
		return err
	}
	settled := false
	defer func() { files.settle(!settled) }()
	a := i.push(i.linking(ctx))
	defer i.pop(a)
	mod, err := instantiate(a, i.module, cfg)
	if mod != nil {
		i.mod = mod
	}
	if err = a.concludeStart(err); err != nil {
		return err
	}
	settled = true
	return i.EndError() // a call nested in the start section may have ended it
}

func (i *Instance) checkBindings(b Bindings) error {
	if b.Host == nil && len(i.module.hosts) > 0 {
		return fmt.Errorf("%w: the module imports functions and Bindings.Host is nil", ErrLink)
	}
	return nil
}

// linking adds to ctx what wazero looks there for.
func (i *Instance) linking(ctx context.Context) context.Context {
	ctx = experimental.WithImportResolver(ctx, func(name string) api.Module {
		if i.constants != nil && i.constants.modules[name] != nil {
			return i.constants.modules[name]
		}
		return i.module.resolveHost(name)
	})
	if alloc := i.allocator(); alloc != nil {
		ctx = experimental.WithMemoryAllocator(ctx, alloc)
	}
	return ctx
}

// allocator returns what gives the guest its memory, and looks after its
// interruption if it is rewritten. Nil is for a guest that needs neither.
func (i *Instance) allocator() experimental.MemoryAllocator {
	if i.module.machine.interruption == InterruptWatched {
		if i.memory == nil {
			return nil
		}
		return i.memory
	}
	gate := &countdown.Gate{Check: i.checkpoint}
	if i.memory != nil {
		gate.Memory, gate.MaxPages = i.memory, i.memory.LimitPages()
	}
	return gate
}

// instantiate returns no module, not even the nil of some type, with an error.
func instantiate(a *activation, m *Module, cfg wazero.ModuleConfig) (mod api.Module, err error) {
	defer func() {
		if v := recover(); v != nil {
			mod, err = nil, panicked(v)
		}
	}()
	if mod, err = m.machine.rt.InstantiateModule(a, m.compiled, cfg); err != nil {
		return nil, err
	}
	return mod, nil
}

// concludeStart is conclude for an instantiation, where most errors are not the
// guest's doing.
func (a *activation) concludeStart(err error) error {
	reason, result := a.classify(err)
	var unknown *HostPanicError
	if a.outcome == nil && errors.As(result, &unknown) {
		// wazero has no type for the trap of a data segment.
		if strings.HasSuffix(err.Error(), "]: out of bounds memory access") {
			result = &TrapError{Code: TrapLinMemOutOfBounds, causes: []error{err}}
		} else {
			result = fmt.Errorf("%w: %w", ErrLink, err)
		}
	}
	if result != nil {
		a.inst.end(reason, result)
	}
	return result
}
