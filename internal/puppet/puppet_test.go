package puppet_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/puppet"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// onStage runs f in a bubble, on a stage with a pool of three workers.
func onStage(t *testing.T, f func(t *testing.T, s *puppet.Stage, pool service.ID)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := puppet.New(fakeworkers.New(fakeworkers.Config{}), service.Limits{})
		require.NoError(t, err)
		defer func() { require.NoError(t, s.Close()) }()
		owner, err := s.Owner()
		require.NoError(t, err)
		pool, err := s.Pools.Create(owner.Caller, 0, service.Options{MinWorkers: 3})
		require.NoError(t, err)
		s.Settle()
		f(t, s, pool)
	})
}

func take(t *testing.T, s *puppet.Stage, ids ...service.WorkerID) {
	t.Helper()
	for _, id := range ids {
		p, err := s.Puppet(id)
		require.NoError(t, err)
		require.NoError(t, p.Take())
	}
	s.Settle()
}

func TestAPuppetDoesOneThingAtATime(t *testing.T) {
	onStage(t, func(t *testing.T, s *puppet.Stage, pool service.ID) {
		take(t, s, 1)
		p, err := s.Puppet(1)
		require.NoError(t, err)
		assert.True(t, p.Busy())
		require.Error(t, p.Take())
		_, err = s.Pools.Submit(pool, 7, []byte("seven"))
		require.NoError(t, err)
		s.Settle()
		assert.False(t, p.Busy())
		want := service.Task{Tag: 7, Key: 7, Payload: []byte("seven"), Attempt: 1}
		require.Equal(t, []puppet.Take{{Worker: 1, Task: want}}, s.Takes())
		require.Empty(t, s.Takes(), "what was told is not told again")
	})
}

func TestThoseThatAreToldToStopGoOneAfterTheOther(t *testing.T) {
	onStage(t, func(t *testing.T, s *puppet.Stage, pool service.ID) {
		var gone []workers.WorkerID
		_, err := s.Harness.Service().ObserveExits(func(x *workers.WorkerExitContext) {
			gone = append(gone, x.WorkerID)
		})
		require.NoError(t, err)
		take(t, s, 3, 2, 1)
		require.NoError(t, s.Pools.Drain(pool))
		s.Settle()
		require.Equal(t, []workers.WorkerID{1, 2, 3}, gone)
		require.Empty(t, s.Puppets())
	})
}

func TestAStubbornPuppetStaysUntilItIsOrderedToGo(t *testing.T) {
	onStage(t, func(t *testing.T, s *puppet.Stage, pool service.ID) {
		p, err := s.Puppet(2)
		require.NoError(t, err)
		p.Stubborn()
		var destroyed error
		job := s.Go(func() { destroyed = s.Pools.Destroy(pool) })
		require.False(t, job.Over())
		require.Len(t, s.Puppets(), 1)
		s.Pass(3 * time.Second)
		require.True(t, job.Over())
		require.ErrorIs(t, destroyed, service.ErrPoolWorkersRemain)
		require.NoError(t, p.End(workerstest.Return))
		s.Settle()
		require.Empty(t, s.Puppets())
		_, err = s.Puppet(2)
		require.Error(t, err)
	})
}

func TestTimePassesExactly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := puppet.New(fakeworkers.New(fakeworkers.Config{}), service.Limits{})
		require.NoError(t, err)
		defer func() { require.NoError(t, s.Close()) }()
		for _, d := range []time.Duration{1, time.Second, 7 * time.Hour} {
			start := time.Now()
			s.Pass(d)
			require.Equal(t, d, time.Since(start))
		}
	})
}

func TestAnOwnersCallerIsLiveUntilItLeaves(t *testing.T) {
	onStage(t, func(t *testing.T, s *puppet.Stage, pool service.ID) {
		owner, err := s.Owner()
		require.NoError(t, err)
		var caller wago.HostModule = owner.Caller
		require.Equal(t, service.ErrPoolOwner, s.Pools.Reconcile(caller, pool))
		owner.Leave()
		require.ErrorIs(t, s.Pools.Reconcile(caller, pool), workers.ErrInvalidWorkerCaller)
		require.ErrorIs(t, s.Pools.Supervise(context.Background(), caller, pool), workers.ErrInvalidWorkerCaller)
	})
}
