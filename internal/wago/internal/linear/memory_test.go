package linear_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/linear"
	"pgregory.net/rapid"
)

func TestAMemoryGrowsToItsLimitAndKeepsWhatItHolds(t *testing.T) {
	for _, size := range []uint64{0, 1, 3, 4} {
		const limit = 4
		each(t, func(t *testing.T, a *linear.Allocator) {
			m := made(t, a, size*page, limit*page)
			assert.EqualValues(t, limit*page, m.Limit())
			assert.NotNil(t, m.Bytes(), "also without a page")
			for pages := size; pages <= limit; pages++ {
				grown := m.Reallocate(pages * page)
				require.Len(t, grown, int(pages*page))
				require.Equal(t, grown, m.Bytes())
				if pages > size {
					require.Equal(t, make([]byte, page), grown[(pages-1)*page:], "what is added is zero")
					grown[pages*page-1] = byte(pages)
				}
			}
			assert.Nil(t, m.Reallocate((limit+1)*page))
			assert.Nil(t, m.Reallocate(1<<40))
			require.Len(t, m.Bytes(), limit*page, "a refusal changes nothing")
			for pages := size + 1; pages <= limit; pages++ {
				assert.Equal(t, byte(pages), m.Bytes()[pages*page-1])
			}
			require.NoError(t, m.Close())
		})
	}
}

func TestAMemoryWithoutRoomIsNeverMapped(t *testing.T) {
	each(t, func(t *testing.T, a *linear.Allocator) {
		m := made(t, a, 0, 0)
		assert.NotNil(t, m.Reallocate(0))
		assert.Nil(t, m.Reallocate(page))
		mapped, _ := a.Mappings()
		assert.Zero(t, mapped)
		require.NoError(t, m.Close())
	})
}

// Whatever is grown and written, both kinds of memory hold the same bytes.
func TestBothKindsHoldTheSame(t *testing.T) {
	if !linear.Supported {
		t.Skip("memories can't be mapped here")
	}
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Uint64Range(0, 12).Draw(t, "limit")
		size := rapid.Uint64Range(0, limit).Draw(t, "size")
		var both [2]*linear.Memory
		for i, kind := range []linear.Kind{linear.Mapped, linear.Heap} {
			m, err := linear.NewAllocator(kind).New(size*page, limit*page)
			require.NoError(t, err)
			defer func() { require.NoError(t, m.Close()) }()
			both[i] = m
		}
		t.Repeat(map[string]func(*rapid.T){
			"grow": func(t *rapid.T) {
				to := rapid.Uint64Range(uint64(len(both[0].Bytes())/page), limit+1).Draw(t, "pages") * page
				require.Equal(t, both[0].Reallocate(to) == nil, both[1].Reallocate(to) == nil)
			},
			"write": func(t *rapid.T) {
				if len(both[0].Bytes()) == 0 {
					t.Skip("there is no byte")
				}
				at, b := rapid.IntRange(0, len(both[0].Bytes())-1).Draw(t, "at"), rapid.Byte().Draw(t, "byte")
				both[0].Bytes()[at], both[1].Bytes()[at] = b, b
			},
			"append": func(t *rapid.T) { // as the engine does to a memory that it has freed
				for _, m := range both {
					_ = append(m.Bytes(), 1)
				}
			},
			"": func(t *rapid.T) { require.True(t, bytes.Equal(both[0].Bytes(), both[1].Bytes())) },
		})
	})
}

func TestGrowingAMappedMemoryDoesNotMoveIt(t *testing.T) {
	if !linear.Supported {
		t.Skip("memories can't be mapped here")
	}
	m := made(t, linear.NewAllocator(linear.Mapped), page, 1<<32)
	defer func() { require.NoError(t, m.Close()) }()
	before := m.Bytes()
	for size := uint64(2 * page); size <= 1<<32; size *= 2 {
		require.Same(t, unsafe.SliceData(before), unsafe.SliceData(m.Reallocate(size)))
	}
	m.Bytes()[0] = 7
	assert.EqualValues(t, 7, before[0], "so that a view that was made before goes on showing it")
}

