package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

const refused = 0xffffffff // memory.grow's -1

func grow(t *testing.T, i *engine.Instance, pages uint64) uint64 {
	t.Helper()
	got, err := i.Call(t.Context(), "grow", []uint64{pages})
	require.NoError(t, err)
	return got[0]
}

func TestMemoryLimits(t *testing.T) {
	for _, tc := range []struct {
		name, guest      string
		engine, instance uint32
		info             engine.MemoryInfo
		first, reach     uint64
	}{
		{"default", "memory", 0, 0, engine.MemoryInfo{Min: 1, Max: engine.DefaultMemoryLimitPages}, 1, 1024},
		{"engine's", "memory", 5, 0, engine.MemoryInfo{Min: 1, Max: 5}, 1, 5},
		{"instance's below the engine's", "memory", 5, 4, engine.MemoryInfo{Min: 1, Max: 5}, 1, 4},
		{"instance's above the engine's", "memory", 5, 9, engine.MemoryInfo{Min: 1, Max: 5}, 1, 5},
		{"declared below the limit", "memory_max", 5, 0, engine.MemoryInfo{Min: 2, Max: 3, HasMax: true}, 2, 3},
		{"declared above the limit", "memory_max", 2, 0, engine.MemoryInfo{Min: 2, Max: 2, HasMax: true}, 2, 2},
		{"exactly the minimum", "memory", 1, 1, engine.MemoryInfo{Min: 1, Max: 1}, 1, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEngine(t, engine.Config{MemoryLimitPages: tc.engine})
			m := compile(t, e, tc.guest)
			info, ok := m.Memory()
			require.True(t, ok)
			require.Equal(t, tc.info, info)
			i := instantiate(t, e, m, engine.Bindings{MemoryLimitPages: tc.instance})
			mem, ok := i.MemoryObject()
			require.True(t, ok)
			require.EqualValues(t, tc.reach, mem.LimitPages())

			require.EqualValues(t, refused, grow(t, i, tc.reach-tc.first+1))
			require.EqualValues(t, tc.first, mem.Pages(), "a refused growth changes nothing")
			require.Equal(t, tc.first, grow(t, i, tc.reach-tc.first))
			require.EqualValues(t, refused, grow(t, i, 1))
			require.EqualValues(t, tc.reach, mem.Pages())
			require.Len(t, i.Memory(), int(tc.reach)*engine.PageSize)
		})
	}
}

func TestMemoryKeepsItsContentWhenItGrows(t *testing.T) {
	i := open(t, "memory", engine.Bindings{})
	hello, ok := i.Read(16, 5)
	require.True(t, ok)
	require.Equal(t, "hello", string(hello))
	for page := range uint64(8) {
		require.Equal(t, page+1, grow(t, i, 1))
		_, err := i.Call(t.Context(), "poke", []uint64{(page+2)*engine.PageSize - 1, page + 1})
		require.NoError(t, err)
	}
	hello, _ = i.Read(16, 5)
	require.Equal(t, "hello", string(hello))
	for page := range uint64(8) {
		require.Equal(t, byte(page+1), i.Memory()[(page+2)*engine.PageSize-1])
	}
}

func TestTheHostMayGrowMemory(t *testing.T) {
	e := newEngine(t, engine.Config{MemoryLimitPages: 2})
	i := instantiate(t, e, compile(t, e, "memory"), engine.Bindings{})
	mem, _ := i.MemoryObject()
	previous, ok := mem.Grow(1)
	require.True(t, ok)
	require.EqualValues(t, 1, previous)
	_, ok = mem.Grow(1)
	require.False(t, ok)
	mem.Bytes()[engine.PageSize] = 3
	got, err := i.Call(t.Context(), "peek", []uint64{engine.PageSize})
	require.NoError(t, err)
	require.Equal(t, []uint64{3}, got)
}

func TestMemoryAccessIsBounded(t *testing.T) {
	i := open(t, "memory", engine.Bindings{})
	const end = engine.PageSize
	require.True(t, i.Write(end-2, []byte{1, 2}))
	require.False(t, i.Write(end-1, []byte{3, 4}))
	require.False(t, i.Write(0xffffffff, []byte{1}))
	got, ok := i.Read(end-2, 2)
	require.True(t, ok)
	require.Equal(t, []byte{1, 2}, got)
	require.Equal(t, 2, cap(got), "appending to a view must not write into the guest")
	_, ok = i.Read(end-1, 2)
	require.False(t, ok)
	_, ok = i.Read(0xffffffff, 0xffffffff)
	require.False(t, ok)
	empty, ok := i.Read(end, 0)
	require.True(t, ok)
	require.Empty(t, empty)
}

func TestWithoutMemoryThereIsNothingToSee(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m, err := e.Compile(t.Context(), []byte("\x00asm\x01\x00\x00\x00"))
	require.NoError(t, err)
	_, ok := m.Memory()
	require.False(t, ok)
	i := instantiate(t, e, m, engine.Bindings{})
	require.Nil(t, i.Memory())
	_, ok = i.MemoryObject()
	require.False(t, ok)
	_, ok = i.Read(0, 0)
	require.False(t, ok)
	require.False(t, i.Write(0, nil))
	require.NoError(t, m.Close())
}

func TestAClosedInstanceHasNoMemory(t *testing.T) {
	i := open(t, "memory", engine.Bindings{})
	mem, _ := i.MemoryObject()
	require.NoError(t, i.Close())
	require.Nil(t, i.Memory())
	require.Nil(t, mem.Bytes())
	_, ok := mem.Grow(1)
	require.False(t, ok)
	require.False(t, i.Write(0, []byte{1}))
}

func TestAnInitialMemoryOverALimitNamesBothNumbersAndTheSetting(t *testing.T) {
	e := newEngine(t, engine.Config{MemoryLimitPages: 1})
	_, err := e.Compile(t.Context(), wasm(t, "memory_max"))
	var limit *engine.LimitError
	require.ErrorAs(t, err, &limit)
	require.ErrorIs(t, err, engine.ErrLimit)
	require.Equal(t, "Config.MemoryLimitPages", limit.Setting)
	require.EqualValues(t, 2, limit.Wanted)
	require.EqualValues(t, 1, limit.Limit)

	e = newEngine(t, engine.Config{})
	m := compile(t, e, "memory_max")
	_, err = e.Instantiate(t.Context(), m, engine.Bindings{MemoryLimitPages: 1})
	require.ErrorAs(t, err, &limit)
	require.Equal(t, "Bindings.MemoryLimitPages", limit.Setting)
	require.EqualValues(t, 2, limit.Wanted)
	require.EqualValues(t, 1, limit.Limit)
}

func TestAMemoryLimitAboveWhatExistsIsRefused(t *testing.T) {
	_, err := engine.New(engine.Config{MemoryLimitPages: engine.MaxMemoryPages + 1})
	var limit *engine.LimitError
	require.ErrorAs(t, err, &limit)
	require.EqualValues(t, engine.MaxMemoryPages+1, limit.Wanted)
	require.EqualValues(t, engine.MaxMemoryPages, limit.Limit)

	e := newEngine(t, engine.Config{MemoryLimitPages: engine.MaxMemoryPages})
	require.EqualValues(t, engine.MaxMemoryPages, e.MemoryLimitPages())
}
