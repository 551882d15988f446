package linear_test

import (
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/linear"
)

const (
	mib = uint64(1) << 20
	gib = uint64(1) << 30
)

// process reads what the kernel counts of this process, in bytes: all addresses, resident memory, and data.
func process(t *testing.T) (size, resident, data uint64) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	require.NoError(t, err)
	var shared, code, unused uint64
	_, err = fmt.Sscan(string(text), &size, &resident, &shared, &code, &unused, &data)
	require.NoError(t, err)
	page := uint64(os.Getpagesize())
	return size * page, resident * page, data * page
}

// limit lowers a limit of this process for the rest of the test.
func limit(t *testing.T, resource int, bytes uint64) {
	t.Helper()
	var old syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(resource, &old))
	require.NoError(t, syscall.Setrlimit(resource, &syscall.Rlimit{Cur: min(bytes, old.Max), Max: old.Max}))
	t.Cleanup(func() { require.NoError(t, syscall.Setrlimit(resource, &old)) })
}

func supported(t *testing.T) *linear.Allocator {
	t.Helper()
	if !linear.Supported {
		t.Skip("memories can't be mapped here")
	}
	return linear.NewAllocator(linear.Mapped)
}

func TestOnlyWhatIsWrittenIsResident(t *testing.T) {
	a := supported(t)
	debug.FreeOSMemory()
	_, before, _ := process(t)
	m := made(t, a, gib, 4*gib)
	for at := uint64(0); at < gib; at += 64 * mib {
		m.Bytes()[at] = 1
	}
	require.NotNil(t, m.Reallocate(3*gib))
	_, after, _ := process(t)
	assert.Less(t, after, before+8*mib, "16 pages were written")
	require.NoError(t, m.Close())
}

func TestWhatIsReservedIsNoData(t *testing.T) {
	a := supported(t)
	_, _, before := process(t)
	m := made(t, a, mib, 64*gib)
	_, _, reserved := process(t)
	assert.Less(t, reserved, before+gib)
	require.NotNil(t, m.Reallocate(2*gib))
	_, _, used := process(t)
	assert.Greater(t, used, before+gib, "the test sees nothing otherwise")
	require.NoError(t, m.Close())
}

func TestAnUnmappedMemoryIsGone(t *testing.T) {
	a := supported(t)
	before, _, _ := process(t)
	m := made(t, a, mib, 64*gib)
	require.NotNil(t, m.Reallocate(2*gib), "areas of two kinds")
	during, _, _ := process(t)
	require.Greater(t, during, before+63*gib)
	require.NoError(t, m.Close())
	after, _, _ := process(t)
	assert.Less(t, after, before+gib)
}

// One byte would make 2 MiB resident.
func TestHugePagesAreDeclined(t *testing.T) {
	a := supported(t)
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("the kernel has none")
	}
	m := made(t, a, 16*mib, 16*mib)
	defer func() { require.NoError(t, m.Close()) }()
	text, err := os.ReadFile("/proc/self/smaps")
	require.NoError(t, err)
	var begin, end uintptr
	at, found := uintptr(unsafe.Pointer(unsafe.SliceData(m.Bytes()))), false
	for line := range strings.Lines(string(text)) {
		if area := regexp.MustCompile(`^[0-9a-f]+-[0-9a-f]+ `).FindString(line); area != "" {
			_, err := fmt.Sscanf(area, "%x-%x", &begin, &end)
			require.NoError(t, err)
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && begin <= at && at < end {
			found = true
			assert.Contains(t, strings.Fields(flags), "nh")
		}
	}
	assert.True(t, found)
}

func TestNoAddressesLeftIsAnError(t *testing.T) {
	a := supported(t)
	size, _, _ := process(t)
	limit(t, syscall.RLIMIT_AS, size+gib)
	_, err := a.New(page, 2*gib)
	require.ErrorIs(t, err, linear.ErrMemory)
	require.ErrorIs(t, err, syscall.ENOMEM)
	require.ErrorContains(t, err, "2147483648")
	require.NoError(t, made(t, a, page, 64*mib).Close(), "a smaller one fits")
	requireAllUnmapped(t, a)
}

// What strict overcommit does, too: the addresses are there, the memory is not.
func TestNoMemoryLeftIsAnErrorOrARefusedGrowth(t *testing.T) {
	a := supported(t)
	before, _, data := process(t)
	limit(t, syscall.RLIMIT_DATA, data+gib)
	_, err := a.New(2*gib, 64*gib)
	require.ErrorIs(t, err, linear.ErrMemory)
	require.ErrorIs(t, err, syscall.ENOMEM)
	after, _, _ := process(t)
	require.Less(t, after, before+gib, "the addresses were given back")

	m := made(t, a, page, 64*gib)
	assert.Nil(t, m.Reallocate(2*gib))
	assert.Len(t, m.Bytes(), page)
	assert.NotNil(t, m.Reallocate(64*mib))
	m.Bytes()[64*mib-1] = 1
	require.NoError(t, m.Close())
	requireAllUnmapped(t, a)
}
