package fakeworkers_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/workerstest"
)

// extras lists what each extra is found by.
var extras = map[string]struct {
	extra fakeworkers.Extras
	has   func(workers.Service) bool
}{
	"SendOwned":  {fakeworkers.SendOwned, is[workerstest.Owned]},
	"Retire":     {fakeworkers.Retire, is[workerstest.Retirer]},
	"KillWithin": {fakeworkers.KillWithin, is[workerstest.Terminator]},
	"Closing":    {fakeworkers.Closing, is[workerstest.Closer]},
	"Identity":   {fakeworkers.Identity, is[workerstest.Identifier]},
}

func is[E any](service workers.Service) bool {
	_, ok := service.(E)
	return ok
}

func TestEachExtraCanBeTakenAwayAndNoOther(t *testing.T) {
	for name, gone := range extras {
		t.Run(name, func(t *testing.T) {
			f := fakeworkers.New(small(gone.extra))
			defer func() { require.NoError(t, f.Close()) }()
			for other, e := range extras {
				assert.Equal(t, e.extra != gone.extra, e.has(f.Service()), other)
			}
		})
	}
}

func TestAllExtrasCanBeTakenAway(t *testing.T) {
	f := fakeworkers.New(small(fakeworkers.All))
	defer func() { require.NoError(t, f.Close()) }()
	for name, e := range extras {
		assert.False(t, e.has(f.Service()), name)
	}
}

func TestThereIsNoServiceWithoutSomeExtras(t *testing.T) {
	require.Panics(t, func() { fakeworkers.New(small(fakeworkers.Retire | fakeworkers.Closing)) })
}

func TestARefusalForQuotaSaysWhichCeilingUnlessThatIsTakenAway(t *testing.T) {
	for name, c := range map[string]struct {
		without fakeworkers.Extras
		says    bool
	}{"with": {0, true}, "without": {fakeworkers.Ceiling, false}} {
		t.Run(name, func(t *testing.T) {
			f := fakeworkers.New(small(c.without))
			defer func() { require.NoError(t, f.Close()) }()
			owner, err := f.Owner()
			require.NoError(t, err)
			require.NoError(t, owner.Call(func(caller wago.HostModule) {
				_, err = f.Service().Spawn(caller, f.Entry(), workers.WorkerOptions{MaxQueueBytes: 32 << 20})
			}))
			require.ErrorIs(t, err, workers.ErrWorkerQuotaExceeded)
			var ceiling interface {
				Ceiling() (string, uint64, uint64)
			}
			require.Equal(t, c.says, errors.As(err, &ceiling))
		})
	}
}
