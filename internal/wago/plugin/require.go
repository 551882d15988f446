package plugin

import (
	"fmt"
	"reflect"
	"sync/atomic"

	"github.com/wago-org/wago"
)

// Ref is a reference to the one provider of a required contract.
//
// Safe for concurrent use.
type Ref[T any] struct {
	ref   *wago.ContractRef
	typed atomic.Pointer[T] // the value once it has been seen: it is the same for as long as there are leases
}

// Require asks for exactly one provider of a contract that the plugin's definition consumes as required.
func Require[T any](r *wago.Registrar, c Contract[T]) (*Ref[T], error) {
	ref, err := wago.RequireContract(r, c.Spec(), wago.ContractRequired, witness[T]())
	if err != nil {
		return nil, err
	}
	return &Ref[T]{ref: ref}, nil
}

// With runs fn with the provider's value, leased until fn returns or panics; fn's error is returned unchanged. It fails with
// wago.ErrPermissionDenied outside the reference's life. It allocates nothing.
//
// Safe for concurrent use; there is no mutual exclusion.
func (r *Ref[T]) With(fn func(T) error) error {
	if r == nil || fn == nil {
		return errNil(r == nil)
	}
	value, err := r.Enter()
	if err != nil {
		return err
	}
	defer r.Leave()
	return fn(value)
}

// Enter takes a lease without a callback: the value as [Ref.With] passes it, or its error. Every success must be followed by
// exactly one [Ref.Leave]. An extra of this host.
//
// Safe for concurrent use.
func (r *Ref[T]) Enter() (value T, err error) {
	if r == nil {
		return value, errNil(true)
	}
	leased, err := r.ref.Enter()
	if err != nil {
		return value, err
	}
	if typed := r.typed.Load(); typed != nil {
		return *typed, nil
	}
	value, ok := leased.(T)
	if !ok {
		r.Leave()
		return value, errType[T](leased)
	}
	seen := value
	r.typed.Store(&seen)
	return value, nil
}

// Leave ends the lease of one successful [Ref.Enter]. An extra of this host.
//
// Safe for concurrent use.
func (r *Ref[T]) Leave() { r.ref.Leave() }

// OptionalRef is a reference to the provider of an optional contract, if there is one.
//
// Safe for concurrent use.
type OptionalRef[T any] struct{ ref *wago.ContractRef }

// Optional asks for at most one provider of a contract that the plugin's definition consumes as optional.
func Optional[T any](r *wago.Registrar, c Contract[T]) (*OptionalRef[T], error) {
	ref, err := wago.RequireContract(r, c.Spec(), wago.ContractOptional, witness[T]())
	if err != nil {
		return nil, err
	}
	return &OptionalRef[T]{ref: ref}, nil
}

// With runs fn with the provider's value and true, or with the zero value and false when no provider is bound. The lease and
// the errors are those of [Ref.With].
//
// Safe for concurrent use; there is no mutual exclusion.
func (r *OptionalRef[T]) With(fn func(T, bool) error) error {
	if r == nil || fn == nil {
		return errNil(r == nil)
	}
	value, err := r.ref.Enter()
	if err != nil {
		return err
	}
	defer r.ref.Leave()
	if value == nil {
		var zero T
		return fn(zero, false)
	}
	typed, ok := value.(T)
	if !ok {
		return errType[T](value)
	}
	return fn(typed, true)
}

// ManyRef is a reference to every provider of a contract.
//
// Safe for concurrent use.
type ManyRef[T any] struct{ ref *wago.ContractRef }

// Many asks for every selected provider of a contract that the plugin's definition consumes as many.
func Many[T any](r *wago.Registrar, c Contract[T]) (*ManyRef[T], error) {
	ref, err := wago.RequireContract(r, c.Spec(), wago.ContractMany, witness[T]())
	if err != nil {
		return nil, err
	}
	return &ManyRef[T]{ref: ref}, nil
}

// With runs fn with every provider's value in the order of the binding, in a slice that belongs to fn. One lease covers them
// all; its rules and errors are those of [Ref.With].
//
// Safe for concurrent use; there is no mutual exclusion.
func (r *ManyRef[T]) With(fn func([]T) error) error {
	if r == nil || fn == nil {
		return errNil(r == nil)
	}
	return r.ref.CallAll(func(values []any) error {
		typed := make([]T, len(values))
		for i, value := range values {
			v, ok := value.(T)
			if !ok {
				return errType[T](value)
			}
			typed[i] = v
		}
		return fn(typed)
	})
}

func errNil(receiver bool) error {
	what := "callback"
	if receiver {
		what = "contract reference"
	}
	return fmt.Errorf("%w: nil %s", wago.ErrInvalidArgument, what)
}

func errType[T any](value any) error {
	return fmt.Errorf("%w: contract value of type %T is no %v", wago.ErrInvalidArgument, value, reflect.TypeFor[T]())
}
