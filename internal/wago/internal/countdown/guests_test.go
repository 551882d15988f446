package countdown_test

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental/table"
	"github.com/wago-org/wago/internal/countdown"
)

// committed are the guests of the whole project, which are there in its own
// checkout only.
const committed = "../../../../testdata/guests"

func committedGuests(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(committed, "*.wasm"))
	require.NoError(t, err)
	if len(paths) == 0 {
		t.Skipf("no guests in %s", committed)
	}
	guests := make(map[string][]byte)
	for _, path := range paths {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		guests[filepath.Base(path)] = b
	}
	return guests
}

// feeder is the host of the committed guests: it feeds records to one and writes
// down what it does.
type feeder struct {
	guest
	entry   uint32
	records []string
	current string
	log     strings.Builder
}

var errLeft = errors.New("the guest exited")

func newFeeder(records ...string) *feeder {
	f := &feeder{records: records}
	note := func(what string) api.GoModuleFunc {
		return func(_ context.Context, mod api.Module, stack []uint64) {
			b, _ := mod.Memory().Read(uint32(stack[0]), uint32(stack[1]))
			head := b[:min(len(b), 100)] // the rest, which can be megabytes, by its hash
			fmt.Fprintf(&f.log, "%s %q and all %d bytes %x\n", what, head, len(b), maphash.Bytes(seed, b))
		}
	}
	exit := func(context.Context, api.Module, []uint64) { panic(errLeft) }
	f.hosts = map[string]api.GoModuleFunc{
		"pool.serve":                       func(_ context.Context, _ api.Module, stack []uint64) { f.entry = uint32(stack[0]) },
		"pool.next":                        f.next,
		"pool.read":                        f.read,
		"pool.tag":                         func(_ context.Context, _ api.Module, stack []uint64) { stack[0] = uint64(len(f.records)) },
		"pool.reply":                       note("reply"),
		"pool.fail":                        note("fail"),
		"pool.log":                         note("log"),
		"env.abort":                        exit,
		"wasi_snapshot_preview1.proc_exit": exit,
	}
	return f
}

func (f *feeder) next(_ context.Context, mod api.Module, stack []uint64) {
	if len(f.records) == 0 {
		stack[0] = 0xffffffff
		return
	}
	f.current, f.records = f.records[0], f.records[1:]
	at, room := uint32(stack[0]), uint32(stack[1])
	mod.Memory().Write(at, []byte(f.current[:min(int(room), len(f.current))]))
	stack[0] = uint64(len(f.current))
}

func (f *feeder) read(_ context.Context, mod api.Module, stack []uint64) {
	off, at, room := int(uint32(stack[0])), uint32(stack[1]), int(uint32(stack[2]))
	part := f.current[min(off, len(f.current)):]
	part = part[:min(room, len(part))]
	mod.Memory().Write(at, []byte(part))
	stack[0] = uint64(len(part))
}

// run runs the guest over all the records.
func (f *feeder) run(t tb, w way, binary []byte) {
	require.NoError(t, f.open(t, w, binary))
	if _, err := f.call("_start"); err != nil {
		fmt.Fprintln(&f.log, "start:", firstLine(err))
		return
	}
	_, err := table.LookupFunction(f.mod, 0, f.entry, nil, nil).Call(context.Background())
	fmt.Fprintln(&f.log, "entry:", firstLine(err))
}

func TestCommittedGuestsDoTheSame(t *testing.T) {
	records := []string{
		"hello world", "", `{"a":1,"b":{"c":[1,2,{"d":null}]}}`, strings.Repeat("Word word, ", 30_000),
		"exit", "trap", "not json", "fail", strings.Repeat("x", 1024),
	}
	for name, binary := range committedGuests(t) {
		t.Run(name, func(t *testing.T) {
			for n := range records {
				left := newFeeder(records[n:]...)
				left.run(t, plain, binary)
				for _, w := range []way{counted, every(1)} {
					counting := newFeeder(records[n:]...)
					counting.run(t, w, binary)
					require.Equal(t, left.log.String(), counting.log.String())
					require.Equal(t, left.records, counting.records)
					require.Equal(t, stateOf(&left.guest, outline(t, binary)), stateOf(&counting.guest, outline(t, binary)))
					require.True(t, w.every == countdown.Full || counting.exits > 0)
				}
				if testing.Short() {
					break
				}
			}
		})
	}
}
