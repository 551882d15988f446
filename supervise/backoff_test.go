package supervise_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/supervise"
)

// delays returns the delay after each of n failures in a row.
func delays(t *testing.T, m *supervise.Machine, n int) []time.Duration {
	t.Helper()
	now := start
	var got []time.Duration
	for range n {
		if m.Exited(now, crashed) != supervise.Replace {
			t.Fatal("halted")
		}
		until, wait := m.Ready(now)
		if !wait {
			until = now
		}
		got = append(got, until.Sub(now))
		now = until
	}
	return got
}

func TestDelaysAreUniformUpToADoublingCeiling(t *testing.T) {
	const rows = 20_000
	b := supervise.Backoff{Base: 100 * time.Millisecond, Max: time.Second}
	ceilings := []time.Duration{b.Base, 2 * b.Base, 4 * b.Base, 8 * b.Base, b.Max, b.Max, b.Max}
	m := newMachine(t, supervise.Config{MaxRestarts: supervise.Unlimited, Backoff: b})
	sums, quarters := make([]float64, len(ceilings)), make([][4]int, len(ceilings))
	for range rows {
		m.Rearm()
		for n, d := range delays(t, m, len(ceilings)) {
			if d > ceilings[n] {
				t.Fatalf("delay %d is %v, above %v", n, d, ceilings[n])
			}
			sums[n] += float64(d)
			quarters[n][min(int(4*d/ceilings[n]), 3)]++
		}
	}
	for n, c := range ceilings {
		mean, half := sums[n]/rows, float64(c)/2
		t.Logf("delay %d: ceiling %v, mean %.4f of half of it", n, c, mean/half)
		assert.InEpsilon(t, half, mean, 0.05)
		for _, quarter := range quarters[n] {
			assert.InEpsilon(t, rows/4, quarter, 0.05)
		}
	}
}

func TestBackoffIsOffByDefault(t *testing.T) {
	m := newMachine(t, supervise.Config{MaxRestarts: supervise.Unlimited})
	for _, d := range delays(t, m, 100) {
		assert.Zero(t, d)
	}
}

func TestAWindowWithoutAFailureEndsTheRow(t *testing.T) {
	const window = time.Second
	b := supervise.Backoff{Base: time.Millisecond, Max: time.Hour}
	longest := func(pause time.Duration) time.Duration {
		m := newMachine(t, supervise.Config{MaxRestarts: supervise.Unlimited, Window: window, Backoff: b})
		now, longest := start, time.Duration(0)
		for range 200 {
			m.Exited(now, crashed)
			until, _ := m.Ready(now)
			longest = max(longest, until.Sub(now))
			now = now.Add(pause)
		}
		return longest
	}
	assert.LessOrEqual(t, longest(window+1), b.Base)
	assert.Greater(t, longest(window), time.Minute)
}

func TestALongBackoffDoesNotOverflow(t *testing.T) {
	for _, b := range []supervise.Backoff{
		{Base: 1, Max: math.MaxInt64},
		{Base: math.MaxInt64, Max: math.MaxInt64},
		{Base: math.MaxInt64 - 1, Max: math.MaxInt64},
		{Base: 3, Max: math.MaxInt64/2 + 1},
	} {
		m := newMachine(t, supervise.Config{MaxRestarts: supervise.Unlimited, Window: supervise.Lifetime, Backoff: b})
		for range 200 {
			m.Exited(start, crashed)
			until, wait := m.Ready(start)
			require.True(t, !wait || until.After(start))
			require.LessOrEqual(t, until.Sub(start), b.Max)
		}
	}
}

func TestADelayIsNeverCutShort(t *testing.T) {
	m := newMachine(t, supervise.Config{MaxRestarts: supervise.Unlimited, Backoff: supervise.Backoff{Base: time.Second}})
	latest := time.Time{}
	for i := range time.Duration(100) {
		m.Exited(at(i*time.Millisecond), crashed)
		until, _ := m.Ready(at(i * time.Millisecond))
		require.False(t, until.Before(latest))
		latest = until
	}
	_, wait := m.Ready(latest)
	assert.False(t, wait, "over when it is over")
	_, wait = m.Ready(latest.Add(-1))
	assert.True(t, wait)
	m.Rearm()
	_, wait = m.Ready(start)
	assert.False(t, wait)
}

func TestAnIdleEndThatIsGivenUpDelaysItsRefill(t *testing.T) {
	m := newMachine(t, supervise.Config{Policy: supervise.Never, Backoff: supervise.Backoff{Base: time.Hour, Max: time.Hour}})
	require.Equal(t, supervise.GiveUp, m.Exited(start, crashed))
	_, wait := m.Ready(start)
	require.False(t, wait, "it had taken a task")
	require.Equal(t, supervise.GiveUp, m.Exited(start, stillborn))
	_, wait = m.Ready(start)
	assert.True(t, wait)
}

func TestAMachineWithoutASourceHasItsOwn(t *testing.T) {
	first := func() time.Time {
		m, err := supervise.New(supervise.Config{Backoff: supervise.Backoff{Base: time.Hour, Max: time.Hour}}, nil)
		require.NoError(t, err)
		m.Exited(start, crashed)
		until, _ := m.Ready(start)
		return until
	}
	assert.NotEqual(t, first(), first())
}
