package wago

import (
	"context"
	"fmt"
)

// CallerResolver tells which instance calls a host function. Get one from [Registrar.HostCallers].
//
// Safe for concurrent use.
type CallerResolver struct{ unit *unit }

// Resolve returns the identity of the instance whose host call m is the caller of. It fails with [ErrPermissionDenied] for
// anything but a caller of this runtime whose host call still lasts, and outside the plugin's active life.
//
// Safe for concurrent use.
func (r *CallerResolver) Resolve(m HostModule) (InstanceIdentity, error) {
	c, err := r.unit.resolveCaller(m)
	if err != nil {
		return InstanceIdentity{}, err
	}
	return c.act.in.id, nil
}

// InvocationContext returns the context of the guest call in which the host call happens: it ends when the call is to be
// interrupted, with the reason as its cause. Errors as for [CallerResolver.Resolve].
//
// Safe for concurrent use.
func (r *CallerResolver) InvocationContext(m HostModule) (context.Context, error) {
	c, err := r.unit.resolveCaller(m)
	if err != nil {
		return nil, err
	}
	return c.act.ctx, nil
}

// GuestArgumentsAccess reads the guest arguments the embedder set with [WithGuestArguments]. Get one from
// [Registrar.GuestArguments].
//
// Safe for concurrent use.
type GuestArgumentsAccess struct{ unit *unit }

// Args returns a copy of the arguments, never nil. Outside the plugin's active life it fails with [ErrPermissionDenied].
//
// Safe for concurrent use.
func (a *GuestArgumentsAccess) Args() ([]string, error) {
	rt := a.unit.runtime()
	if rt == nil {
		return nil, fmt.Errorf("%w: plugin %s is not active", ErrPermissionDenied, a.unit.id())
	}
	return append([]string{}, rt.args...), nil
}
