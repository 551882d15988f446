package strategy_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sort"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/strategy"
)

// owners returns the slot that each key goes to.
func owners(p strategy.Picker, v *strategy.View, entries []strategy.Entry, keys []uint64) []uint32 {
	slots := make([]uint32, len(keys))
	for i, key := range keys {
		pos, _ := p.First(v, key)
		slots[i] = entries[pos].Slot
	}
	return slots
}

func sequence(n int) []uint64 {
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = uint64(i)
	}
	return keys
}

// reference is the ring written down as plainly as can be: where each slot's points lie and which comes
// behind a key.
type reference []strategy.RingPoint // Owner is a slot

func newReference(seed uint64, replicas uint32, entries []strategy.Entry) reference {
	var r reference
	for _, e := range entries {
		for i := range uint64(replicas) {
			r = append(r, strategy.RingPoint{Hash: splitmix(seed ^ splitmix(uint64(e.Slot)<<32|i)), Owner: e.Slot})
		}
	}
	slices.SortFunc(r, func(a, b strategy.RingPoint) int {
		if a.Hash < b.Hash {
			return -1
		}
		return 1
	})
	return r
}

// walk returns the slots from the key on, each when its first point comes.
func (r reference) walk(seed, key uint64) (slots []uint32) {
	hash := splitmix(seed ^ splitmix(key))
	start := slices.IndexFunc(r, func(p strategy.RingPoint) bool { return p.Hash > hash })
	for i := range r {
		if owner := r[(max(start, 0)+i)%len(r)].Owner; !slices.Contains(slots, owner) {
			slots = append(slots, owner)
		}
	}
	return slots
}

func splitmix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return x ^ (x >> 31)
}

func TestTheRingIsTheReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		options := strategy.Options{
			Seed:     rapid.Uint64().Draw(t, "seed"),
			Replicas: rapid.Uint32Range(1, 40).Draw(t, "replicas"),
		}
		p, err := strategy.New(strategy.ConsistentHash, options)
		require.NoError(t, err)
		var v *strategy.View
		for range rapid.IntRange(1, 4).Draw(t, "views") { // later rings are made from earlier ones
			entries := drawEntries(t, 12)
			v = p.View(v, entries)
			r := newReference(options.Seed, options.Replicas, entries)
			for range 10 {
				key := rapid.OneOf(rapid.Uint64Range(0, 100), rapid.Uint64()).Draw(t, "key")
				var want []uint32
				for _, slot := range r.walk(options.Seed, key) {
					if i, _ := find(entries, slot); entries[i].Eligible && entries[i].Weight > 0 {
						want = append(want, slot)
					}
				}
				var got []uint32
				for _, pos := range walk(p, v, key) {
					got = append(got, entries[pos].Slot)
				}
				require.Equal(t, want, got)
			}
		}
	})
}

func TestTheRingDoesNotDependOnHowItWasMade(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, err := strategy.New(strategy.ConsistentHash, strategy.Options{Replicas: 16})
		require.NoError(t, err)
		var v *strategy.View
		var entries []strategy.Entry
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			entries = drawEntries(t, 20)
			v = p.View(v, entries)
		}
		require.Equal(t, strategy.Points(p.View(nil, entries)), strategy.Points(v))
	})
}

func TestEqualPointsAreOrderedBySlot(t *testing.T) {
	want := []strategy.RingPoint{
		{Hash: 1 << 20, Owner: 2},
		{Hash: 7 << 20, Owner: 0}, {Hash: 7 << 20, Owner: 1}, {Hash: 7 << 20, Owner: 2}, {Hash: 7 << 20, Owner: 3},
		{Hash: 1 << 63, Owner: 1},
	}
	for range 50 {
		shuffled := slices.Clone(want)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for cut := range len(shuffled) + 1 {
			assert.Equal(t, want, strategy.SortAndMerge(shuffled[:cut], shuffled[cut:]))
		}
	}
}

// A look-up reads half of a point's bytes first: points that these can't tell apart are told apart all the same.
func TestPointsThatLieCloseTogetherAreToldApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slots := rapid.IntRange(1, 3000).Draw(t, "slots")
		near := rapid.OneOf(
			rapid.Uint64Range(0, 60),
			rapid.Map(rapid.Uint64Range(0, 60), func(n uint64) uint64 { return 1<<44 - 1 - n }),
			rapid.Map(rapid.Uint64Range(0, 60), func(n uint64) uint64 { return 1<<40 + n }),
			rapid.Uint64Range(0, 1<<44-1),
		)
		hash := rapid.Map(near, func(n uint64) uint64 { return n << 20 })
		points := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) strategy.RingPoint {
			return strategy.RingPoint{Hash: hash.Draw(t, "hash"), Owner: rapid.Uint32Range(0, uint32(slots-1)).Draw(t, "owner")}
		}), 1, 200, func(p strategy.RingPoint) strategy.RingPoint { return p }).Draw(t, "points")
		points = strategy.SortAndMerge(points, nil)
		var hashes []uint64
		var want []int
		for _, p := range points {
			hashes = append(hashes, p.Hash-1, p.Hash, p.Hash+1)
		}
		for _, hash := range hashes {
			first := sort.Search(len(points), func(i int) bool { return points[i].Hash > hash })
			want = append(want, first%len(points))
		}
		require.Equal(t, want, strategy.FindInRing(slots, points, hashes))
	})
}

