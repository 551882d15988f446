package service_test

import (
	"bytes"
	"sync/atomic"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// images watches the memories of a rig's workers: of each before its first task, and that it was scribbled over before others.
type images struct {
	fresh           []byte
	forks, scribble atomic.Int32 // memories that were looked at
}

func (i *images) look(t *testing.T, w *rig.Worker) {
	memory := w.Caller.Memory()
	if w.Turn > 1 {
		i.scribble.Add(1)
		assert.Zero(t, bytes.Count(memory, []byte{0}), "worker %d, turn %d: no byte is as it began", w.ID, w.Turn)
		return
	}
	i.forks.Add(1)
	same(t, i.fresh, memory, "worker %d", w.ID)
}

// same is assert.Equal for what is too long to print.
func same(t *testing.T, want, got []byte, what string, args ...any) {
	t.Helper()
	if bytes.Equal(want, got) {
		return
	}
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	args = append(args, len(got), len(want), at)
	assert.Failf(t, "another memory", what+": %d bytes for %d, the first to differ is at %d", args...)
}

// TestG12AFreshForksMemoryIsTheModulesImage has guests scribble over their whole memory with each of 1 000 tasks, 200 of the
// large ones, 50 under -short, and end in every way. Whoever comes after them, workers and direct instances, begins with what an
// instance had that was made before, byte for byte, and that is what the data segments say.
func TestG12AFreshForksMemoryIsTheModulesImage(t *testing.T) {
	for name, c := range map[string]struct {
		guest       []byte
		pages       int
		tasks, ends uint64 // every ends-th task ends its worker
	}{
		"192 KiB": {rig.Image, 3, 1000, 10},
		"16 MiB":  {rig.Image16, 256, size[uint64](200, 50), 10},
	} {
		t.Run(name, func(t *testing.T) {
			i := &images{fresh: make([]byte, c.pages<<16)}
			copy(i.fresh, rig.InitialImage())
			r := rig.New(t, rig.Config{Guest: c.guest, Behaviour: func(_ *rig.Worker, task pool.Task) rig.Act {
				if task.Tag%c.ends != 0 {
					return rig.Next
				}
				return []rig.Act{rig.Trap, rig.Return, rig.Exit(0), rig.Exit(3)}[task.Tag/c.ends%4]
			}})
			r.OnTurn(func(w *rig.Worker) { i.look(t, w) })
			b := &bench{Rig: r}
			b.owner = b.Owner()
			same(t, i.fresh, b.owner.Caller.Memory(), "the instance made before")
			opts := pool.PoolOptions{
				MinWorkers: 2, MaxWorkers: 4, Restart: pool.RestartAlways, MaxRestarts: pool.UnlimitedRestarts,
			}
			b.id = b.another(opts)
			supervised := b.supervise()
			for tag := uint64(1); tag <= c.tasks; tag++ {
				_, err := b.Service.SubmitWait(t.Context(), b.id, pool.Task{Tag: tag})
				require.NoError(t, err)
			}
			b.quiet()
			replaced := int32(c.tasks / c.ends)
			b.Eventually(func() bool { return i.forks.Load() == 2+replaced }, "everybody is replaced")

			i.brings(t, b, 2, func() { b.scale(4) })
			i.brings(t, b, 2, func() { b.another(opts) })
			same(t, i.fresh, b.Owner().Caller.Memory(), "a direct instance")
			require.NoError(t, b.Service.Destroy(b.id))
			<-supervised
			i.brings(t, b, 2, func() { b.id = b.another(opts) })
			assert.Equal(t, 2+replaced+6, i.forks.Load())
			assert.Greater(t, uint64(i.scribble.Load()), c.tasks/2)
		})
	}
}

// brings has start make n forks and waits until they have been looked at.
func (i *images) brings(t *testing.T, b *bench, n int32, start func()) {
	t.Helper()
	before := i.forks.Load()
	start()
	b.Eventually(func() bool { return i.forks.Load() == before+n }, "fresh forks")
}
