package engine_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

// module is a binary of the given sections.
func module(sections ...[]byte) []byte {
	return slices.Concat([]byte(binfmt.Header), slices.Concat(sections...))
}

func imported(mod, name string, desc ...byte) []byte {
	return slices.Concat(binfmt.Name(mod), binfmt.Name(name), desc)
}

func functionType(params, results []byte) []byte {
	return binfmt.FuncType{Params: params, Results: results}.Encode()
}

func types(t ...[]byte) []byte   { return binfmt.Section(1, t...) }
func imports(i ...[]byte) []byte { return binfmt.Section(2, i...) }
func tables(t ...[]byte) []byte  { return binfmt.Section(4, t...) }

func TestWhatTheEngineCanNotDoIsRefusedAtCompile(t *testing.T) {
	many := func(n int) []byte { return slices.Repeat([]byte{binfmt.I64}, n) }
	for _, tc := range []struct {
		name   string
		binary []byte
		want   error
	}{
		{"imported memory", module(imports(imported("m", "n", 2, 0, 1))), engine.ErrUnsupported},
		{"imported table", module(imports(imported("m", "n", 1, binfmt.FuncRef, 0, 1))), engine.ErrUnsupported},
		{"imported tag", module(types(functionType(nil, nil)), imports(imported("m", "n", 4, 0, 0))), engine.ErrUnsupported},
		{"a tag of its own", module(types(functionType(nil, nil)), binfmt.Section(13, []byte{0, 0})), engine.ErrUnsupported},
		{"imported mutable global", module(imports(imported("m", "n", 3, binfmt.I32, 1))), engine.ErrUnsupported},
		{"imported funcref global", module(imports(imported("m", "n", 3, binfmt.FuncRef, 0))), engine.ErrUnsupported},
		{"imported externref global", module(imports(imported("m", "n", 3, binfmt.ExternRef, 0))), engine.ErrUnsupported},
		{"imported v128 global", module(imports(imported("m", "n", 3, binfmt.V128, 0))), engine.ErrUnsupported},
		{"externref parameter", module(types(functionType([]byte{binfmt.ExternRef}, nil)), imports(imported("m", "n", 0, 0))), engine.ErrUnsupported},
		{"funcref result", module(types(functionType(nil, []byte{binfmt.FuncRef})), imports(imported("m", "n", 0, 0))), engine.ErrUnsupported},
		{"one name, two types", module(types(functionType(nil, nil), functionType([]byte{binfmt.I32}, nil)),
			imports(imported("m", "n", 0, 0), imported("m", "n", 0, 1))), engine.ErrUnsupported},
		{"one name, function and global", module(types(functionType(nil, nil)),
			imports(imported("m", "n", 0, 0), imported("m", "n", 3, binfmt.I32, 0))), engine.ErrUnsupported},
		{"shared memory", module(binfmt.Section(5, []byte{3, 1, 1})), engine.ErrUnsupported},
		{"unknown WASI function", module(types(functionType(nil, nil)),
			imports(imported("wasi_snapshot_preview1", "fly", 0, 0))), engine.ErrUnsupported},
		{"WASI function of another type", module(types(functionType(nil, nil)),
			imports(imported("wasi_snapshot_preview1", "proc_exit", 0, 0))), engine.ErrUnsupported},
		{"WASI global", module(imports(imported("wasi_snapshot_preview1", "g", 3, binfmt.I32, 0))), engine.ErrUnsupported},
		{"seventeen parameters", module(types(functionType(many(17), nil)), imports(imported("m", "n", 0, 0))), engine.ErrLimit},
		{"seventeen results", module(types(functionType(nil, many(17))), imports(imported("m", "n", 0, 0))), engine.ErrLimit},
		{"nine vectors", module(types(functionType(slices.Repeat([]byte{binfmt.V128}, 9), nil)), imports(imported("m", "n", 0, 0))), engine.ErrLimit},
		{"too many table entries", module(tables(table(1<<19+1), table(1<<19))), engine.ErrLimit},
		{"not a module", []byte("hello"), engine.ErrInvalidModule},
		{"nothing", nil, engine.ErrInvalidModule},
		{"another version", []byte("\x00asm\x02\x00\x00\x00"), engine.ErrInvalidModule},
		{"cut off", wasm(t, "host")[:100], engine.ErrInvalidModule},
		{"two memories", module(binfmt.Section(5, []byte{0, 1}, []byte{0, 1})), engine.ErrInvalidModule},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEngine(t, engine.Config{})
			require.NoError(t, e.EnableWASI())
			m, err := e.Compile(t.Context(), tc.binary)
			require.Nil(t, m)
			require.ErrorIs(t, err, tc.want)
		})
	}
}

func table(minimum uint32) []byte {
	return binfmt.TableType{Elem: binfmt.FuncRef, Limits: binfmt.Limits{Min: minimum}}.Encode()
}

func TestSixteenSlotsEachWayAreEnough(t *testing.T) {
	e := newEngine(t, engine.Config{})
	sixteen := slices.Repeat([]byte{binfmt.V128}, 8)
	m, err := e.Compile(t.Context(), module(types(functionType(sixteen, sixteen)), imports(imported("m", "n", 0, 0))))
	require.NoError(t, err)
	require.NoError(t, m.Close())
}

func TestTooManySlotsNameTheImport(t *testing.T) {
	e := newEngine(t, engine.Config{})
	_, err := e.Compile(t.Context(), module(
		types(functionType(slices.Repeat([]byte{binfmt.I64}, 20), nil)), imports(imported("mod", "fn", 0, 0))))
	var limit *engine.LimitError
	require.ErrorAs(t, err, &limit)
	require.EqualValues(t, 20, limit.Wanted)
	require.EqualValues(t, engine.MaxHostSlots, limit.Limit)
	require.ErrorContains(t, err, `"mod"."fn"`)
}

func TestATableCanNotGrowBeyondItsShare(t *testing.T) {
	e := newEngine(t, engine.Config{})
	// (table 1 funcref) and a function that grows it by its parameter.
	m, err := e.Compile(t.Context(), module(
		types(functionType([]byte{binfmt.I32}, []byte{binfmt.I32})),
		binfmt.Section(3, []byte{0}),
		tables(table(1)),
		binfmt.Section(7, slices.Concat(binfmt.Name("grow"), []byte{0, 0})),
		binfmt.Section(10, []byte{9, 0, 0xd0, binfmt.FuncRef, 0x20, 0, 0xfc, 15, 0, 0x0b}),
	))
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	require.Equal(t, []engine.TableInfo{{Type: engine.ValFuncRef, Min: 1}}, m.Tables(), "as declared")
	i := instantiate(t, e, m, engine.Bindings{})
	require.EqualValues(t, refused, call(t, i, "grow", engine.MaxTableEntries))
	require.EqualValues(t, 1, call(t, i, "grow", engine.MaxTableEntries-1))
	require.EqualValues(t, refused, call(t, i, "grow", 1))
}