func TestARingHasRoomForAMillionSlots(t *testing.T) {
	if testing.Short() {
		t.Skip("a million takes seconds")
	}
	p := newPicker(t, strategy.ConsistentHash, strategy.Options{Replicas: 1})
	load, entries := new(atomic.Int64), make([]strategy.Entry, 1<<20+1)
	for i := range entries {
		entries[i] = strategy.Entry{Slot: uint32(i), Weight: 1, Eligible: true, Load: load}
	}
	all := entries[:1<<20]
	v, want := p.View(nil, all), newReference(0, 1, all)
	for key := range uint64(1000) {
		hash := splitmix(splitmix(key))
		at := sort.Search(len(want), func(i int) bool { return want[i].Hash > hash })
		pos, _ := p.First(v, key)
		require.EqualValues(t, want[at%len(want)].Owner, pos)
	}
	require.Panics(t, func() { p.View(nil, entries) })
}

func TestASmallKeyIsAsGoodAsAny(t *testing.T) {
	// Key i has the hash of point i of slot 0: owned by the point it hits, all of these keys were slot 0's.
	for seed := range uint64(10) {
		p := newPicker(t, strategy.ConsistentHash, strategy.Options{Seed: seed})
		entries := fleet(4)
		got := make([]int, 4)
		for _, slot := range owners(p, p.View(nil, entries), entries, sequence(160)) {
			got[slot]++
		}
		assert.Greater(t, slices.Min(got), 10, "seed %d: %v", seed, got)
	}
}

// peakOverMean returns the largest share of the ring one slot owns, in mean shares: exact, from the points.
func peakOverMean(points []strategy.RingPoint, slots int) float64 {
	arcs := make([]float64, slots)
	before := points[len(points)-1].Hash
	for _, p := range points {
		arcs[p.Owner] += float64(p.Hash - before) // around the circle by overflow
		before = p.Hash
	}
	return slices.Max(arcs) * float64(slots) / (1 << 64)
}

func TestTheRingIsBalanced(t *testing.T) {
	for _, c := range []struct {
		slots    int
		replicas uint32
		most     float64
	}{
		{16, strategy.DefaultReplicas, 1.20},
		{16, 1000, 1.10},
		{64, 64, 1.40},
	} {
		var peaks []float64
		for seed := range uint64(50) {
			p := newPicker(t, strategy.ConsistentHash, strategy.Options{Seed: splitmix(seed), Replicas: c.replicas})
			peaks = append(peaks, peakOverMean(strategy.Points(p.View(nil, fleet(c.slots))), c.slots))
		}
		slices.Sort(peaks)
		t.Logf("%d slots, %d points each: median %.3f, worst %.3f", c.slots, c.replicas, peaks[25], peaks[49])
		assert.LessOrEqual(t, peaks[25], c.most)
	}
}

func manyKeys() int {
	if testing.Short() {
		return 10_000
	}
	return 100_000
}

func TestKeysOfEveryFamilySpread(t *testing.T) {
	text := func(s string) uint64 {
		h := fnv.New64a()
		h.Write([]byte(s))
		return h.Sum64()
	}
	random := rand.New(rand.NewPCG(1, 2))
	families := map[string]func(i int) uint64{
		"identifiers": func(int) uint64 { return text(fmt.Sprintf("%016x-%016x", random.Uint64(), random.Uint64())) },
		"names":       func(i int) uint64 { return text(fmt.Sprintf("user-%d", i)) },
		"counters":    func(i int) uint64 { return uint64(i) },
		"upper half":  func(i int) uint64 { return uint64(i) << 32 },
		"big endian": func(i int) uint64 {
			return binary.LittleEndian.Uint64(binary.BigEndian.AppendUint64(nil, uint64(i)))
		},
	}
	bounds := map[int][2]int{2: {35, 65}, 3: {20, 47}, 10: {5, 15}} // percent
	for name, key := range families {
		keys := make([]uint64, manyKeys())
		for i := range keys {
			keys[i] = key(i)
		}
		for n, bound := range bounds {
			for seed := range uint64(5) {
				p := newPicker(t, strategy.ConsistentHash, strategy.Options{Seed: splitmix(seed)})
				entries := fleet(n)
				v := p.View(nil, entries)
				got := make([]int, n)
				for _, slot := range owners(p, v, entries, keys) {
					got[slot]++
				}
				assert.GreaterOrEqual(t, slices.Min(got)*100, bound[0]*len(keys), "%s, %d slots", name, n)
				assert.LessOrEqual(t, slices.Max(got)*100, bound[1]*len(keys), "%s, %d slots", name, n)
			}
		}
	}
}

