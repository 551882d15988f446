package supervise_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/supervise"
)

var (
	crashed   = supervise.Exit{Failed: true, Took: true}
	returned  = supervise.Exit{Took: true}
	stillborn = supervise.Exit{Failed: true}
	idled     = supervise.Exit{}
)

func newMachine(t require.TestingT, c supervise.Config) *supervise.Machine {
	m, err := supervise.New(c, rand.NewPCG(1, 2))
	require.NoError(t, err)
	return m
}

// start is any time at all.
var start = time.Unix(1_700_000_000, 0)

func at(d time.Duration) time.Time { return start.Add(d) }

func TestThePolicyChoosesWhichExitsAreReplaced(t *testing.T) {
	for _, c := range []struct {
		policy supervise.Policy
		exit   supervise.Exit
		want   supervise.Verdict
	}{
		{supervise.OnFailure, crashed, supervise.Replace},
		{supervise.OnFailure, stillborn, supervise.Replace},
		{supervise.OnFailure, returned, supervise.GiveUp},
		{supervise.OnFailure, idled, supervise.GiveUp},
		{supervise.Always, crashed, supervise.Replace},
		{supervise.Always, returned, supervise.Replace},
		{supervise.Always, idled, supervise.Replace},
		{supervise.Never, crashed, supervise.GiveUp},
		{supervise.Never, stillborn, supervise.GiveUp},
		{supervise.Never, returned, supervise.GiveUp},
	} {
		m := newMachine(t, supervise.Config{Policy: c.policy})
		assert.Equal(t, c.want, m.Exited(start, c.exit), "%v, %+v", c.policy, c.exit)
		assert.False(t, m.Halted())
	}
}

func TestExactlyMaxRestartsWithinTheWindowAreReplaced(t *testing.T) {
	const window = time.Minute
	for _, limit := range []uint32{1, 2, 16, 100, 4096, 5000} {
		for name, last := range map[string]time.Duration{"at once": 0, "at the window's end": window} {
			m := newMachine(t, supervise.Config{MaxRestarts: limit, Window: window})
			for range limit {
				require.Equal(t, supervise.Replace, m.Exited(start, crashed))
			}
			assert.Equal(t, supervise.Halt, m.Exited(at(last), crashed), "%d, %s", limit, name)
			assert.True(t, m.Halted())
		}
	}
}

func TestAReplacementLeavesTheWindowByItself(t *testing.T) {
	const window = time.Minute
	m := newMachine(t, supervise.Config{MaxRestarts: 3, Window: window})
	for i := range time.Duration(3) {
		require.Equal(t, supervise.Replace, m.Exited(at(i*10*time.Second), crashed))
	}
	// The first is forgotten, the second isn't: one more, and no second.
	assert.Equal(t, supervise.Replace, m.Exited(at(window+1), crashed))
	assert.Equal(t, supervise.Halt, m.Exited(at(window+2), crashed))
}

func TestAFailureEachWindowNeverHalts(t *testing.T) {
	failures := 1_000_000
	if testing.Short() {
		failures = 10_000
	}
	for _, limit := range []uint32{1, 16, 100_000} {
		m := newMachine(t, supervise.Config{MaxRestarts: limit, Window: time.Second, Backoff: supervise.Backoff{Base: time.Millisecond}})
		now := start
		for range failures {
			now = now.Add(time.Second + 1)
			if m.Exited(now, crashed) != supervise.Replace {
				t.Fatal("halted")
			}
		}
	}
}

// The model keeps the time of every replacement.
func TestTheWindowIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window := time.Duration(rapid.IntRange(1, 50).Draw(t, "window"))
		limit := rapid.Uint32Range(1, 8).Draw(t, "limit")
		m := newMachine(t, supervise.Config{MaxRestarts: limit, Window: window})
		var replaced []time.Duration
		now := time.Duration(0)
		for !m.Halted() && now < 1000 {
			now += time.Duration(rapid.IntRange(0, 20).Draw(t, "pause"))
			within := uint32(0)
			for _, r := range replaced {
				if now-r <= window {
					within++
				}
			}
			verdict := m.Exited(at(now), crashed)
			require.Equal(t, within == limit, verdict == supervise.Halt)
			replaced = append(replaced, now)
		}
	})
}

// Above 4,096 the window may remember up to 1/4,096 of itself too long, never too short.
func TestALargeWindowIsNearlyExact(t *testing.T) {
	const limit, window = 20_000, time.Minute
	m := newMachine(t, supervise.Config{MaxRestarts: limit, Window: window})
	slack := window / 4096
	for lap := range time.Duration(3) { // as fast as can be, lap for lap
		for i := range time.Duration(limit) {
			if m.Exited(at(lap*(window+2*slack)+i*window/limit), crashed) != supervise.Replace {
				t.Fatalf("halted at %d of lap %d", i, lap)
			}
		}
	}
	assert.Equal(t, supervise.Halt, m.Exited(at(2*(window+2*slack)+window), crashed))
}

