package service_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

var (
	contract   = reflect.TypeFor[pool.Service]()
	callerType = reflect.TypeFor[wago.HostModule]()
	idType     = reflect.TypeFor[pool.PoolID]()
	errorType  = reflect.TypeFor[error]()
)

// methods are the contract's, by name.
func methods() (all []reflect.Method) {
	for i := range contract.NumMethod() {
		all = append(all, contract.Method(i))
	}
	return all
}

// takes reports whether a method has a parameter of the type.
func takes(m reflect.Method, what reflect.Type) bool {
	for i := range m.Type.NumIn() {
		if m.Type.In(i) == what {
			return true
		}
	}
	return false
}

// ask calls a method of the contract with caller and id where it takes them, and something harmless elsewhere. It returns
// the error; fails is false for a method without one.
func ask(s pool.Service, m reflect.Method, caller wago.HostModule, id pool.PoolID) (err error, fails bool) {
	args := make([]reflect.Value, m.Type.NumIn())
	for i := range args {
		args[i] = harmless(m.Type.In(i), caller, id)
	}
	results := reflect.ValueOf(s).MethodByName(m.Name).Call(args)
	last := results[len(results)-1]
	if last.Type() != errorType {
		return nil, false
	}
	err, _ = last.Interface().(error)
	return err, true
}

func harmless(t reflect.Type, caller wago.HostModule, id pool.PoolID) reflect.Value {
	switch t {
	case callerType:
		if caller == nil {
			return reflect.Zero(t)
		}
		return reflect.ValueOf(caller)
	case idType:
		return reflect.ValueOf(id)
	case reflect.TypeFor[context.Context]():
		return reflect.ValueOf(context.Background())
	case reflect.TypeFor[func(*pool.PoolEvent)]():
		return reflect.ValueOf(func(*pool.PoolEvent) {})
	}
	return reflect.Zero(t)
}

// everyMethodSays holds that every method that takes an id answers err for this one, at once.
func everyMethodSays(t *testing.T, b *bench, id pool.PoolID, want error) {
	t.Helper()
	for _, m := range methods() {
		if !takes(m, idType) {
			continue
		}
		err := promptly(t, m.Name, func() error {
			err, _ := ask(b.Service, m, b.owner.Caller, id)
			return err
		})
		assert.Equal(t, want, err, m.Name)
	}
}

func TestEveryMethodRefusesBeforeStartAndAfterStop(t *testing.T) {
	r := rig.New(t, rig.Config{})
	caller := r.Owner().Caller
	everyone := func(s pool.Service, want error) {
		for _, m := range methods() {
			err, fails := ask(s, m, caller, 1)
			switch {
			case fails:
				assert.Equal(t, want, err, m.Name)
			default:
				require.Equal(t, "List", m.Name, "a method without an error: what does it say when the service is not open?")
				assert.Empty(t, s.List())
			}
		}
	}
	everyone(service.New(nobody{}, pool.Limits{}), pool.ErrPoolsInactive)
	r.Close()
	everyone(r.Service, pool.ErrPoolsClosed)
	stopped := service.New(nobody{}, pool.Limits{})
	require.NoError(t, stopped.Stop(context.Background()), "never started")
	everyone(stopped, pool.ErrPoolsClosed)
}

// nobody is a lease that must not be entered.
type nobody struct{}

func (nobody) With(func(workers.Service) error) error { panic("the lease was entered") }

func TestEveryMethodThatTakesAnIDRefusesOneThatIsNoPool(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{})
	gone := b.another(pool.PoolOptions{})
	require.NoError(t, b.Service.Destroy(gone))
	before := b.stats()
	for name, id := range map[string]pool.PoolID{"zero": 0, "destroyed": gone, "not yet": gone + 1, "largest": ^pool.PoolID(0)} {
		t.Run(name, func(t *testing.T) { everyMethodSays(t, b, id, pool.ErrPoolNotFound) })
	}
	assert.Equal(t, before, b.stats())
}
