package soak_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/JairusSW/pool/bench/internal/ledger"
	"github.com/JairusSW/pool/bench/internal/soak"
	"github.com/JairusSW/pool/events"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTheSeedDecides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, evil := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 1000).Draw(t, "evil")
		first, second := fmt.Sprint(soak.Plan(seed)), fmt.Sprint(soak.Plan(seed))
		if first != second {
			t.Fatalf("the same seed plans another pool: %s, %s", first, second)
		}
		first, second = fmt.Sprint(soak.Draws(seed, 50, evil)), fmt.Sprint(soak.Draws(seed, 50, evil))
		if first != second {
			t.Fatalf("the same seed has guests do something else: %s, %s", first, second)
		}
	})
	assert.NotEqual(t, soak.Plan(1), soak.Plan(2))
}

func TestHowManyTasksEndBadlyIsAsAskedFor(t *testing.T) {
	assert.NotContains(t, soak.Draws(1, 10_000, 0), "trap")
	assert.NotContains(t, soak.Draws(1, 10_000, 1000), "reply")
	some := soak.Draws(1, 10_000, 500)
	for _, act := range []string{
		"reply", "go on", "compute", "fail", "trap", "spin", "exhaust the stack", "exhaust the memory", "return", "exit with 3",
		"exit with 0", "load outside the memory", "divide by zero", "call another type", "submit", "create a pool", "kill itself",
		"destroy the own pool", "drain the own pool", "panic in the host", "Goexit in the host", "reply twice", "reply and trap",
	} {
		assert.Contains(t, some, act)
	}
}

func TestATasksBytesFollowFromItsTag(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tag, most := ledger.Tag(rapid.Uint64().Draw(t, "tag")), rapid.Uint32Range(1, 4096).Draw(t, "most")
		bytes := soak.Bytes(tag, most)
		if len(bytes) > int(most)+1 {
			t.Fatalf("%d bytes, at most one too many is wanted", len(bytes))
		}
		if string(bytes) != string(soak.Bytes(tag, most)) {
			t.Fatal("the same tag has other bytes")
		}
	})
	long := 0
	for tag := range ledger.Tag(1000) {
		if len(soak.Bytes(tag, 64)) > 64 {
			long++
		}
	}
	assert.Positive(t, long)
	assert.Less(t, long, 100)
}

// The hash is FNV-1a, of which these are published values.
func TestTheAnswerIsTheHashThatGuestsCompute(t *testing.T) {
	assert.EqualValues(t, 0x811c9dc5, soak.Answer(nil))
	assert.EqualValues(t, 0xe40c292c, soak.Answer([]byte("a")))
	assert.EqualValues(t, 0xbf9cf968, soak.Answer([]byte("foobar")))
}

func TestWhatIsLeftAtTheEndIsFound(t *testing.T) {
	start := soak.Resources{Goroutines: 5, Descriptors: 9, Resident: 10 << 20, Mappings: 60}
	warm := soak.Resources{Goroutines: 6, Descriptors: 9, Resident: 100 << 20, Mappings: 100}
	const much = 1 << 40
	for name, c := range map[string]struct {
		warm, end soak.Resources
		found     string
	}{
		"as it was":        {warm, soak.Resources{Goroutines: 5, Descriptors: 9, Resident: 100 << 20, Mappings: 100}, ""},
		"less than it was": {warm, soak.Resources{Goroutines: 4, Descriptors: 8, Resident: 1 << 20, Mappings: 1}, ""},
		"at the bounds":    {warm, soak.Resources{Goroutines: 5, Descriptors: 9, Resident: 142 << 20, Mappings: 174}, ""},
		"a goroutine":      {warm, soak.Resources{Goroutines: 6, Descriptors: 9, Resident: 100 << 20, Mappings: 100}, "6 goroutines"},
		"a descriptor":     {warm, soak.Resources{Goroutines: 5, Descriptors: 10, Mappings: 100}, "10 descriptors"},
		"memory":           {warm, soak.Resources{Goroutines: 5, Descriptors: 9, Resident: 143 << 20, Mappings: 100}, "143 MiB"},
		"mappings":         {warm, soak.Resources{Goroutines: 5, Descriptors: 9, Resident: 100 << 20, Mappings: 175}, "175 mappings"},
		"never warm":       {soak.Resources{}, soak.Resources{Goroutines: 5, Resident: much, Mappings: much}, ""},
		"another system":   {soak.Resources{Resident: -1, Mappings: -1}, soak.Resources{Resident: -1, Mappings: -1}, ""},
		"everything":       {warm, soak.Resources{Goroutines: 7, Descriptors: 12, Resident: much, Mappings: much}, "7 goroutines"},
	} {
		t.Run(name, func(t *testing.T) {
			err := soak.Leaks(start, c.warm, c.end)
			if c.found == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.found)
		})
	}
}

func TestACallIsOverdueWhenItHasTakenTooLong(t *testing.T) {
	late := soak.Overdue("Call", 11*time.Second, 10*time.Second)
	require.Len(t, late, 1)
	assert.EqualError(t, late[0], "an actor: Call has not returned for 11s")
	assert.Empty(t, soak.Overdue("Call", 9*time.Second, 10*time.Second))
	assert.Empty(t, soak.Overdue("", time.Hour, 10*time.Second), "nothing is under way")
}

func TestTheLeavesOfAnErrorAreWhatIsJoinedInIt(t *testing.T) {
	stuck, failed := &events.StuckError{Cause: errOther}, &events.CallbackError{Value: errOther}
	for name, c := range map[string]struct {
		err  error
		want []error
	}{
		"none": {nil, nil},
		"one":  {errOther, []error{errOther}},
		"joined, and wrapped": {
			fmt.Errorf("close: %w", errors.Join(stuck, errors.Join(failed, errOther))), []error{stuck, failed, errOther},
		},
		"an observer in one piece": {failed, []error{failed}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, soak.Leaves(c.err)) })
	}
	wrapped := fmt.Errorf("what: %w", errOther)
	assert.Equal(t, []error{wrapped}, soak.Leaves(wrapped), "detail stays")
}