func TestALifetimeNeverForgets(t *testing.T) {
	m := newMachine(t, supervise.Config{MaxRestarts: 1000, Window: supervise.Lifetime})
	for i := range time.Duration(1000) {
		require.Equal(t, supervise.Replace, m.Exited(at(i*24*time.Hour), crashed))
	}
	assert.Equal(t, supervise.Halt, m.Exited(at(100*365*24*time.Hour), crashed))
}

func TestAHaltLastsUntilRearm(t *testing.T) {
	m := newMachine(t, supervise.Config{MaxRestarts: 1, Window: time.Second})
	require.Equal(t, supervise.Replace, m.Exited(start, crashed))
	require.Equal(t, supervise.Halt, m.Exited(start, crashed))
	for i := range time.Duration(5) {
		later := at(i * time.Hour)
		assert.Equal(t, supervise.GiveUp, m.Exited(later, crashed))
		assert.Equal(t, supervise.GiveUp, m.Exited(later, idled))
		assert.Equal(t, supervise.GiveUp, m.Refill(later))
		assert.True(t, m.Halted())
	}
	m.Rearm()
	assert.False(t, m.Halted())
	assert.Equal(t, supervise.Replace, m.Refill(start), "what ended before is forgotten")
	assert.Equal(t, supervise.Replace, m.Exited(start, crashed))
	assert.Equal(t, supervise.Halt, m.Exited(start, crashed))
}

func TestOnePoolsHaltIsItsOwn(t *testing.T) {
	a, b := newMachine(t, supervise.Config{MaxRestarts: 1}), newMachine(t, supervise.Config{MaxRestarts: 1})
	a.Exited(start, crashed)
	require.Equal(t, supervise.Halt, a.Exited(start, crashed))
	assert.Equal(t, supervise.Replace, b.Exited(start, crashed))
}

func TestUnlimitedGoesOnWhileTasksAreTaken(t *testing.T) {
	m := newMachine(t, supervise.Config{MaxRestarts: supervise.Unlimited})
	for range 10_000 {
		require.Equal(t, supervise.Replace, m.Exited(start, crashed))
	}
	for range supervise.DefaultMaxRestarts {
		require.Equal(t, supervise.Replace, m.Exited(start, stillborn))
	}
	assert.Equal(t, supervise.Replace, m.Exited(start, crashed), "not what is counted")
	assert.Equal(t, supervise.Halt, m.Exited(start, stillborn))
}

func TestUnlimitedForgetsIdleEndsToo(t *testing.T) {
	m := newMachine(t, supervise.Config{MaxRestarts: supervise.Unlimited, Window: time.Second})
	for i := range time.Duration(1000) {
		require.Equal(t, supervise.Replace, m.Exited(at(i*100*time.Millisecond), stillborn))
	}
}

func TestARefillAfterATaskIsFree(t *testing.T) {
	for _, policy := range []supervise.Policy{supervise.OnFailure, supervise.Never} {
		m := newMachine(t, supervise.Config{Policy: policy, MaxRestarts: 1})
		for range 100 {
			require.Equal(t, supervise.GiveUp, m.Exited(start, returned))
			require.Equal(t, supervise.Replace, m.Refill(start))
		}
	}
}

func TestARefillAfterAnIdleEndSpendsTheBudget(t *testing.T) {
	for _, limit := range []uint32{3, supervise.Unlimited} {
		for policy, exit := range map[supervise.Policy]supervise.Exit{supervise.OnFailure: idled, supervise.Never: stillborn} {
			m := newMachine(t, supervise.Config{Policy: policy, MaxRestarts: limit})
			refills := min(limit, supervise.DefaultMaxRestarts)
			for range refills {
				require.Equal(t, supervise.GiveUp, m.Exited(start, exit))
				require.Equal(t, supervise.Replace, m.Refill(start))
			}
			require.Equal(t, supervise.Replace, m.Refill(start), "every idle end has been paid for")
			require.Equal(t, supervise.GiveUp, m.Exited(start, exit))
			assert.False(t, m.Halted(), "nobody has asked for it yet")
			assert.Equal(t, supervise.Halt, m.Refill(start))
			assert.True(t, m.Halted())
		}
	}
}

func TestAnIdleEndIsForgottenAfterAWindow(t *testing.T) {
	m := newMachine(t, supervise.Config{MaxRestarts: 1, Window: time.Second})
	require.Equal(t, supervise.GiveUp, m.Exited(start, idled))
	require.Equal(t, supervise.GiveUp, m.Exited(start, idled))
	require.Equal(t, supervise.Replace, m.Refill(at(time.Second+1)))
	assert.Equal(t, supervise.Replace, m.Exited(at(time.Second+1), crashed), "the refill was free")
}

func TestATaskIsDeliveredRetriesAndOneTimes(t *testing.T) {
	for _, retries := range []uint32{0, 1, 5, 1<<32 - 1} {
		deliveries := uint64(1)
		for attempt := uint32(1); deliveries < 100 && supervise.Retry(attempt, retries); attempt++ {
			deliveries++
		}
		assert.Equal(t, min(uint64(retries)+1, 100), deliveries)
	}
}
