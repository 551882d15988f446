package wago

import (
	"fmt"
	"reflect"

	"github.com/wago-org/wago/internal/lease"
)

// ContractRef is a consumer's reference to what is bound to one of its contract requirements. It works from the commit of
// the load to the end of the consumer's teardown, and leases the value for each use: see [ContractRef.Call]. Package plugin
// wraps it with types.
//
// Safe for concurrent use.
type ContractRef struct {
	// set once, before the commit
	spec     ContractSpec
	mode     ContractMode
	consumer *unit
	witness  reflect.Type // the consumer's T
	values   []any        // set at the commit, in binding order

	leases lease.Gate
}

// ProvideContract offers a value under a contract that the definition provides, once for each. Nil, also inside an
// interface, is refused.
func ProvideContract(r *Registrar, spec ContractSpec, value any) error {
	if r == nil {
		return fmt.Errorf("%w: nil Registrar", ErrInvalidArgument)
	}
	if isNil(value) {
		return fmt.Errorf("%w: nil value for contract %s@%d", ErrInvalidArgument, spec.ID, spec.Major)
	}
	return r.add(func(c *contributions) error {
		if _, ok := c.provided[spec]; ok {
			return fmt.Errorf("%w: contract %s@%d provided twice", ErrContribution, spec.ID, spec.Major)
		}
		if c.provided == nil {
			c.provided = make(map[ContractSpec]any)
		}
		c.provided[spec] = value
		return nil
	})
}

// RequireContract asks for a contract that the definition consumes in that mode, once for each. The witness is a nil *T,
// where T is the type the consumer will use: a provider whose value isn't assignable to it fails the load.
func RequireContract(r *Registrar, spec ContractSpec, mode ContractMode, typeWitness any) (*ContractRef, error) {
	if r == nil {
		return nil, fmt.Errorf("%w: nil Registrar", ErrInvalidArgument)
	}
	witness := reflect.TypeOf(typeWitness)
	if witness == nil || witness.Kind() != reflect.Pointer {
		return nil, fmt.Errorf("%w: the type witness of contract %s@%d is no (*T)(nil)", ErrInvalidArgument, spec.ID, spec.Major)
	}
	ref := &ContractRef{spec: spec, mode: mode, consumer: r.unit, witness: witness.Elem()}
	err := r.add(func(c *contributions) error {
		if _, ok := c.required[spec]; ok {
			return fmt.Errorf("%w: contract %s@%d required twice", ErrContribution, spec.ID, spec.Major)
		}
		if c.required == nil {
			c.required = make(map[ContractSpec]*ContractRef)
		}
		c.required[spec] = ref
		return nil
	})
	if err != nil {
		return nil, err
	}
	return ref, nil
}

func isNil(value any) bool {
	if value == nil {
		return true
	}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return v.IsNil()
	default:
		return false
	}
}

// publishContracts makes the references of a committed plugin work.
func (u *unit) publishContracts() {
	for _, ref := range u.required {
		ref.leases.Open()
	}
}
