package strategy_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/strategy"
)

// drawEntries draws entries with slots in any ascending numbers, some of them not eligible, with loads.
func drawEntries(t *rapid.T, most int) []strategy.Entry {
	slots := rapid.SliceOfNDistinct(rapid.Uint32(), 0, most, rapid.ID).Draw(t, "slots")
	slices.Sort(slots)
	entries := make([]strategy.Entry, len(slots))
	for i, slot := range slots {
		entries[i] = entry(slot)
		entries[i].Eligible = rapid.IntRange(0, 3).Draw(t, "eligible") > 0
		entries[i].Weight = rapid.Uint32Range(0, 3).Draw(t, "weight")
		entries[i].Load.Store(rapid.Int64Range(-1, 5).Draw(t, "load"))
	}
	return entries
}

func TestAWalkVisitsEveryEligiblePositionOnce(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.String(), rapid.MakeCheck(func(t *rapid.T) {
			p, err := strategy.New(kind, strategy.Options{
				Seed:     rapid.Uint64().Draw(t, "seed"),
				Replicas: rapid.Uint32Range(1, 8).Draw(t, "replicas"),
			})
			require.NoError(t, err)
			var v *strategy.View
			for range rapid.IntRange(1, 3).Draw(t, "views") {
				entries := drawEntries(t, 200)
				v = p.View(v, entries)
				require.Equal(t, len(entries), v.Len())
				require.Equal(t, len(eligible(entries)), v.Eligible())
				for range rapid.IntRange(1, 5).Draw(t, "picks") {
					got := walk(p, v, rapid.Uint64().Draw(t, "key"))
					slices.Sort(got)
					require.Equal(t, eligible(entries), got)
				}
			}
		}))
	}
}

func TestAWalkOfAnySizeVisitsEveryPositionOnce(t *testing.T) {
	for _, kind := range kinds {
		for _, n := range []int{1, 2, 3, 4, 63, 64, 65, 66, 128, 129, 130, 1000} {
			p := newPicker(t, kind, strategy.Options{Replicas: 3})
			v := p.View(nil, setLoads(fleet(n), func(i int) int64 { return int64(i * 7 % 5) }))
			for key := range uint64(5) {
				got := walk(p, v, key)
				slices.Sort(got)
				require.Equal(t, eligible(fleet(n)), got, "%v of %d", kind, n)
			}
		}
	}
}

func TestAWalkVisitsEveryPositionOnceWhileLoadsMove(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.String(), rapid.MakeCheck(func(t *rapid.T) {
			p, err := strategy.New(kind, strategy.Options{Replicas: 4})
			require.NoError(t, err)
			entries := drawEntries(t, 150)
			v := p.View(nil, entries)
			var got []int
			pos, w := p.First(v, rapid.Uint64().Draw(t, "key"))
			for ; pos >= 0; pos, w = p.Next(v, w) {
				got = append(got, pos)
				moved := rapid.IntRange(0, len(entries)-1).Draw(t, "moved")
				entries[moved].Load.Store(rapid.Int64Range(0, 9).Draw(t, "to"))
			}
			slices.Sort(got)
			require.Equal(t, eligible(entries), got)
		}))
	}
}

func TestNothingEligibleIsNobody(t *testing.T) {
	asleep, weightless := fleet(3), fleet(3)
	for i := range asleep {
		asleep[i].Eligible = false
		weightless[i].Weight = 0
	}
	for _, kind := range kinds {
		p := newPicker(t, kind, strategy.Options{})
		var v *strategy.View
		for name, entries := range map[string][]strategy.Entry{
			"nil": nil, "none": {}, "asleep": asleep, "weight 0": weightless,
		} {
			v = p.View(v, entries)
			for range 3 {
				assert.Empty(t, walk(p, v, 7), "%v, %s", kind, name)
			}
			pos, _ := p.Next(v, strategy.Walk{})
			assert.Equal(t, -1, pos)
		}
		v = p.View(v, fleet(1))
		assert.Equal(t, []int{0}, walk(p, v, 7), "%v comes back", kind)
	}
}

func TestAWalkThatEndedStaysEnded(t *testing.T) {
	for _, kind := range kinds {
		p := newPicker(t, kind, strategy.Options{})
		v := p.View(nil, fleet(3))
		_, w := p.First(v, 0)
		pos := 0
		for range 10 {
			pos, w = p.Next(v, w)
		}
		assert.Equal(t, -1, pos, kind)
	}
}

func TestOneEligibleIsAlwaysPicked(t *testing.T) {
	entries := fleet(5)
	for i := range entries {
		entries[i].Eligible = i == 3
	}
	for _, kind := range kinds {
		p := newPicker(t, kind, strategy.Options{})
		v := p.View(nil, entries)
		for key := range uint64(100) {
			assert.Equal(t, []int{3}, walk(p, v, key), kind)
		}
	}
}

