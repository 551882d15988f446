package lease_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wago-org/wago/internal/lease"
)

// hammer is one gate under attack.
type hammer struct {
	gate    lease.Gate
	entered atomic.Int64 // successful Enter calls
	inside  atomic.Int64
	late    atomic.Int64 // got in although Close had returned before
	closed  atomic.Bool  // Close has returned
	written [8]int       // by goroutine; no locks: ordered by the gate alone
}

// visit enters and leaves until the gate is closed for good.
func (h *hammer) visit(i int) {
	for turn := 0; ; turn++ {
		if turn%4 == 0 {
			runtime.Gosched() // or those who shut the gate wait for their time slice
		}
		shut := h.closed.Load()
		if h.gate.Enter() != nil {
			if shut {
				return
			}
			continue
		}
		if shut {
			h.late.Add(1)
		}
		h.entered.Add(1)
		h.inside.Add(1)
		h.written[i]++
		h.inside.Add(-1)
		h.gate.Leave()
	}
}

// shut closes the gate once enough have been inside. If it gets in itself it stays for a while, so that others meet a gate
// that is closing.
func (h *hammer) shut(enough int64) {
	for h.entered.Load() < enough {
		runtime.Gosched()
	}
	admitted := h.gate.Enter() == nil
	h.gate.Close()
	h.closed.Store(true)
	if admitted {
		for range 10 {
			runtime.Gosched()
		}
		h.gate.Leave()
	}
}

// Many goroutines enter and leave while others open and close. Whoever waited finds nobody inside, sees all that was written
// inside (the race detector knows), and nobody gets in after Close has returned.
func TestGateHammer(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	for round := range rounds {
		var h hammer
		var wg sync.WaitGroup
		start := make(chan struct{})
		run := func(f func()) {
			wg.Go(func() {
				<-start
				f()
			})
		}
		for i := range h.written {
			run(func() { h.visit(i) })
		}
		for range 2 {
			run(func() { h.gate.Open() })
			run(func() { h.shut(int64(round)) })
		}
		close(start)
		require.NoError(t, h.gate.Wait(t.Context()))
		require.Zero(t, h.inside.Load(), "somebody is inside a closed gate")
		sum := int64(0)
		for _, n := range h.written {
			sum += int64(n)
		}
		require.Equal(t, h.entered.Load(), sum)
		require.GreaterOrEqual(t, sum, int64(round))
		wg.Wait()
		require.Equal(t, sum, h.entered.Load(), "somebody got in after the gate was closed")
		require.Zero(t, h.late.Load(), "somebody got in after Close")
	}
}
