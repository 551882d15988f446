package service_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

// Workers gives a place back when every exit observer has returned: a replacement that is started before that is refused. A place
// that comes back soon is waited for, and asked for again after a later one; neither takes a second.
func TestAReplacementAtWorkersQuotaWaitsForASlowObserverNoLongerThanForIt(t *testing.T) {
	t.Run("soon", func(t *testing.T) { replaceAfter(t, 30*time.Millisecond, 35*time.Millisecond) })
	t.Run("late", func(t *testing.T) { replaceAfter(t, 200*time.Millisecond, 400*time.Millisecond) })
}

func replaceAfter(t *testing.T, slow, within time.Duration) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{
			Bubble: true, Behaviour: rig.TrapOn(666), Settings: map[string]string{workers.PluginID: `{"maxLiveWorkers":2}`},
		}, pool.PoolOptions{MinWorkers: 2})
		require.NoError(t, b.WithWorkers(func(w workers.Service) error {
			_, err := w.ObserveExits(func(*workers.WorkerExitContext) { <-time.After(slow) })
			return err
		}))
		over := b.supervise()
		synctest.Wait()
		ended := time.Now()
		b.submit(666)
		b.until(func(s pool.PoolStats) bool { return s.Restarted == 1 && s.Live == 2 }, "replaced")
		assert.Less(t, time.Since(ended), within)
		require.NoError(t, b.Service.Drain(b.id))
		require.NoError(t, <-over)
	})
}
