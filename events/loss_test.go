package events_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/events"
)

func TestALossIsReportedWhereItHappened(t *testing.T) {
	const (
		major = iota
		minor
	)
	script := func(counts ...int) (kinds []int) { // alternately that many major and minor events
		for i, n := range counts {
			for range n {
				kinds = append(kinds, i%2)
			}
		}
		return kinds
	}
	seqs := func(kinds []int, first, last uint64) []event {
		es := run(first, last)
		for i := range es {
			es[i].Minor = kinds[es[i].Seq-1] == minor
		}
		return es
	}
	tests := []struct {
		name     string
		capacity int
		kinds    []int    // published while the first event is in the observer's hand
		kept     []uint64 // in turn: last kept, last lost, last kept …
	}{
		{"room for all", 4, script(5), []uint64{5}},
		{"a full queue loses the newest", 4, script(8), []uint64{5, 8}},
		{"small queues have no reserve for major events", 4, script(1, 7), []uint64{5, 8}},
		{"a queue of one", 1, script(1, 3), []uint64{2, 4}},
		{"from 7/8, minor events go first", 8, script(1, 9, 1), []uint64{8, 10, 11}},
		{"from 7/8 rounded up", 9, script(1, 9, 1), []uint64{9, 10, 11}},
		{"1/8 is for major events", 16, script(1, 16, 2), []uint64{15, 17, 19}},
		{"then those are lost too, in the same gap", 8, script(1, 9, 3), []uint64{8, 10, 11, 13}},
		{"gaps with an event between them stay apart", 16, script(1, 16, 1, 2, 1, 1), []uint64{15, 17, 18, 20, 21, 22}},
		{"minor and major losses side by side are one gap", 8, script(9, 2, 1, 1), []uint64{9, 13}},
		{"the default: minor", 0, script(1, 1000), []uint64{897, 1001}},
		{"the default: major", 0, script(1100), []uint64{1025, 1100}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, g := newBus(test.capacity), newGated()
				subscribe(t, b, g.observe)
				for _, kind := range test.kinds {
					b.Publish(event{Minor: kind == minor})
					synctest.Wait() // the first one is taken before the second comes
				}
				var want []event
				last := uint64(0)
				for i, end := range test.kept {
					if i%2 == 0 {
						want = append(want, seqs(test.kinds, last+1, end)...)
					} else {
						want = append(want, lost(end-last, end)...)
					}
					last = end
				}
				g.open()
				assert.Equal(t, want, g.events())
				closeBus(t, b)
			})
		})
	}
}

func TestAGapThatWasReportedIsNotReportedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, g := newBus(2), newGated()
		subscribe(t, b, g.observe)
		step := func() {
			synctest.Wait()
			g.permit <- struct{}{}
			synctest.Wait()
		}
		publish(b, 1)
		synctest.Wait()
		publish(b, 3) // 4 is lost
		step()
		step()
		step() // the gap at 4 is in hand now, with an empty queue
		publish(b, 4)
		g.open()
		assert.Equal(t, join(run(1, 3), lost(1, 4), run(5, 6), lost(2, 8)), g.events())
		closeBus(t, b)
	})
}

func TestAGapGrowsUntilItIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, g := newBus(2), newGated()
		subscribe(t, b, g.observe)
		publish(b, 1)
		synctest.Wait()
		publish(b, 3) // 4 is lost
		publish(b, 5) // and more
		g.permit <- struct{}{}
		synctest.Wait()
		publish(b, 1) // in the place that 2 left
		g.open()
		assert.Equal(t, join(run(1, 3), lost(6, 9), run(10, 10)), g.events())
		closeBus(t, b)
	})
}

func TestAStuckObserverHarmsNoOtherAndIsToldItsLosses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const published = 10_000
		b, stuck, well := newBus(0), newGated(), new(record)
		subscribe(t, b, stuck.observe)
		subscribe(t, b, well.observe)
		for range published / 100 {
			publish(b, 100)
			synctest.Wait()
		}
		require.Equal(t, run(1, published), well.events())
		require.Len(t, stuck.events(), 1)

		stuck.open()
		var a account
		for _, e := range stuck.events() {
			require.True(t, a.add(&e), "%+v after %d", e, a.last)
		}
		assert.Equal(t, uint64(1+events.DefaultCapacity), a.received)
		assert.Equal(t, uint64(published), a.received+a.lost)
		closeBus(t, b)
	})
}
