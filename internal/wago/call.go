package wago

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Call calls an exported function with typed values, and runs the interceptors and observers of invocations around it: an
// interceptor's error is returned and the guest doesn't run. Everything else is as for [Instance.InvokeContext]; an argument
// of another type than the parameter's fails with [ErrInvalidArgument], a signature with v128 with [ErrUnsupported].
//
// Safe for concurrent use: see [Instance].
func (in *Instance) Call(ctx context.Context, export string, args ...Value) ([]Value, error) {
	if in == nil {
		return nil, fmt.Errorf("%w: nil Instance", ErrInvalidHandle)
	}
	sig, err := in.module.signature(export)
	if err != nil {
		return nil, err
	}
	slots, err := sig.slots(export, args)
	if err != nil {
		return nil, err
	}
	request := InvocationRequest{Operation: OperationIdentity{nextIdentity()}, Instance: in.id, Export: export,
		Args: args, Start: time.Now()}
	if err := in.interceptCall(request); err != nil {
		return nil, err
	}
	raw, err := in.InvokeContext(ctx, export, slots...)
	values := sig.values(raw)
	in.observeCall(request, values, err)
	return values, err
}

// interceptCall shows each interceptor a copy of the arguments: they decide about the call and don't change it.
func (in *Instance) interceptCall(request InvocationRequest) error {
	hooks := in.rt.hooks.beforeInvoke
	args := request.Args
	for i := range hooks {
		request.Args = slices.Clone(args)
		if err := intercept(in.rt, "InstanceInvokeInterceptor.Before", hooks[i:i+1], request); err != nil {
			return err
		}
	}
	return nil
}

func (in *Instance) observeCall(request InvocationRequest, values []Value, err error) {
	hooks := in.rt.hooks.afterInvoke
	for i := range hooks {
		observe(in.rt, "InstanceInvokeObserver.After", hooks[i:i+1], InvocationEvent{Operation: request.Operation,
			Instance: in.id, Export: request.Export, Results: slices.Clone(values), Err: err, Start: request.Start})
	}
}

// signature returns the signature of an exported function.
func (m *Module) signature(export string) (FuncSig, error) {
	for _, e := range m.compiled.code.Exports() {
		if e.Kind == ImportFunc && e.Name == export {
			return FuncSig{Params: e.Params, Results: e.Results}, nil
		}
	}
	return FuncSig{}, fmt.Errorf("%w: function %q", ErrNoExport, export)
}

func (s FuncSig) slots(export string, args []Value) ([]uint64, error) {
	if slices.Contains(s.Params, ValV128) || slices.Contains(s.Results, ValV128) {
		return nil, unsupported(fmt.Sprintf("Call of %q, whose signature has a v128", export))
	}
	if len(args) != len(s.Params) {
		return nil, fmt.Errorf("%w: %q takes %d, got %d", ErrArity, export, len(s.Params), len(args))
	}
	slots := make([]uint64, len(args))
	for i, arg := range args {
		if arg.Type() != s.Params[i] {
			return nil, fmt.Errorf("%w: argument %d of %q is a %s, got %s", ErrInvalidArgument, i, export, s.Params[i], arg)
		}
		slots[i] = arg.Bits()
	}
	return slots, nil
}

func (s FuncSig) values(raw []uint64) []Value {
	if len(raw) != len(s.Results) {
		return nil
	}
	values := make([]Value, len(raw))
	for i, bits := range raw {
		values[i] = ValueOf(s.Results[i], bits)
	}
	return values
}
