package engine_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
	"github.com/wago-org/wago/internal/linear"
)

// eachMemory runs a test on an engine for each kind of memory and each way of
// interruption.
func eachMemory(t *testing.T, test func(t *testing.T, e *engine.Engine)) {
	for name, kind := range map[string]linear.Kind{"mapped": linear.Mapped, "heap": linear.Heap} {
		t.Run(name, func(t *testing.T) {
			if kind == linear.Mapped && !linear.Supported {
				t.Skip("memories can't be mapped here")
			}
			cfg := engine.Config{Memory: kind}
			t.Run("countdown", func(t *testing.T) { test(t, newEngine(t, cfg)) })
			t.Run("watched", func(t *testing.T) { test(t, settled(t, engine.NewWatching, cfg)) })
		})
	}
}

// requireMapped checks how many memories are mapped now, if they ever are.
func requireMapped(t *testing.T, e *engine.Engine, want uint64) {
	t.Helper()
	if mapped, unmapped := e.Mappings(); mapped > 0 {
		require.Equal(t, want, mapped-unmapped)
	}
}

// use reads and writes all of a memory: a fault, if it isn't there any more.
func use(view []byte) {
	for at := 0; at < len(view); at += 4096 {
		view[at]++
	}
}

func TestAGuestGrowsToItsLimitWhateverItsMemory(t *testing.T) {
	const first, limit = 16, 128
	var contents [][]byte
	eachMemory(t, func(t *testing.T, e *engine.Engine) {
		i := instantiate(t, e, compile(t, e, "held"), engine.Bindings{Host: silent, MemoryLimitPages: limit})
		for page := uint64(first); page < limit; page++ {
			require.Equal(t, page, grow(t, i, 1))
			for _, at := range []uint64{page*engine.PageSize - 1, page * engine.PageSize, (page+1)*engine.PageSize - 1} {
				_, err := i.Call(t.Context(), "poke", []uint64{at, page})
				require.NoError(t, err)
			}
		}
		require.EqualValues(t, refused, grow(t, i, 1))
		contents = append(contents, bytes.Clone(i.Memory()))
	})
	for _, content := range contents {
		require.Len(t, content, limit*engine.PageSize)
		require.True(t, bytes.Equal(contents[0], content))
	}
}

func TestAGuestStoppedInsideALongFillHasItsMemoryUntilClose(t *testing.T) {
	const pages = 512 // 32 MiB, which take milliseconds
	eachMemory(t, func(t *testing.T, e *engine.Engine) {
		inside := make(chan struct{})
		i := instantiate(t, e, compile(t, e, "held"), engine.Bindings{Host: hostFunc(
			func(*engine.Instance, int, []uint64, []uint64) { close(inside) })})
		require.EqualValues(t, 16, grow(t, i, pages-16))
		ctx, cancel := context.WithCancel(context.Background())
		go func() { <-inside; cancel() }()
		_, err := i.Call(ctx, "fill", []uint64{0})
		wantInterrupted(t, ctx, err)
		requireMapped(t, e, 1)
		require.Len(t, i.Memory(), pages*engine.PageSize)
		use(i.Memory())
		require.NoError(t, i.Close())
		requireMapped(t, e, 0)
		require.Nil(t, i.Memory())
	})
}

// wazero frees the memory of a guest that it watches at once when a nested call is
// stopped, while the function that made that call may go on with it.
func TestAHostFunctionKeepsTheMemoryWhenANestedCallIsStopped(t *testing.T) {
	eachMemory(t, func(t *testing.T, e *engine.Engine) {
		const outer, nested = 0, 1
		ctx, cancel := context.WithCancel(context.Background())
		m := compile(t, e, "held")
		i := instantiate(t, e, m, engine.Bindings{Host: hostFunc(
			func(inst *engine.Instance, _ int, params, _ []uint64) {
				if params[0] == nested {
					cancel()
					return
				}
				view := inst.Memory()
				_, err := inst.Call(ctx, "store", []uint64{nested})
				wantInterrupted(t, ctx, err)
				require.Equal(t, m.Interruption() == engine.InterruptWatched, inst.WazeroClosed())
				requireMapped(t, e, 1)
				use(view)
				require.Equal(t, "held"[1:], string(view[1:4]), "the first byte was stored to")
				require.Same(t, &view[0], &inst.Memory()[0])
				if memory, _ := inst.MemoryObject(); inst.WazeroClosed() {
					_, ok := memory.Grow(1)
					require.False(t, ok)
				}
			})})
		_, err := i.Call(t.Context(), "store", []uint64{outer})
		require.ErrorIs(t, err, engine.ErrInstanceEnded)
		use(i.Memory())
		require.NoError(t, i.Close())
		requireMapped(t, e, 0)
	})
}

func TestAnInstantiationThatFailsLeavesNoMemory(t *testing.T) {
	eachMemory(t, func(t *testing.T, e *engine.Engine) {
		trap, start := compile(t, e, "start_trap"), compile(t, e, "start_host")
		for range 100 {
			_, err := e.Instantiate(t.Context(), trap, engine.Bindings{})
			require.True(t, errorAs[*engine.TrapError](err))
			_, err = e.Instantiate(t.Context(), start, engine.Bindings{})
			require.ErrorIs(t, err, engine.ErrLink)
			_, err = e.Instantiate(t.Context(), start, engine.Bindings{Host: hostFunc(
				func(inst *engine.Instance, _ int, _, _ []uint64) {
					use(inst.Memory())
					requireMapped(t, e, 1)
					panic("oh")
				})})
			require.True(t, errorAs[*engine.HostPanicError](err))
			requireMapped(t, e, 0)
		}
	})
}
