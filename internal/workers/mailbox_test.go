package workers_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wago-org/workers"
)

func TestMailboxIsAQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var box workers.Mailbox
		var model [][]byte
		var first, next, bytes uint64
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				payload := rapid.SliceOfN(rapid.Byte(), 0, 4).Draw(t, "payload")
				box.Push(next, payload)
				model, next, bytes = append(model, payload), next+1, bytes+uint64(len(payload))
			},
			"burst": func(t *rapid.T) {
				for range rapid.IntRange(1, 700).Draw(t, "n") {
					box.Push(next, []byte{1})
					model, next, bytes = append(model, []byte{1}), next+1, bytes+1
				}
			},
			"pop": func(t *rapid.T) {
				if len(model) == 0 {
					t.Skip("empty")
				}
				tag, payload := box.Pop()
				require.Equal(t, first, tag)
				require.Equal(t, model[0], payload)
				model, first, bytes = model[1:], first+1, bytes-uint64(len(payload))
			},
			"drain": func(t *rapid.T) {
				for ; len(model) > 0; model, first = model[1:], first+1 {
					tag, _ := box.Pop()
					require.Equal(t, first, tag)
				}
				bytes = 0
			},
			"clear": func(*rapid.T) {
				box.Clear()
				model, first, bytes = nil, next, 0
			},
			"": func(t *rapid.T) {
				count, total, slots := box.State()
				require.Equal(t, len(model), count)
				require.Equal(t, bytes, total)
				require.True(t, slots == 0 || slots >= 8 && slots&(slots-1) == 0, "%d slots", slots)
				require.LessOrEqual(t, box.Retained(), count, "a payload outlives its message")
			},
		})
	})
}

func TestMailboxMakesNoRoomBeforeItIsNeeded(t *testing.T) {
	var box workers.Mailbox
	_, _, slots := box.State()
	require.Zero(t, slots)
	box.Push(1, nil)
	_, _, slots = box.State()
	require.Equal(t, 8, slots)
}

func TestMailboxKeepsTheRingItUsesAndLetsAnotherGo(t *testing.T) {
	var box workers.Mailbox
	fill := func(n int) (slots int) {
		for range n {
			box.Push(1, nil)
		}
		for range n {
			box.Pop()
		}
		_, _, slots = box.State()
		return slots
	}
	require.Equal(t, 1_024, fill(1_000))
	require.Equal(t, 1_024, fill(1_000), "used again")
	require.Zero(t, fill(10), "mostly unused")
	require.Equal(t, 16, fill(10))
	require.Equal(t, 16, fill(1), "a small ring is kept")
}
