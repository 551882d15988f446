package wago

import (
	"fmt"
)

// Call runs fn with the bound value: the first one in the order of the binding, nil when the requirement is optional and
// unbound. fn's error is returned unchanged. The value is leased until fn returns or panics; keep nothing of it.
//
// Before the commit of the load and from the consumer's revocation on, Call fails with [ErrPermissionDenied] and fn doesn't
// run; that goes for a call nested in another one as well. The revocation, a step of the runtime's close, waits for the
// calls that are inside, so closing the runtime from inside fn is a deadlock.
//
// Safe for concurrent use; there is no mutual exclusion between calls.
func (r *ContractRef) Call(fn func(any) error) error {
	if fn == nil {
		return fmt.Errorf("%w: nil callback", ErrInvalidArgument)
	}
	value, err := r.Enter()
	if err != nil {
		return err
	}
	defer r.Leave()
	return fn(value)
}

// CallAll runs fn with every bound value, in the order of the binding, under the same rules as [ContractRef.Call]. The slice
// belongs to fn.
//
// Safe for concurrent use.
func (r *ContractRef) CallAll(fn func([]any) error) error {
	if fn == nil {
		return fmt.Errorf("%w: nil callback", ErrInvalidArgument)
	}
	if _, err := r.Enter(); err != nil {
		return err
	}
	defer r.Leave()
	return fn(append([]any(nil), r.values...))
}

// Enter takes a lease without a callback, so that it costs no allocation: the value as [ContractRef.Call] passes it, or its
// error. Every success must be followed by exactly one [ContractRef.Leave]. An extra of this host.
//
// Safe for concurrent use.
func (r *ContractRef) Enter() (any, error) {
	if r == nil {
		return nil, fmt.Errorf("%w: nil contract reference", ErrInvalidArgument)
	}
	if r.leases.Enter() != nil {
		return nil, fmt.Errorf("%w: contract %s@%d of plugin %s is not active", ErrPermissionDenied,
			r.spec.ID, r.spec.Major, r.consumer.id())
	}
	if len(r.values) == 0 {
		return nil, nil
	}
	return r.values[0], nil
}

// Leave ends the lease of one successful [ContractRef.Enter]. An extra of this host.
//
// Safe for concurrent use.
func (r *ContractRef) Leave() { r.leases.Leave() }

// revoke refuses new leases, waits for those that are out, and drops the values.
func (r *ContractRef) revoke() {
	r.leases.Close()
	<-r.leases.Done()
	r.values = nil
}
