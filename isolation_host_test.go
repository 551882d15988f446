package pool_test

import (
	"runtime"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What guests were answered that call the host for ever: what their ceilings say, never anything without a name.
var answered = map[string][]error{
	"submits to its own pool":              {nil, pool.ErrPoolBackpressure},
	"creates pools":                        {nil, pool.ErrPoolLimit},
	"scales its pool":                      {nil},
	"gives the host all its memory to log": {nil},
}

// However often a guest calls what its plugin gives it, and whatever it grows, the host holds no more of it than its ceilings
// allow.
func TestNoGuestGrowsTheHost(t *testing.T) {
	looks := 10
	if testing.Short() {
		looks = 3
	}
	for name, how := range endless {
		t.Run(name, func(t *testing.T) {
			a := newAttack(t, sure)
			a.begin(how)
			a.goesOn(name, 100)
			heap, goroutines := heapInUse(), runtime.NumGoroutine()
			for range looks {
				a.goesOn(name, often(name))
				assert.LessOrEqual(t, a.LiveWorkers(), maxGuests)
				assert.LessOrEqual(t, len(a.Service.List()), maxPools)
			}
			most := heap + heap/10 + maxGuests*guestPages<<16
			a.Eventually(func() bool { return heapInUse() <= most }, "heap, when little of it is what the guest leaves behind just now")
			assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines+maxGuests*10)
			for err, n := range a.answers() {
				assert.Contains(t, answered[name], err, "%d times", n)
			}
		})
	}
}

// goesOn waits until the guest has called the host so often, or for one that doesn't call it, until others have.
func (a *attack) goesOn(name string, calls int) {
	a.T.Helper()
	if _, speaks := answered[name]; !speaks {
		for range calls {
			require.NoError(a.T, a.answer(a.id))
		}
		return
	}
	before := total(a.answers())
	a.Eventually(func() bool { return total(a.answers()) >= before+calls }, "it goes on")
}

func total(answers map[error]int) (n int) {
	for _, count := range answers {
		n += count
	}
	return n
}

// often is how many calls of the attack take some milliseconds.
func often(name string) int {
	if _, speaks := answered[name]; !speaks || name == "scales its pool" {
		return 20
	}
	return 2000
}

// heapInUse returns the bytes of live objects.
func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
