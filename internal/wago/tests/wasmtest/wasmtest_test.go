package wasmtest_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"pgregory.net/rapid"

	w "github.com/wago-org/wago/tests/wasmtest"
)

func TestNumbers(t *testing.T) {
	for _, row := range []struct {
		want string
		got  []byte
	}{
		{"\x00", w.ULEB(0)},
		{"\x7f", w.ULEB(127)},
		{"\x80\x01", w.ULEB(128)},
		{"\xe5\x8e\x26", w.ULEB(624485)},
		{"\xff\xff\xff\xff\x0f", w.ULEB(math.MaxUint32)},
		{"\x3f", w.SLEB32(63)},
		{"\xc0\x00", w.SLEB32(64)},
		{"\x7f", w.SLEB32(-1)},
		{"\x40", w.SLEB32(-64)},
		{"\xbf\x7f", w.SLEB32(-65)},
		{"\xc0\xbb\x78", w.SLEB32(-123456)},
		{"\x80\x80\x80\x80\x78", w.SLEB32(math.MinInt32)},
		{"\xff\xff\xff\xff\x07", w.SLEB32(math.MaxInt32)},
		{"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", w.SLEB64(math.MinInt64)},
	} {
		require.Equal(t, []byte(row.want), row.got)
	}
}

func TestUnsignedNumbersReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Uint32().Draw(t, "value")
		got, n := binary.Uvarint(w.ULEB(value))
		require.Equal(t, uint64(value), got)
		require.Len(t, w.ULEB(value), n)
	})
}

// run gives a module to a real engine.
func run(t *testing.T, wasm []byte) (wazero.CompiledModule, api.Module) {
	runtime := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() { require.NoError(t, runtime.Close(t.Context())) })
	_, err := runtime.NewHostModuleBuilder("env").
		NewFunctionBuilder().WithFunc(func(a, b uint32) uint32 { return a + b }).Export("add").
		Instantiate(t.Context())
	require.NoError(t, err)
	compiled, err := runtime.CompileModule(t.Context(), wasm)
	require.NoError(t, err)
	module, err := runtime.InstantiateModule(t.Context(), compiled, wazero.NewModuleConfig())
	require.NoError(t, err)
	return compiled, module
}

func TestTheEmptyModule(t *testing.T) {
	require.Equal(t, []byte("\x00asm\x01\x00\x00\x00"), w.Module())
	run(t, w.Module())
}

// constants exports two functions that return one number each.
func constants(a int32, b int64) []byte {
	return w.Module(
		w.Section(w.SectionType, w.Vec(w.FuncType(nil, []byte{w.I32}), w.FuncType(nil, []byte{w.I64}))),
		w.Section(w.SectionFunction, w.Vec(w.ULEB(0), w.ULEB(1))),
		w.Section(w.SectionExport, w.Vec(w.ExportEntry("a", w.KindFunc, 0), w.ExportEntry("b", w.KindFunc, 1))),
		w.Section(w.SectionCode, w.Vec(
			w.Code(slices.Concat([]byte{0x41}, w.SLEB32(a), []byte{w.End})), // i32.const
			w.Code(slices.Concat([]byte{0x42}, w.SLEB64(b), []byte{w.End})), // i64.const
		)),
	)
}

func TestConstantsAreWhatTheEngineReads(t *testing.T) {
	numbers := []int64{0, 1, -1, 63, 64, -64, -65, 8191, 8192, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64}
	for _, number := range numbers {
		_, module := run(t, constants(int32(number), number))
		results, err := module.ExportedFunction("a").Call(t.Context())
		require.NoError(t, err)
		require.Equal(t, int32(number), api.DecodeI32(results[0]))
		results, err = module.ExportedFunction("b").Call(t.Context())
		require.NoError(t, err)
		require.Equal(t, number, int64(results[0]))
	}
}

func TestImportsGlobalsAndNames(t *testing.T) {
	two := []byte{w.I32, w.I32}
	wasm := w.Module(
		w.Section(w.SectionType, w.Vec(w.FuncType(two, []byte{w.I32}))),
		w.Section(w.SectionImport, w.Vec(w.FuncImportEntry("env", "add", 0))),
		w.Section(w.SectionFunction, w.Vec(w.ULEB(0))),
		w.Section(w.SectionGlobal, w.Vec(
			w.GlobalEntry(w.I32, false, []byte{0x41, 7, w.End}),
			w.GlobalEntry(w.I64, true, []byte{0x42, 9, w.End}),
		)),
		w.Section(w.SectionExport, w.Vec(
			w.ExportEntry("sum", w.KindFunc, 1),
			w.ExportEntry("constant", w.KindGlobal, 0),
			w.ExportEntry("variable", w.KindGlobal, 1),
		)),
		// local.get 0, local.get 1, call 0
		w.Section(w.SectionCode, w.Vec(w.Code([]byte{0x20, 0, 0x20, 1, 0x10, 0, w.End}))),
		w.NameSection(w.ModuleName("guest"), w.FuncNames(w.NameEntry(0, "host_add"), w.NameEntry(1, "sum"))),
	)
	compiled, module := run(t, wasm)
	require.Equal(t, "guest", compiled.Name())
	require.Equal(t, "host_add", compiled.ImportedFunctions()[0].Name())
	require.Equal(t, "sum", compiled.ExportedFunctions()["sum"].Name())

	results, err := module.ExportedFunction("sum").Call(t.Context(), 2, 3)
	require.NoError(t, err)
	require.Equal(t, []uint64{5}, results)

	require.Equal(t, uint64(7), module.ExportedGlobal("constant").Get())
	require.NotImplements(t, (*api.MutableGlobal)(nil), module.ExportedGlobal("constant"))
	require.Equal(t, uint64(9), module.ExportedGlobal("variable").Get())
	require.Implements(t, (*api.MutableGlobal)(nil), module.ExportedGlobal("variable"))
}

// One module exports the globals that the other one imports.
func TestGlobalImports(t *testing.T) {
	runtime := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() { require.NoError(t, runtime.Close(t.Context())) })
	_, err := runtime.InstantiateWithConfig(t.Context(), w.Module(
		w.Section(w.SectionGlobal, w.Vec(
			w.GlobalEntry(w.I32, false, []byte{0x41, 7, w.End}),
			w.GlobalEntry(w.I64, true, []byte{0x42, 9, w.End}),
		)),
		w.Section(w.SectionExport, w.Vec(
			w.ExportEntry("constant", w.KindGlobal, 0),
			w.ExportEntry("variable", w.KindGlobal, 1),
		)),
	), wazero.NewModuleConfig().WithName("env"))
	require.NoError(t, err)

	importer := func(constant, variable bool) error {
		_, err := runtime.InstantiateWithConfig(t.Context(), w.Module(
			w.Section(w.SectionImport, w.Vec(
				w.GlobalImportEntry("env", "constant", w.I32, constant),
				w.GlobalImportEntry("env", "variable", w.I64, variable),
			)),
		), wazero.NewModuleConfig().WithName(""))
		return err
	}
	require.NoError(t, importer(false, true))
	require.Error(t, importer(true, true), "a constant imported as a variable")
	require.Error(t, importer(false, false), "a variable imported as a constant")
}

func TestResultsShareNoMemory(t *testing.T) {
	body := make([]byte, 1, 64)
	body[0] = w.End
	first := w.Code(body)
	second := w.Code(body)
	first[0] = 0xff
	require.Equal(t, []byte{2, 0, w.End}, second)
	require.Equal(t, []byte{w.End}, body)
}
