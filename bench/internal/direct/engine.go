package direct

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Interruption says how guests can be stopped.
type Interruption bool

// The ways there are.
const (
	Plain     Interruption = false // not at all: a guest that spins stops the process at the next garbage collection
	Stoppable Interruption = true  // by the end of their call's context: wazero's close-on-context-done
)

// Engine has one compiled guest.
//
// Safe for concurrent use.
type Engine struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	buffer   uint32 // where every instance finds a task
}

// anonymous lets many instances exist beside each other; nothing is run when one is made.
var anonymous = wazero.NewModuleConfig().WithName("").WithStartFunctions()

// Open compiles a guest.
func Open(ctx context.Context, guest []byte, how Interruption) (*Engine, error) {
	config := wazero.NewRuntimeConfig().WithCloseOnContextDone(bool(how))
	e := &Engine{runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	err := e.imports(ctx)
	if err == nil {
		e.compiled, err = e.runtime.CompileModule(ctx, guest)
	}
	if err == nil {
		err = e.learn(ctx)
	}
	if err != nil {
		_ = e.Close(ctx)
		return nil, err
	}
	return e, nil
}

// learn asks one instance what is the same in all of them.
func (e *Engine) learn(ctx context.Context) error {
	module, err := e.runtime.InstantiateModule(ctx, e.compiled, anonymous)
	if err != nil {
		return err
	}
	defer module.Close(ctx)
	where := module.ExportedFunction("buffer")
	if where == nil {
		return nil // a guest without tasks
	}
	results, err := where.Call(ctx)
	if err == nil {
		e.buffer = uint32(results[0])
	}
	return err
}

// Close closes every instance, none of which may be in use.
func (e *Engine) Close(ctx context.Context) error { return e.runtime.Close(ctx) }

// imports answers what guests import. The calling instance is in the context of its call.
func (e *Engine) imports(ctx context.Context) error {
	i32 := []api.ValueType{api.ValueTypeI32}
	builder := e.runtime.NewHostModuleBuilder("bench")
	builder.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(next), append(i32, i32...), i32).Export("next")
	builder.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(ignore), append(i32, i32...), nil).Export("reply")
	builder.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(ignore), nil, nil).Export("own")
	_, err := builder.Instantiate(ctx)
	return err
}

func ignore(context.Context, api.Module, []uint64) {}

// key is where a call's context has its Instance.
type key struct{}

// next(buffer i32, capacity i32) -> i32 brings the guest the next task of its channel: the length, or -1 when there is none.
func next(ctx context.Context, m api.Module, stack []uint64) {
	in := ctx.Value(key{}).(*Instance)
	task, ok := <-in.tasks
	if !ok {
		stack[0] = api.EncodeI32(-1)
		return
	}
	buffer, _ := m.Memory().Read(uint32(stack[0]), uint32(stack[1]))
	stack[0] = api.EncodeI32(int32(copy(buffer, task.Payload)))
}
