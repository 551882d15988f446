package direct

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero/api"
)

// Task is what a guest works on.
type Task struct {
	Tag     uint64
	Payload []byte
}

// Instance is one guest. What a task needs is looked up once, and its calls use one stack.
//
// Not safe for concurrent use.
type Instance struct {
	module api.Module
	memory api.Memory
	run    api.Function
	buffer uint32 // where the guest finds a task
	stack  [2]uint64
	tasks  <-chan Task
}

// New makes an instance that is ready for work.
func (e *Engine) New(ctx context.Context) (*Instance, error) {
	module, err := e.runtime.InstantiateModule(ctx, e.compiled, anonymous)
	if err != nil {
		return nil, err
	}
	return &Instance{
		module: module, memory: module.Memory(), run: module.ExportedFunction("run"), buffer: e.buffer,
	}, nil
}

// Close ends the instance.
func (in *Instance) Close(ctx context.Context) error { return in.module.Close(ctx) }

// Do has the guest do one task and returns what it returned.
func (in *Instance) Do(ctx context.Context, payload []byte) (uint32, error) {
	if !in.memory.Write(in.buffer, payload) {
		return 0, fmt.Errorf("%d bytes do not fit into the guest", len(payload))
	}
	in.stack[0] = uint64(len(payload))
	err := in.run.CallWithStack(ctx, in.stack[:])
	return uint32(in.stack[0]), err
}

// Result copies bytes out of the guest's memory.
func (in *Instance) Result(into []byte, at uint32) error {
	bytes, ok := in.memory.Read(at, uint32(len(into)))
	if !ok {
		return fmt.Errorf("the guest has no %d bytes at %d", len(into), at)
	}
	copy(into, bytes)
	return nil
}

// Serve has the guest do every task of the channel, in one call, until that is closed.
func (in *Instance) Serve(ctx context.Context, tasks <-chan Task) error {
	in.tasks = tasks
	_, err := in.module.ExportedFunction("serve").Call(context.WithValue(ctx, key{}, in))
	return err
}

// Each is Serve with a call of the guest for each task.
func (in *Instance) Each(ctx context.Context, tasks <-chan Task) error {
	for task := range tasks {
		if _, err := in.Do(ctx, task.Payload); err != nil {
			return err
		}
	}
	return nil
}

// Many calls the export many, which does its work so many times in one call.
func (in *Instance) Many(ctx context.Context, params ...uint64) error {
	_, err := in.module.ExportedFunction("many").Call(ctx, params...)
	return err
}
