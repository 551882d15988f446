package autoscale_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/autoscale"
)

// want is one line of a script: at a time, this many are wanted; so many there are to be, until then.
type want struct {
	at   time.Duration
	want uint32
	size uint32
	next time.Duration // 0: nothing pending
}

func TestDamper(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name   string
		script []want
	}{
		{"the first size is what is wanted", []want{{0, 7, 7, 0}}},
		{"growth is immediate", []want{{0, 1, 1, 0}, {1, 20, 20, 0}, {2, 21, 21, 0}}},
		{"a lower size is taken when it has held", []want{{0, 9, 9, 0}, {10 * s, 3, 9, 15 * s}, {15*s - 1, 3, 9, 15 * s}, {15 * s, 3, 3, 0}}},
		{"a small step down too", []want{{0, 9, 9, 0}, {10 * s, 8, 9, 15 * s}, {15 * s, 8, 8, 0}}},
		{"a return takes the delay back", []want{{0, 9, 9, 0}, {10 * s, 3, 9, 15 * s}, {14 * s, 9, 9, 0}, {15 * s, 3, 9, 20 * s}}},
		{"a fall by steps is followed by steps", []want{
			{0, 10, 10, 0}, {10 * s, 8, 10, 15 * s}, {12 * s, 5, 10, 15 * s}, {15 * s, 5, 8, 17 * s}, {17 * s, 5, 5, 0},
		}},
		{"the highest within the delay is what it shrinks to", []want{
			{0, 20, 20, 0}, {10 * s, 2, 20, 15 * s}, {11 * s, 6, 20, 15 * s}, {12 * s, 2, 20, 15 * s},
			{15 * s, 2, 6, 17 * s}, {17 * s, 2, 2, 0},
		}},
		{"a small step down waits for calm", []want{
			{0, 10, 10, 0}, {10 * s, 8, 10, 15 * s}, {14 * s, 9, 10, 19 * s}, {15 * s, 9, 10, 19 * s}, {19 * s, 9, 9, 0},
		}},
		{"a quarter down needn't", []want{
			{0, 12, 12, 0}, {10 * s, 8, 12, 15 * s}, {14 * s, 9, 12, 15 * s}, {15 * s, 9, 9, 0},
		}},
		{"calm can come before the last higher want leaves", []want{
			{0, 10, 10, 0}, {10 * s, 7, 10, 15 * s}, {11 * s, 9, 10, 16 * s}, {13 * s, 8, 10, 16 * s},
			{16 * s, 8, 9, 18 * s}, {18 * s, 8, 8, 0},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := autoscale.NewDamper(5 * s)
			for _, line := range c.script {
				size, next, pending := d.Want(at(line.at), line.want)
				require.Equal(t, line.size, size, "at %v", line.at)
				require.Equal(t, line.next != 0, pending, "at %v", line.at)
				if pending {
					require.Equal(t, line.next, next.Sub(start), "at %v", line.at)
				}
			}
		})
	}
}

func TestWithoutADelayTheSizeIsWhatIsWanted(t *testing.T) {
	d := autoscale.NewDamper(0)
	for i, want := range []uint32{5, 3, 4, 9, 8, 0} {
		size, _, pending := d.Want(at(time.Duration(i)), want)
		assert.Equal(t, want, size)
		assert.False(t, pending)
	}
}

func TestSetIsTheSizeAtOnce(t *testing.T) {
	const s = time.Second
	d := autoscale.NewDamper(5 * s)
	d.Want(at(0), 9)
	d.Want(at(s), 3)
	d.Set(at(2*s), 4)
	size, _, pending := d.Want(at(3*s), 4)
	assert.EqualValues(t, 4, size)
	assert.False(t, pending)

	d.Set(at(4*s), 30)
	size, next, pending := d.Want(at(5*s), 4)
	assert.EqualValues(t, 30, size)
	assert.True(t, pending)
	assert.Equal(t, at(10*s), next)
	size, _, _ = d.Want(at(6*s), 31)
	assert.EqualValues(t, 31, size)
}

// The model keeps everything that was ever wanted, and looks back.
type wants struct {
	delay time.Duration
	at    []time.Duration
	want  []uint32
	size  uint32
}

func (w *wants) add(now time.Duration, want uint32) uint32 {
	w.at, w.want = append(w.at, now), append(w.want, want)
	high, rose := want, false
	for i := range w.want {
		if i+1 < len(w.at) && w.at[i+1]+w.delay <= now {
			continue // wanted no more since before the delay
		}
		high = max(high, w.want[i])
		rose = rose || i > 0 && w.want[i] > w.want[i-1] && w.at[i]+w.delay > now
	}
	rose = rose || w.at[0]+w.delay > now
	if high > w.size || high < w.size && (!rose || 4*high <= 3*w.size) {
		w.size = high
	}
	return w.size
}

func TestDamperIsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		delay := time.Duration(rapid.IntRange(1, 30).Draw(t, "delay"))
		d, model := autoscale.NewDamper(delay), wants{delay: delay}
		now := time.Duration(0)
		for range 60 {
			now += time.Duration(rapid.IntRange(0, 8).Draw(t, "pause"))
			want := rapid.Uint32Range(0, 12).Draw(t, "want")
			size, next, pending := d.Want(at(now), want)
			require.Equal(t, model.add(now, want), size)
			require.GreaterOrEqual(t, size, want)
			require.Equal(t, size > want, pending)
			if !pending || rapid.Bool().Draw(t, "interrupted") {
				continue
			}
			// Nothing happens before next; then the size shrinks.
			require.True(t, next.After(at(now)))
			before, again, _ := d.Want(next.Add(-1), want)
			require.Equal(t, size, before)
			require.Equal(t, next, again)
			model.add(next.Add(-1).Sub(start), want)
			now = next.Sub(start)
			after, _, _ := d.Want(next, want)
			require.Equal(t, model.add(now, want), after)
			require.Less(t, after, size)
		}
	})
}

func BenchmarkDamper(b *testing.B) {
	d := autoscale.NewDamper(autoscale.DefaultDelay)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		d.Want(at(time.Duration(i)*time.Millisecond), uint32(i*i%97))
	}
}
