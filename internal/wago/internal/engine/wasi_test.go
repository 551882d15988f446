package engine_test

import (
	"bytes"
	"context"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

// wasiGuest is an instance of the wasi guest.
func wasiGuest(t *testing.T, cfg *engine.WASIConfig, host engine.Host) *engine.Instance {
	t.Helper()
	return wasiGuestOf(t, newEngine(t, engine.Config{}), cfg, host)
}

func wasiGuestOf(t *testing.T, e *engine.Engine, cfg *engine.WASIConfig, host engine.Host) *engine.Instance {
	t.Helper()
	require.NoError(t, e.EnableWASI())
	require.NoError(t, e.EnableWASI(), "again")
	return instantiate(t, e, compile(t, e, "wasi"), engine.Bindings{Host: host, WASI: cfg})
}

func call(t *testing.T, i *engine.Instance, export string, args ...uint64) uint64 {
	t.Helper()
	got, err := i.Call(t.Context(), export, args)
	require.NoError(t, err)
	return got[0]
}

// list reads what args and environ leave in memory.
func list(t *testing.T, i *engine.Instance, export string) []string {
	t.Helper()
	require.Zero(t, call(t, i, export))
	if i.Memory()[0] == 0 {
		return nil
	}
	all, _ := i.Read(256, uint32(i.Memory()[4]))
	return strings.Split(strings.TrimSuffix(string(all), "\x00"), "\x00")
}

func TestByDefaultAGuestSeesNothingOfItsSurroundings(t *testing.T) {
	for _, cfg := range []*engine.WASIConfig{nil, {}} {
		i := wasiGuest(t, cfg, silent)
		require.Equal(t, []string{"guest"}, list(t, i, "args"))
		require.Empty(t, list(t, i, "environ"))
		require.Zero(t, call(t, i, "read", 0, 10), "standard input is empty")
		require.Zero(t, call(t, i, "write", 1, 10), "output is accepted and thrown away")
		require.True(t, i.Write(256, []byte("f")))
		require.NotZero(t, call(t, i, "open", 1), "no file")
	}
}

func TestAGuestSeesWhatItsConfigurationGives(t *testing.T) {
	var stdout, stderr bytes.Buffer
	i := wasiGuest(t, &engine.WASIConfig{
		Stdin: strings.NewReader("input"), Stdout: &stdout, Stderr: &stderr,
		Args: []string{"prog", "-x"}, Env: []string{"A=1", "B=x=y", "C="},
		FS: fstest.MapFS{"f": {Data: []byte("content")}},
	}, silent)
	require.Equal(t, []string{"prog", "-x"}, list(t, i, "args"))
	require.Equal(t, []string{"A=1", "B=x=y", "C="}, list(t, i, "environ"))
	require.EqualValues(t, 5, call(t, i, "read", 0, 10))
	got, _ := i.Read(256, 5)
	require.Equal(t, "input", string(got))
	require.Zero(t, call(t, i, "write", 1, 5))
	require.Equal(t, "input", stdout.String())
	require.Zero(t, call(t, i, "write", 2, 2))
	require.Equal(t, "in", stderr.String())

	require.True(t, i.Write(256, []byte("f")))
	require.Zero(t, call(t, i, "open", 1))
	require.EqualValues(t, 7, call(t, i, "read", uint64(i.Memory()[8]), 10))
	got, _ = i.Read(256, 7)
	require.Equal(t, "content", string(got))
}

func TestMalformedEnvironmentIsRefused(t *testing.T) {
	e := newEngine(t, engine.Config{})
	require.NoError(t, e.EnableWASI())
	m := compile(t, e, "wasi")
	for _, entry := range []string{"A", "=1", "A=\x00"} {
		_, err := e.Instantiate(t.Context(), m, engine.Bindings{
			Host: silent, WASI: &engine.WASIConfig{Env: []string{entry}},
		})
		require.ErrorIs(t, err, engine.ErrLink)
	}
}

func TestProcExitIsAnExitErrorWithTheGuestsCode(t *testing.T) {
	for _, code := range []uint32{0, 1, 255, 0xffffffff, 0xefffffff} {
		i := wasiGuest(t, nil, silent)
		_, err := i.Call(t.Context(), "exit", []uint64{uint64(code)})
		require.Equal(t, &engine.ExitError{Code: int32(code)}, err)
		_, err = i.Call(t.Context(), "random", nil)
		var ended *engine.EndedError
		require.ErrorAs(t, err, &ended)
		require.Equal(t, engine.EndExited, ended.Reason)
		require.False(t, errorAs[*engine.ExitError](err))
	}
}

// wazero may see the end of the context before the guest exits, or after: either
// is true, but never one in the other's words.
func TestAnExitAndACancellationAreNeverTakenForEachOther(t *testing.T) {
	exits := 0
	for range 50 {
		ctx, cancel := context.WithCancel(context.Background())
		i := wasiGuest(t, nil, hostFunc(func(*engine.Instance, int, []uint64, []uint64) { cancel() }))
		_, err := i.Call(ctx, "call_then_exit", []uint64{0xffffffff})
		if errorAs[*engine.ExitError](err) {
			require.Equal(t, &engine.ExitError{Code: -1}, err)
			exits++
			continue
		}
		wantInterrupted(t, ctx, err)
	}
	t.Logf("%d exits of 50", exits)
}

func TestSleepTakesRealTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := wasiGuest(t, nil, silent)
		before := time.Now()
		mono := call(t, i, "clock", 1)
		require.Zero(t, call(t, i, "sleep", uint64(time.Hour)))
		require.Equal(t, time.Hour, time.Since(before))
		require.EqualValues(t, time.Hour, call(t, i, "clock", 1)-mono)
		require.EqualValues(t, time.Now().UnixNano(), call(t, i, "clock", 0))
	})
}

func TestSleepEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := wasiGuest(t, nil, silent)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err := i.Call(ctx, "sleep", []uint64{uint64(time.Hour)})
		wantInterrupted(t, ctx, err)
	})
}

func TestRandomNumbersDifferBetweenForks(t *testing.T) {
	e := newEngine(t, engine.Config{})
	require.NoError(t, e.EnableWASI())
	m := compile(t, e, "wasi")
	seen := make(map[uint64]bool)
	for range 3 {
		seen[call(t, instantiate(t, e, m, engine.Bindings{Host: silent}), "random")] = true
	}
	require.Len(t, seen, 3)
}

func TestWithoutWASIItsImportsGoToTheHost(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m := compile(t, e, "wasi")
	require.False(t, m.Imports()[0].WASI)
	host := &recorder{}
	i := instantiate(t, e, m, engine.Bindings{Host: host})
	_, err := i.Call(t.Context(), "exit", []uint64{3})
	require.NoError(t, err)
	require.Equal(t, []uint64{3}, host.params)
	require.Zero(t, host.fn)

	require.NoError(t, e.EnableWASI())
	require.True(t, compile(t, e, "wasi").Imports()[0].WASI)
	again := instantiate(t, e, m, engine.Bindings{Host: host})
	_, err = again.Call(t.Context(), "exit", []uint64{4})
	require.NoError(t, err, "modules compiled before keep their binding")
}

func TestFunctionIndicesCountWASIsImportsToo(t *testing.T) {
	host := &recorder{}
	i := wasiGuest(t, nil, host)
	_, err := i.Call(t.Context(), "call_then_exit", []uint64{1})
	require.Error(t, err)
	require.Equal(t, 11, host.fn)
}

// closingFS counts the files that are open.
type closingFS struct {
	fs   fs.FS
	open *int
}

type closingFile struct {
	fs.File
	open   *int
	closed bool
}

func (f closingFS) Open(name string) (fs.File, error) {
	file, err := f.fs.Open(name)
	if err != nil {
		return nil, err
	}
	*f.open++
	return &closingFile{File: file, open: f.open}, nil
}

func (f *closingFile) Close() error {
	if !f.closed {
		f.closed = true
		*f.open--
	}
	return f.File.Close()
}

func TestFilesAreClosedWhateverEndsTheInstance(t *testing.T) {
	counting := func(t *testing.T) *engine.Engine { return newEngine(t, engine.Config{}) }
	watching := func(t *testing.T) *engine.Engine { return newWatchingEngine(t) }
	for _, tc := range []struct {
		name   string
		engine func(t *testing.T) *engine.Engine
		end    func(i *engine.Instance, ctx context.Context) error
	}{
		{"Close", counting, func(*engine.Instance, context.Context) error { return nil }},
		{"exit", counting, func(i *engine.Instance, ctx context.Context) error {
			_, err := i.Call(ctx, "exit", []uint64{0})
			return err
		}},
		{"a host function that aborts in a cancelled call", counting, func(i *engine.Instance, ctx context.Context) error {
			_, err := i.Call(ctx, "call_then_exit", []uint64{0})
			return err
		}},
		{"the same once wazero's watcher has closed the module under the call", watching, func(i *engine.Instance, ctx context.Context) error {
			_, err := i.Call(ctx, "call_then_exit", []uint64{0})
			return err
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			open := 0
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			i := wasiGuestOf(t, tc.engine(t), &engine.WASIConfig{FS: closingFS{fstest.MapFS{"f": {}}, &open}},
				hostFunc(func(inst *engine.Instance, _ int, _, _ []uint64) {
					cancel()
					if inst.Module().Interruption() == engine.InterruptWatched {
						require.Eventually(t, inst.WazeroClosed, time.Second, time.Microsecond)
					}
					panic(engine.HostTrap{})
				}))
			require.True(t, i.Write(256, []byte("f")))
			require.Zero(t, call(t, i, "open", 1))
			require.Positive(t, open)
			_ = tc.end(i, ctx)
			require.NoError(t, i.Close())
			require.Zero(t, open)
		})
	}
}

func TestFilesOfAStartSectionThatFailsAreClosed(t *testing.T) {
	e := newEngine(t, engine.Config{})
	require.NoError(t, e.EnableWASI())
	opened := 0
	_, err := e.Instantiate(t.Context(), compile(t, e, "wasi_start"), engine.Bindings{
		WASI: &engine.WASIConfig{FS: closingFS{fstest.MapFS{"f": {}}, &opened}},
	})
	require.True(t, errorAs[*engine.TrapError](err), "it opened the file, or it would have returned")
	require.Zero(t, opened)
}
