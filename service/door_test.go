package service_test

import (
	"sync"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A submit that meets the shutting of the door must not take workers that were told to go for full ones, or for none.
func TestASubmitThatMeetsTheEndOfItsPoolIsToldSo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		shut   func(*bench) error
		want   error
		rounds int
	}{
		"Destroy": {func(b *bench) error { return b.Service.Destroy(b.id) }, pool.ErrPoolNotFound, size(40, 20)},
		"Drain":   {func(b *bench) error { return b.Service.Drain(b.id) }, pool.ErrPoolDraining, size(20, 5)},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, rig.Config{Quiet: true}, pool.PoolOptions{})
			for range c.rounds {
				b.id = b.another(pool.PoolOptions{MinWorkers: 2, Worker: pool.WorkerOptions{QueueCapacity: 65_536}})
				var submitting sync.WaitGroup
				for range 4 {
					submitting.Go(func() {
						for range 15_000 { // of all four together less than fills the mailboxes
							if _, err := b.Service.Submit(b.id, 1, nil); err != nil {
								assert.Equal(t, c.want, err)
								return
							}
						}
					})
				}
				b.until(func(s pool.PoolStats) bool { return s.Routed > 16 }, "under way")
				require.NoError(t, c.shut(b))
				submitting.Wait()
				if c.want == pool.ErrPoolDraining {
					require.NoError(t, promptlyDrained(b))
					require.NoError(t, b.Service.Destroy(b.id))
				}
			}
		})
	}
}
