package pool_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// refusesAll holds that every method of of that takes a caller refuses this one, with the error of its layer.
func refusesAll(t testing.TB, of any, caller wago.HostModule, id pool.PoolID) {
	t.Helper()
	v := reflect.ValueOf(of)
	refused := 0
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		args, takes := arguments(v.Method(i).Type(), caller, id)
		if !takes {
			continue
		}
		results := v.Method(i).Call(args)
		err, _ := results[len(results)-1].Interface().(error)
		assert.True(t, isRefusal(err), "%s.%s: %v", v.Type(), name, err)
		refused++
	}
	require.Positive(t, refused, "%s: methods that take a caller", v.Type())
}

// isRefusal knows the three answers to a caller that is none, one for each layer and one for what only workers may ask.
func isRefusal(err error) bool {
	for _, refusal := range []error{workers.ErrInvalidWorkerCaller, workers.ErrWorkerNotFound, wago.ErrPermissionDenied} {
		if errors.Is(err, refusal) {
			return true
		}
	}
	return false
}

// arguments are good ones for a function, but for the caller; takes is false when it takes none.
func arguments(f reflect.Type, caller wago.HostModule, id pool.PoolID) (args []reflect.Value, takes bool) {
	for i := range f.NumIn() {
		switch in := f.In(i); in {
		case reflect.TypeFor[wago.HostModule]():
			args, takes = append(args, reflect.ValueOf(caller)), true
		case reflect.TypeFor[context.Context]():
			args = append(args, reflect.ValueOf(context.Background()))
		case reflect.TypeFor[pool.PoolID]():
			args = append(args, reflect.ValueOf(id))
		case reflect.TypeFor[workers.WorkerID]():
			args = append(args, reflect.ValueOf(workers.WorkerID(1)))
		default:
			args = append(args, reflect.Zero(in))
		}
	}
	return args, takes
}
