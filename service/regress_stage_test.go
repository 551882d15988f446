package service_test

import (
	"testing"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/puppet"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/require"
)

// stage is the service over a fake, with workers that are moved by hand, in a bubble.
type stage struct {
	*puppet.Stage
	t     *testing.T
	fake  *fakeworkers.Fake
	owner *puppet.Owner
}

func newStage(t *testing.T, without fakeworkers.Extras) *stage {
	t.Helper()
	return stageOver(t, fakeworkers.New(fakeworkers.Config{Without: without}))
}

// stageOver is newStage over a fake that observers may have been subscribed to before Pool.
func stageOver(t *testing.T, fake *fakeworkers.Fake) *stage {
	t.Helper()
	s := &stage{t: t, fake: fake}
	var err error
	s.Stage, err = puppet.New(s.fake, service.Limits{MaxPools: 1024, RunnableWorkers: 1024})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	s.owner, err = s.Owner()
	require.NoError(t, err)
	return s
}

func (s *stage) create(opts service.Options) service.ID {
	s.t.Helper()
	id, err := s.Pools.Create(s.owner.Caller, s.fake.Entry(), opts)
	require.NoError(s.t, err)
	s.Settle()
	return id
}

func (s *stage) submit(id service.ID, tags ...uint64) {
	s.t.Helper()
	for _, tag := range tags {
		_, err := s.Pools.Submit(id, tag, nil)
		require.NoError(s.t, err)
	}
}

func (s *stage) reconcile(id service.ID) {
	s.t.Helper()
	require.NoError(s.t, s.Pools.Reconcile(s.owner.Caller, id))
	s.Settle()
}

func (s *stage) stats(id service.ID) service.Stats {
	s.t.Helper()
	stats, err := s.Pools.Stats(id)
	require.NoError(s.t, err)
	return stats
}

// worker is the pool's worker at a position in slot order.
func (s *stage) worker(id service.ID, at int) *puppet.Puppet {
	s.t.Helper()
	p, err := s.Puppet(s.stats(id).Workers[at].ID)
	require.NoError(s.t, err)
	return p
}

// take has a worker take its next task.
func (s *stage) take(p *puppet.Puppet) {
	s.t.Helper()
	require.NoError(s.t, p.Take())
	s.Settle()
}
