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

func TestShare(t *testing.T) {
	type claims = []autoscale.Claim
	for _, c := range []struct {
		name   string
		budget uint32
		claims claims
		want   []uint32
	}{
		{"nobody", 10, nil, []uint32{}},
		{"enough for all", 100, claims{{1, 10, 0}, {2, 20, 0}}, []uint32{10, 20}},
		{"equal wants share equally", 10, claims{{0, 10, 0}, {0, 10, 0}}, []uint32{5, 5}},
		{"the odd place goes to the first", 11, claims{{0, 10, 0}, {0, 10, 0}}, []uint32{6, 5}},
		{"a small want is met", 10, claims{{1, 10, 0}, {1, 3, 0}}, []uint32{7, 3}},
		{"floors first", 10, claims{{8, 10, 0}, {1, 10, 0}}, []uint32{8, 2}},
		{"floors even beyond the budget", 3, claims{{4, 10, 0}, {5, 9, 0}}, []uint32{4, 5}},
		{"a floor above the want", 10, claims{{4, 2, 0}, {0, 9, 0}}, []uint32{4, 6}},
		{"no budget", 0, claims{{0, 4, 4}, {1, 4, 4}}, []uint32{0, 1}},
		{"what is held gives way to what is wanted", 10, claims{{1, 1, 9}, {1, 9, 9}}, []uint32{1, 9}},
		{"what nobody wants may be held", 10, claims{{1, 1, 9}, {1, 3, 3}}, []uint32{7, 3}},
		{"holds share too", 10, claims{{1, 1, 9}, {1, 2, 9}}, []uint32{5, 5}},
		{"a hold below the want is nothing", 10, claims{{0, 4, 1}}, []uint32{4}},
		{"the largest of all", 1<<32 - 1, claims{{0, 1<<32 - 1, 0}, {0, 1<<32 - 1, 0}}, []uint32{1 << 31, 1<<31 - 1}},
	} {
		assert.Equal(t, c.want, autoscale.Share(c.budget, c.claims), c.name)
	}
}

func TestShareIsMaxMinFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budget := rapid.Uint32Range(0, 100).Draw(t, "budget")
		claims := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) autoscale.Claim {
			size := rapid.Uint32Range(0, 40)
			return autoscale.Claim{Floor: size.Draw(t, "floor") / 4, Want: size.Draw(t, "want"), Hold: size.Draw(t, "hold")}
		}), 0, 8).Draw(t, "claims")
		got := autoscale.Share(budget, claims)
		require.Len(t, got, len(claims))

		var sum, floors, wanted, held uint32
		for i, c := range claims {
			require.GreaterOrEqual(t, got[i], c.Floor)
			require.LessOrEqual(t, got[i], max(c.Floor, c.Want, c.Hold))
			sum += got[i]
			floors += c.Floor
			wanted += max(c.Floor, c.Want)
			held += max(c.Floor, c.Want, c.Hold)
		}
		require.Equal(t, max(floors, min(budget, held)), sum, "all of the budget that can be used, and no more")
		if wanted <= budget {
			for i, c := range claims {
				require.GreaterOrEqual(t, got[i], c.Want, "enough for every want")
			}
			return
		}
		for i, a := range claims {
			require.LessOrEqual(t, got[i], max(a.Floor, a.Want), "nothing held while somebody wants")
			for j := range claims {
				if got[i] < a.Want && got[j] > claims[j].Floor {
					// i wants more: nobody else is above it, but for its floor or a place that can't be
					// split.
					require.LessOrEqual(t, got[j], got[i]+1)
					require.True(t, got[j] <= got[i] || j < i, "the odd places go to the first")
				}
			}
		}
	})
}

func TestAShareGrowsWithTheBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		claims := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) autoscale.Claim {
			floor := rapid.Uint32Range(0, 5).Draw(t, "floor")
			return autoscale.Claim{Floor: floor, Want: rapid.Uint32Range(0, 20).Draw(t, "want")}
		}), 1, 6).Draw(t, "claims")
		budget := rapid.Uint32Range(0, 60).Draw(t, "budget")
		less, more := autoscale.Share(budget, claims), autoscale.Share(budget+1, claims)
		for i := range claims {
			require.LessOrEqual(t, less[i], more[i])
		}
	})
}

func TestABusyPoolDoesNotStarveAnother(t *testing.T) {
	a, b := autoscale.Claim{Floor: 1, Want: 10, Hold: 10}, autoscale.Claim{Floor: 1, Want: 5, Hold: 5}
	assert.Equal(t, []uint32{5, 5}, autoscale.Share(10, []autoscale.Claim{a, b}))
	a.Want = 1 // its load has ended, but its ten workers are still damped
	assert.Equal(t, []uint32{5, 5}, autoscale.Share(10, []autoscale.Claim{a, b}))
}

func BenchmarkShare(b *testing.B) {
	for _, n := range []int{1, 16, 64} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			claims := slices.Repeat([]autoscale.Claim{{Floor: 1, Want: 30, Hold: 40}}, n)
			b.ReportAllocs()
			for b.Loop() {
				autoscale.Share(256, claims)
			}
		})
	}
}
