package service_test

import (
	"testing"

	"github.com/JairusSW/pool/service"
	"github.com/JairusSW/pool/strategy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSubmitFromDoesNotReconcileAgainForATaskThatWasNotParked(t *testing.T) {
	for name, opts := range map[string]service.Options{
		"shed":      {Overflow: service.OverflowShed, Worker: service.WorkerOptions{QueueCapacity: 1}},
		"broadcast": {Strategy: strategy.Broadcast},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTolled(t)
			id, err := s.Create(s.caller, 0, opts)
			require.NoError(t, err)
			_, err = s.Submit(id, 1, nil)
			require.NoError(t, err)
			apart := s.lease.cost(func() {
				require.NoError(t, s.Reconcile(s.caller, id))
				_, err := s.Submit(id, 2, nil)
				require.NoError(t, err)
			})
			together := s.lease.cost(func() {
				worker, err := s.SubmitFrom(s.caller, id, 3, nil)
				require.NoError(t, err)
				require.Zero(t, worker, "as if it had been parked")
			})
			assert.Equal(t, apart, together, "visits to Workers")
		})
	}
}
