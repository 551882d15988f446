package service_test

import (
	"testing"
	"time"

	"github.com/JairusSW/pool/internal/puppet"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestQueueNanosIsTheTimeInTheMailboxAlone(t *testing.T) {
	const lain = 7 * time.Second // in the mailbox
	trap := func(s *stage, p *puppet.Puppet) {
		require.NoError(s.t, p.End(workerstest.Trap))
		s.Settle()
	}
	for name, before := range map[string]func(s *stage, id service.ID){
		"of a submit": func(s *stage, id service.ID) { s.submit(id, 1) },
		"after a wait for room": func(s *stage, id service.ID) {
			s.submit(id, 9)
			s.Go(func() { _, _ = s.Pools.SubmitWait(s.t.Context(), id, service.Task{Tag: 1}) })
			s.Pass(time.Minute)
			trap(s, s.worker(id, 0)) // its task goes first
			s.reconcile(id)
			s.take(s.worker(id, 0))
		},
		"after a mailbox and parking": func(s *stage, id service.ID) {
			s.submit(id, 1)
			s.Pass(time.Minute)
			trap(s, s.worker(id, 0))
			s.Pass(time.Minute)
			s.reconcile(id)
		},
		"after an attempt": func(s *stage, id service.ID) {
			s.submit(id, 1)
			s.take(s.worker(id, 0))
			s.Pass(time.Minute)
			trap(s, s.worker(id, 0))
			s.reconcile(id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				s := newStage(t, 0)
				id := s.create(service.Options{Retries: 1, Worker: service.WorkerOptions{QueueCapacity: 1}})
				before(s, id)
				s.Pass(lain)
				s.take(s.worker(id, 0))
				assert.Equal(t, lain, time.Duration(s.stats(id).Workers[0].QueueNanos))
			})
		})
	}
}