func TestAHeapMemoryThatGrowsPageByPageIsCopiedSeldom(t *testing.T) {
	const limit = 256
	m := made(t, linear.NewAllocator(linear.Heap), page, limit*page)
	copies, last := 0, unsafe.SliceData(m.Bytes())
	for pages := uint64(2); pages <= limit; pages++ {
		if at := unsafe.SliceData(m.Reallocate(pages * page)); at != last {
			copies, last = copies+1, at
		}
	}
	assert.Less(t, copies, limit/8)
	require.NoError(t, m.Close())
}

func TestFreeOnlyRefusesGrowth(t *testing.T) {
	each(t, func(t *testing.T, a *linear.Allocator) {
		m := made(t, a, page, 2*page)
		view := m.Bytes()
		view[9] = 9
		require.False(t, m.Freed())
		m.Free()
		require.True(t, m.Freed())
		assert.Nil(t, m.Reallocate(2*page))
		assert.Nil(t, m.Reallocate(page))
		view[10] = 10 // it would be a fault if it were unmapped
		assert.Equal(t, []byte{9, 10}, m.Bytes()[9:11])
		require.NoError(t, m.Close())
	})
}

func TestCloseUnmapsOnce(t *testing.T) {
	each(t, func(t *testing.T, a *linear.Allocator) {
		m := made(t, a, page, 2*page)
		require.NoError(t, m.Close())
		require.NoError(t, m.Close())
		requireAllUnmapped(t, a)
		assert.Nil(t, m.Bytes())
		assert.Nil(t, m.Reallocate(page))
		assert.True(t, m.Freed())
	})
}

func TestWhatTheSystemRefusesIsAnErrorOrARefusedGrowth(t *testing.T) {
	full := errors.New("full")
	for name, fail := range map[string]func() error{
		"an error": func() error { return full }, "a panic": func() error { panic(full.Error()) },
	} {
		t.Run(name, func(t *testing.T) {
			s := &linear.System{Reserve: fail, Commit: fail}
			a := linear.On(s)
			_, err := a.New(page, 2*page)
			require.ErrorIs(t, err, linear.ErrMemory)
			require.ErrorContains(t, err, "full")
			mapped, _ := a.Mappings()
			require.Zero(t, mapped)

			s.Reserve = nil
			m := made(t, a, page, 2*page)
			before := slices.Clone(m.Bytes())
			assert.Nil(t, m.Reallocate(2*page))
			assert.Equal(t, before, m.Bytes())
			s.Commit = nil
			assert.Len(t, m.Reallocate(2*page), 2*page, "it was only then")
			require.NoError(t, m.Close())
			requireAllUnmapped(t, a)
		})
	}
}

func TestWhatTheSystemDoesNotTakeBackStaysCounted(t *testing.T) {
	stuck := errors.New("stuck")
	a := linear.On(&linear.System{Release: func() error { return stuck }})
	err := made(t, a, page, page).Close()
	require.ErrorIs(t, err, linear.ErrMemory)
	require.ErrorIs(t, err, stuck)
	mapped, unmapped := a.Mappings()
	assert.Equal(t, [2]uint64{1, 0}, [2]uint64{mapped, unmapped})
}

func TestWhatGoCanNotAddressIsAnErrorOfTheHeapToo(t *testing.T) {
	_, err := linear.NewAllocator(linear.Heap).New(1<<62, 1<<62)
	require.ErrorIs(t, err, linear.ErrMemory)
}

func TestTheDefaultKindIsWhatTheSystemSupports(t *testing.T) {
	want := linear.Heap
	if linear.Supported {
		want = linear.Mapped
	}
	assert.Equal(t, want, linear.Default.Resolve())
	assert.Equal(t, linear.Mapped, linear.Mapped.Resolve())
	assert.Equal(t, linear.Heap, linear.Heap.Resolve())
	if !linear.Supported {
		_, err := linear.NewAllocator(linear.Mapped).New(page, page)
		assert.ErrorIs(t, err, errors.ErrUnsupported)
	}
}
