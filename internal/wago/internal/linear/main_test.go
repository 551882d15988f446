package linear_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/linear"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const page = 64 << 10

// each runs a test with an allocator of each kind, of which nothing may be left mapped.
func each(t *testing.T, test func(t *testing.T, a *linear.Allocator)) {
	for name, kind := range map[string]linear.Kind{"mapped": linear.Mapped, "heap": linear.Heap} {
		t.Run(name, func(t *testing.T) {
			if kind == linear.Mapped && !linear.Supported {
				t.Skip("memories can't be mapped here")
			}
			a := linear.NewAllocator(kind)
			test(t, a)
			requireAllUnmapped(t, a)
		})
	}
}

func requireAllUnmapped(t *testing.T, a *linear.Allocator) {
	t.Helper()
	mapped, unmapped := a.Mappings()
	require.Equal(t, mapped, unmapped)
}

// made returns a memory, for the test to close.
func made(t testing.TB, a *linear.Allocator, size, limit uint64) *linear.Memory {
	t.Helper()
	m, err := a.New(size, limit)
	require.NoError(t, err)
	return m
}
