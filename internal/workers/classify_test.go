package workers_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"

	"github.com/wago-org/workers"
)

func TestAnExitIsWhatTheGuestDidAndWhetherItWasTold(t *testing.T) {
	trap := &wago.TrapError{Code: wago.TrapUnreachable}
	code := func(n int32) error { return &wago.ExitError{Code: n} }
	cause := errors.New("cause")
	for name, c := range map[string]struct {
		end, cause error
		failed     bool
		kind       workers.WorkerExitKind
		is         []error // what errors.Is finds; none: no error
	}{
		"returned":                             {nil, nil, false, workers.WorkerReturned, nil},
		"exited with 0":                        {code(0), nil, false, workers.WorkerReturned, nil},
		"exited with 3":                        {code(3), nil, false, workers.WorkerFailed, nil},
		"trapped":                              {trap, nil, false, workers.WorkerFailed, []error{trap}},
		"told, returned":                       {nil, cause, false, workers.WorkerKilled, []error{cause}},
		"told, exited with 0":                  {code(0), cause, false, workers.WorkerKilled, []error{cause}},
		"told, trapped":                        {trap, cause, false, workers.WorkerKilled, []error{cause, trap}},
		"told, trapped with the cause":         {cause, cause, false, workers.WorkerKilled, []error{cause}},
		"told, interrupted for that":           {errors.Join(trap, cause), cause, false, workers.WorkerKilled, []error{cause, trap}},
		"observer failed, returned":            {nil, cause, true, workers.WorkerFailed, []error{cause}},
		"observer failed, trapped":             {trap, cause, true, workers.WorkerFailed, []error{cause, trap}},
		"observer failed, goroutine was ended": {workers.ErrGoexit, workers.ErrGoexit, true, workers.WorkerFailed, []error{workers.ErrGoexit}},
	} {
		t.Run(name, func(t *testing.T) {
			kind, err := workers.Classify(c.end, c.cause, c.failed)
			require.Equal(t, c.kind, kind)
			if kind == workers.WorkerReturned {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			for _, target := range c.is {
				require.ErrorIs(t, err, target)
			}
		})
	}
	_, err := workers.Classify(code(3), nil, false)
	var exit *wago.ExitError
	require.ErrorAs(t, err, &exit)
	require.EqualValues(t, 3, exit.Code)
}

func TestExitKindsHaveNames(t *testing.T) {
	for kind, name := range map[workers.WorkerExitKind]string{
		0: "unknown", workers.WorkerReturned: "returned", workers.WorkerFailed: "failed", workers.WorkerKilled: "killed", 4: "unknown",
	} {
		require.Equal(t, name, kind.String())
	}
}

func TestErrorsWithDetailUnwrap(t *testing.T) {
	quota := &workers.QuotaError{Setting: "maxLiveWorkers", Limit: 2, Wanted: 3}
	require.ErrorIs(t, quota, workers.ErrWorkerQuotaExceeded)
	setting, limit, wanted := quota.Ceiling()
	require.Equal(t, []any{"maxLiveWorkers", uint64(2), uint64(3)}, []any{setting, limit, wanted})

	inner := errors.New("inner")
	require.ErrorIs(t, &workers.PanicError{Value: inner}, workers.ErrObserverPanic)
	require.ErrorIs(t, &workers.PanicError{Value: inner}, inner)
	require.ErrorIs(t, &workers.PanicError{Value: 7}, workers.ErrObserverPanic)
}
