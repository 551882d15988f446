package autoscale_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/autoscale"
)

func TestPlan(t *testing.T) {
	type workers = []autoscale.Worker
	type step = autoscale.Step
	for _, c := range []struct {
		name                 string
		size, starting, room uint32
		workers              workers
		want                 step
	}{
		{"nothing to do", 2, 0, 9, workers{{1, false}, {0, false}}, step{}},
		{"nobody from nobody", 0, 0, 9, nil, step{}},
		{"some are missing", 3, 0, 9, workers{{5, false}}, step{Start: 2}},
		{"those on their way count", 3, 2, 9, workers{{5, false}}, step{}},
		{"room is a bound", 5, 1, 2, workers{{5, false}}, step{Start: 2, Short: 1}},
		{"the idle go first", 1, 0, 9, workers{{3, false}, {0, false}, {2, false}}, step{Cordon: []int{1, 2}}},
		{"of equals the last goes", 2, 0, 9, workers{{1, false}, {1, false}, {1, false}, {1, false}}, step{Cordon: []int{3, 2}}},
		{"everybody", 0, 0, 9, workers{{1, false}, {0, false}}, step{Cordon: []int{1, 0}}},
		{"cordoned ones don't go twice", 1, 0, 9, workers{{0, true}, {1, false}, {2, false}}, step{Cordon: []int{1}}},
		{"cordoned ones come back before any start", 3, 0, 9, workers{{2, false}, {1, true}, {4, true}}, step{TakeBack: []int{2, 1}}},
		{"the busiest comes back", 2, 0, 9, workers{{2, false}, {1, true}, {4, true}, {4, true}}, step{TakeBack: []int{2}}},
		{"coming back needs no room", 4, 0, 1, workers{{2, false}, {1, true}}, step{TakeBack: []int{1}, Start: 1, Short: 1}},
		{"one on its way is not made up for by a cordon", 2, 3, 9, workers{{1, false}, {0, false}}, step{}},
	} {
		got := autoscale.Plan(c.size, c.starting, c.room, c.workers)
		assert.Equal(t, c.want, got, c.name)
	}
}

func TestAPlanReachesTheSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		workers := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) autoscale.Worker {
			return autoscale.Worker{Load: rapid.Int64Range(0, 4).Draw(t, "load"), Cordoned: rapid.Bool().Draw(t, "cordoned")}
		}), 0, 20).Draw(t, "workers")
		size := rapid.Uint32Range(0, 30).Draw(t, "size")
		starting := rapid.Uint32Range(0, 3).Draw(t, "starting")
		room := rapid.Uint32Range(0, 9).Draw(t, "room")
		before := slices.Clone(workers)
		step := autoscale.Plan(size, starting, room, workers)
		require.Equal(t, before, workers, "the workers are only looked at")
		require.LessOrEqual(t, step.Start, room)
		more := len(step.TakeBack) + int(step.Start+step.Short)
		require.True(t, len(step.Cordon) == 0 || more == 0, "one way only")

		changed := map[int]bool{}
		for _, i := range step.TakeBack {
			require.True(t, workers[i].Cordoned)
			require.False(t, changed[i])
			changed[i] = true
		}
		for _, i := range step.Cordon {
			require.False(t, workers[i].Cordoned)
			require.False(t, changed[i])
			changed[i] = true
		}
		routable, cordoned, heaviestGone, lightestLeft := uint32(0), 0, int64(-1), int64(1<<62)
		for i, w := range workers {
			if w.Cordoned != changed[i] {
				cordoned++
			} else {
				routable++
			}
			if changed[i] && !w.Cordoned {
				heaviestGone = max(heaviestGone, w.Load)
			} else if !w.Cordoned {
				lightestLeft = min(lightestLeft, w.Load)
			}
		}
		require.LessOrEqual(t, heaviestGone, lightestLeft, "the lightest go")
		require.True(t, step.Start == 0 || cordoned == 0, "all are taken back before one starts")
		require.GreaterOrEqual(t, routable+starting+step.Start+step.Short, size)
		require.True(t, routable+starting+step.Start+step.Short == size || step.Start+step.Short == 0)
		require.LessOrEqual(t, routable, size)
	})
}

func TestFillIsPlanWhereNobodyIsTakenBackOrCordoned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		workers := make([]autoscale.Worker, rapid.IntRange(0, 20).Draw(t, "routable"))
		size := uint32(len(workers)) + rapid.Uint32Range(0, 9).Draw(t, "missing")
		starting := rapid.Uint32Range(0, 12).Draw(t, "starting")
		room := rapid.Uint32Range(0, 9).Draw(t, "room")
		require.Equal(t, autoscale.Plan(size, starting, room, workers), autoscale.Fill(size, uint32(len(workers)), starting, room))
	})
}

func TestAPoolOfTheRightSizeCostsNothing(t *testing.T) {
	workers := make([]autoscale.Worker, 64)
	assert.Zero(t, testing.AllocsPerRun(100, func() { autoscale.Plan(64, 0, 10, workers) }))
}

func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{1, 16, 64, 1024} {
		workers := make([]autoscale.Worker, n)
		for i := range workers {
			workers[i].Load = int64(i * 7919 % 13)
		}
		b.Run(fmt.Sprintf("steady/%d", n), func(b *testing.B) {
			for b.Loop() {
				autoscale.Plan(uint32(n), 0, 0, workers)
			}
		})
		b.Run(fmt.Sprintf("shrink/%d", n), func(b *testing.B) {
			for b.Loop() {
				autoscale.Plan(uint32(n/2), 0, 0, workers)
			}
		})
	}
}
