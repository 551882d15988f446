package autoscale_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/autoscale"
)

// start is any time at all.
var start = time.Unix(1_700_000_000, 0)

func at(d time.Duration) time.Time { return start.Add(d) }

func TestDesired(t *testing.T) {
	for _, c := range []struct {
		name                string
		load                uint64
		target, least, most uint32
		want                uint32
	}{
		{"no load is the floor", 0, 4, 2, 64, 2},
		{"no load without a floor is nobody", 0, 4, 0, 64, 0},
		{"one task is a worker", 1, 4, 0, 64, 1},
		{"a full worker is one", 4, 4, 0, 64, 1},
		{"a task more is a worker more", 5, 4, 0, 64, 2},
		{"the ceiling holds", 1 << 40, 4, 0, 64, 64},
		{"the largest load", math.MaxUint64, 1, 0, math.MaxUint32, math.MaxUint32},
		{"without a target, the floor", 100, 0, 3, 64, 3},
		{"the ceiling beats the floor", 0, 4, 9, 5, 5},
	} {
		assert.Equal(t, c.want, autoscale.Desired(c.load, c.target, c.least, c.most), c.name)
	}
}

func TestDesiredIsTheSmallestSizeThatMeetsTheTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		load := rapid.Uint64Range(0, 1<<40).Draw(t, "load")
		target := rapid.Uint32Range(1, 1<<20).Draw(t, "target")
		least := rapid.Uint32Range(0, 1000).Draw(t, "least")
		most := rapid.Uint32Range(least, 2000).Draw(t, "most")
		got := autoscale.Desired(load, target, least, most)
		require.True(t, least <= got && got <= most)
		require.True(t, got == most || uint64(got)*uint64(target) >= load, "enough")
		require.True(t, got == least || uint64(got-1)*uint64(target) < load, "no more than enough")
		require.LessOrEqual(t, got, autoscale.Desired(load+rapid.Uint64Range(0, 1<<30).Draw(t, "more"), target, least, most))
	})
}