func TestOnlyKeysOfAChangedSlotMove(t *testing.T) {
	keys := sequence(10_000)
	for seed := range uint64(10) {
		p := newPicker(t, strategy.ConsistentHash, strategy.Options{Seed: splitmix(seed)})
		entries := fleet(6)
		five := entries[:5]
		v := p.View(nil, five)
		before := owners(p, v, five, keys)

		// A worker dies: its keys go elsewhere, no other key moves. Its replacement takes the slot: all are
		// back.
		down := slices.Clone(five)
		down[2].Eligible = false
		v = p.View(v, down)
		during := owners(p, v, down, keys)
		for i := range keys {
			if before[i] != during[i] && before[i] != 2 || during[i] == 2 {
				t.Fatalf("key %d went from %d to %d", i, before[i], during[i])
			}
		}
		v = p.View(v, five)
		require.Equal(t, before, owners(p, v, five, keys))

		// A worker more: keys move to it only, about a sixth of them. It goes again: those are back.
		v = p.View(v, entries)
		after, moved := owners(p, v, entries, keys), 0
		for i := range keys {
			switch after[i] {
			case before[i]:
			case 5:
				moved++
			default:
				t.Fatalf("key %d went from %d to %d", i, before[i], after[i])
			}
		}
		assert.InDelta(t, 1.0/6, float64(moved)/float64(len(keys)), 0.08)
		v = p.View(v, five)
		require.Equal(t, before, owners(p, v, five, keys))

		// A worker in the middle goes: only its keys move.
		v = p.View(v, slices.Delete(slices.Clone(five), 1, 2))
		rest := slices.Delete(slices.Clone(five), 1, 2)
		for i, slot := range owners(p, v, rest, keys) {
			if slot != before[i] && before[i] != 1 {
				t.Fatalf("key %d went from %d to %d", i, before[i], slot)
			}
		}
	}
}

func TestEligibilityAloneRebuildsNoRing(t *testing.T) {
	p := newPicker(t, strategy.ConsistentHash, strategy.Options{})
	entries := fleet(8)
	a := p.View(nil, entries)
	entries[3].Eligible = false
	b := p.View(a, entries)
	assert.True(t, strategy.SharesRing(a, b))
	assert.False(t, strategy.SharesRing(b, p.View(b, entries[:7])))
}

func TestASpilledKeyGoesToTheSlotThatWouldInheritIt(t *testing.T) {
	p := newPicker(t, strategy.ConsistentHash, strategy.Options{})
	entries := fleet(7)
	v := p.View(nil, entries)
	for key := range uint64(200) {
		order := walk(p, v, key)
		down := slices.Clone(entries)
		for i, pos := range order[:len(order)-1] {
			down[pos].Eligible = false
			heir, _ := p.First(p.View(v, down), key)
			require.Equal(t, order[i+1], heir)
		}
	}
}

// FuzzRing grows and shrinks a ring as told and compares it with one made at once, and its walks with the
// eligible slots.
func FuzzRing(f *testing.F) {
	f.Add(uint64(0), uint8(1), []byte{1, 2, 3, 3, 2, 1})
	f.Add(uint64(1)<<63, uint8(200), []byte{0, 255, 0, 17, 255})
	f.Add(uint64(7), uint8(16), []byte("abcabcxyz"))
	f.Fuzz(func(t *testing.T, seed uint64, replicas uint8, changes []byte) {
		p := newPicker(t, strategy.ConsistentHash, strategy.Options{Seed: seed, Replicas: uint32(replicas)})
		var v *strategy.View
		var entries []strategy.Entry
		for i, slot := range changes[:min(len(changes), 64)] { // each byte adds a slot, switches it off, or removes it
			at, found := find(entries, uint32(slot))
			switch {
			case !found:
				entries = slices.Insert(entries, at, entry(uint32(slot)))
			case entries[at].Eligible:
				entries[at].Eligible = false
			default:
				entries = slices.Delete(entries, at, at+1)
			}
			v = p.View(v, entries)
			got := walk(p, v, uint64(i))
			slices.Sort(got)
			require.Equal(t, eligible(entries), got)
		}
		if v != nil {
			require.Equal(t, strategy.Points(p.View(nil, entries)), strategy.Points(v))
		}
	})
}