func TestALoadIsOptional(t *testing.T) {
	for _, kind := range kinds {
		p := newPicker(t, kind, strategy.Options{})
		v := p.View(nil, []strategy.Entry{{Slot: 4, Weight: 1, Eligible: true}, {Slot: 9, Weight: 1, Eligible: true}})
		assert.Len(t, walk(p, v, 0), 2)
	}
}

func TestAViewKeepsTheEntriesItWasMadeOf(t *testing.T) {
	for _, kind := range kinds {
		p := newPicker(t, kind, strategy.Options{})
		entries := fleet(4)
		v := p.View(nil, entries)
		clear(entries)
		assert.Len(t, walk(p, v, 0), 4, kind)
	}
}

func TestSlotsOutOfOrderAreRefused(t *testing.T) {
	for _, kind := range kinds {
		p := newPicker(t, kind, strategy.Options{})
		assert.Panics(t, func() { p.View(nil, []strategy.Entry{entry(2), entry(1)}) })
		assert.Panics(t, func() { p.View(nil, []strategy.Entry{entry(1), entry(1)}) })
	}
}

func TestReplicasAreBounded(t *testing.T) {
	for _, kind := range kinds {
		for _, replicas := range []uint32{0, 1, strategy.MaxReplicas} {
			p := newPicker(t, kind, strategy.Options{Replicas: replicas})
			assert.Len(t, walk(p, p.View(nil, fleet(3)), 1), 3)
		}
		_, err := strategy.New(kind, strategy.Options{Replicas: strategy.MaxReplicas + 1})
		assert.ErrorIs(t, err, strategy.ErrTooManyReplicas)
	}
}

func TestAPickAllocatesNothing(t *testing.T) {
	for _, kind := range kinds {
		for _, n := range []int{0, 1, 2, 64, 300} {
			p := newPicker(t, kind, strategy.Options{})
			v := p.View(nil, fleet(n))
			key := uint64(0)
			assert.Zero(t, testing.AllocsPerRun(100, func() {
				key++
				pos, w := p.First(v, key)
				for pos >= 0 {
					pos, w = p.Next(v, w)
				}
			}), "%v of %d", kind, n)
		}
	}
}

func TestPickersWithTheSameSeedChooseTheSame(t *testing.T) {
	for _, kind := range []strategy.Kind{strategy.Random, strategy.PowerOfTwo, strategy.ConsistentHash} {
		t.Run(kind.String(), func(t *testing.T) {
			sequence := func(seed uint64) []int {
				p := newPicker(t, kind, strategy.Options{Seed: seed})
				var v *strategy.View
				var picks []int
				for _, n := range []int{16, 9} {
					v = p.View(v, fleet(n))
					for key := range uint64(64) {
						picks = append(picks, walk(p, v, key)...)
					}
				}
				return picks
			}
			assert.Equal(t, sequence(1), sequence(1))
			assert.NotEqual(t, sequence(1), sequence(2))
			assert.NotEqual(t, sequence(0), sequence(1))
		})
	}
}

func TestIdlePoolsOfDifferentSeedsDiffer(t *testing.T) {
	for _, n := range []int{2, 3, 16} {
		picks := func(seed uint64) (got []int) {
			p := newPicker(t, strategy.PowerOfTwo, strategy.Options{Seed: seed})
			v := p.View(nil, fleet(n))
			for range 64 {
				pos, _ := p.First(v, 0)
				got = append(got, pos)
			}
			return got
		}
		for seed := range uint64(20) {
			assert.NotEqual(t, picks(seed), picks(seed+1), "%d workers, seed %d", n, seed)
		}
	}
}

// Views are replaced while picks go on in the views before.
func TestPicksAndViewsHammer(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	for _, kind := range kinds {
		t.Run(kind.String(), func(t *testing.T) {
			p := newPicker(t, kind, strategy.Options{Replicas: 8})
			entries := fleet(24)
			var view atomic.Pointer[strategy.View]
			view.Store(p.View(nil, entries))
			var wg sync.WaitGroup
			var stop atomic.Bool
			for g := range uint64(4) {
				wg.Go(func() {
					for key := g; !stop.Load(); key++ {
						v := view.Load()
						if pos, _ := p.First(v, key); pos >= 0 {
							entries[pos].Load.Add(1)
							entries[pos].Load.Add(-1)
						}
						if got := walk(p, v, key); len(got) != v.Eligible() {
							t.Errorf("%d of %d visited", len(got), v.Eligible())
							return
						}
					}
				})
			}
			for i := range rounds {
				changed := slices.Clone(entries)
				changed[i%24].Eligible = false
				view.Store(p.View(view.Load(), changed[:20+i%5]))
			}
			stop.Store(true)
			wg.Wait()
		})
	}
}
