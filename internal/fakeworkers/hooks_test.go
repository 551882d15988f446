package fakeworkers_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/workerstest"
)

const errHook workers.Error = "hook: no"

// scene is a fake with an owner, whose workers wait for messages.
type scene struct {
	*fakeworkers.Fake
	t     *testing.T
	owner workerstest.Owner
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{Fake: fakeworkers.New(small(0)), t: t}
	s.Script(workerstest.Script{Step: func(caller wago.HostModule) workerstest.Act {
		if s.Service().DispatchNext(s.Context(), caller) != nil {
			return workerstest.Return
		}
		return workerstest.Again
	}})
	var err error
	s.owner, err = s.Owner()
	require.NoError(t, err)
	return s
}

func (s *scene) spawn() (id workers.WorkerID, err error) {
	s.t.Helper()
	require.NoError(s.t, s.owner.Call(func(caller wago.HostModule) {
		id, err = s.Service().Spawn(caller, s.Entry(), workers.WorkerOptions{})
	}))
	return id, err
}

func (s *scene) close() { require.NoError(s.t, s.Close()) }

func TestAHookRefusesAnOperationWhichThenChangesNothing(t *testing.T) {
	s := newScene(t)
	defer s.close()
	id, err := s.spawn()
	require.NoError(t, err)
	guests := s.Guests()
	refuse := func(workers.WorkerID) error { return errHook }
	s.Hook(fakeworkers.Hooks{
		Spawn: func(n int) error {
			if n == 1 {
				return errHook
			}
			return nil
		},
		Link: refuse, Send: refuse, Retire: refuse,
	})
	_, err = s.spawn()
	require.Equal(t, errHook, err)
	assert.Equal(t, guests, s.Guests())
	require.Equal(t, errHook, s.Service().Send(id, 1, nil))
	assert.Empty(t, s.Mailbox(id))
	require.Equal(t, errHook, s.Service().(workerstest.Retirer).Retire(id))
	require.NoError(t, s.owner.Call(func(caller wago.HostModule) {
		assert.Equal(t, errHook, s.Service().Link(caller, id))
		assert.ErrorIs(t, s.Service().Link(caller, 0), workers.ErrWorkerNotFound, "nobody is no worker to refuse")
	}))
	next, err := s.spawn()
	require.NoError(t, err, "only the first is refused")
	require.Equal(t, id+1, next)
}

func TestAHookCanHoldASpawnWhoseWorkerRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		defer s.close()
		gate := make(chan struct{})
		s.Hook(fakeworkers.Hooks{Spawned: func(workers.WorkerID) { <-gate }})
		var got []uint64
		_, err := s.Service().ObserveMessages(func(m *workers.MessageContext) error {
			got = append(got, m.Tag)
			return nil
		})
		require.NoError(t, err)
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = s.spawn()
		}()
		synctest.Wait()
		require.NoError(t, s.Service().Send(1, 7, nil))
		synctest.Wait()
		require.Equal(t, []uint64{7}, got)
		select {
		case <-done:
			require.Fail(t, "the spawn has returned")
		default:
		}
		close(gate)
		<-done
	})
}

func TestTheMailboxShowsWhatWaitsInIt(t *testing.T) {
	s := newScene(t)
	defer s.close()
	hold := make(chan struct{})
	s.Script(workerstest.Script{Step: func(wago.HostModule) workerstest.Act {
		<-hold
		return workerstest.Return
	}})
	id, err := s.spawn()
	require.NoError(t, err)
	for tag := range uint64(3) {
		require.NoError(t, s.Service().Send(id, tag, nil))
	}
	assert.Equal(t, []uint64{0, 1, 2}, s.Mailbox(id))
	assert.Empty(t, s.Mailbox(id+1))
	close(hold)
}
