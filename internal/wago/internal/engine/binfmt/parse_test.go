package binfmt_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

func guests(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../testdata/*.wasm")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	binaries := make(map[string][]byte)
	for _, path := range paths {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		binaries[filepath.Base(path)] = b
	}
	return binaries
}

func TestOutlineOfARealModule(t *testing.T) {
	o, err := binfmt.Parse(guests(t)["globals.wasm"])
	require.NoError(t, err)
	require.Len(t, o.Imports, 5)
	require.Equal(t, binfmt.Import{
		Module: "math", Name: "pi", Kind: binfmt.Global, Global: binfmt.GlobalType{Type: binfmt.F64},
	}, o.Imports[3])
	require.Len(t, o.Funcs, 6, "an imported one and five of its own")
	require.Len(t, o.Globals, 4)
	require.Equal(t, []binfmt.Limits{{Min: 1}}, o.Memories)
	require.Equal(t, binfmt.Export{Name: "exported", Kind: binfmt.Global, Index: 1}, o.Exports[6])
	require.False(t, o.HasStart)
}

func TestEveryGuestIsReadAndACutOneIsOnlyBetweenSections(t *testing.T) {
	for name, binary := range guests(t) {
		_, err := binfmt.Parse(binary)
		require.NoError(t, err, name)
		whole := 0
		for n := range binary {
			_, err := binfmt.Parse(binary[:n])
			if err == nil {
				whole++ // cut between two sections
				continue
			}
			require.ErrorIs(t, err, binfmt.ErrMalformed)
		}
		require.LessOrEqual(t, whole, 13, name)
	}
}

// A count that isn't true makes a compiler reserve memory for it first.
func TestCountsThatAreNotTrueAreMalformed(t *testing.T) {
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0x0f}
	section := func(id byte, body ...[]byte) []byte {
		b := slices.Concat(body...)
		return slices.Concat([]byte(binfmt.Header), []byte{id}, binfmt.ULEB(uint64(len(b))), b)
	}
	name := binfmt.Name("name")
	for _, tc := range []struct {
		name   string
		binary []byte
	}{
		{"types", section(1, huge)},
		{"parameters", section(1, []byte{1, 0x60}, huge)},
		{"imports", section(2, huge)},
		{"functions", section(3, huge)},
		{"tables", section(4, huge)},
		{"memories", section(5, huge)},
		{"globals", section(6, huge)},
		{"exports", section(7, huge)},
		{"element segments", section(9, huge)},
		{"elements", section(9, []byte{1, 0, 0x41, 0, 0x0b}, huge)},
		{"element expressions", section(9, []byte{1, 5, 0x70}, huge)},
		{"bodies", section(10, huge)},
		{"a body's length", section(10, []byte{1}, huge)},
		{"groups of locals", section(10, []byte{1, 6}, huge, []byte{0x0b})},
		{"locals", section(10, []byte{1, 8, 1}, huge, []byte{0x7f, 0x0b})},
		{"locals, together", section(10, []byte{1, 10, 2}, binfmt.ULEB(30_000), []byte{0x7f}, binfmt.ULEB(30_000), []byte{0x7e, 0x0b})},
		{"data segments", section(11, huge)},
		{"a data segment's length", section(11, []byte{1, 1}, huge)},
		{"function names", section(0, name, []byte{1, 5}, huge)},
		{"functions with local names", section(0, name, []byte{2, 5}, huge)},
		{"local names", section(0, name, []byte{2, 7, 1, 0}, huge)},
		{"a subsection's length", section(0, name, []byte{1}, huge)},
		{"a subsection that is too long", section(0, name, []byte{1, 2, 0, 0})},
		{"a section's length", slices.Concat([]byte(binfmt.Header), []byte{1}, huge)},
		{"a section that is too long", section(3, []byte{0, 0})},
		{"a repeated section", slices.Concat(section(1, []byte{0}), []byte{1, 1, 0})},
		{"an unknown section", section(14, []byte{0})},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := binfmt.Parse(tc.binary)
			require.ErrorIs(t, err, binfmt.ErrMalformed)
		})
	}
}

func TestSegmentsOfEveryForm(t *testing.T) {
	offset := []byte{0x41, 0, 0x0b}
	null := []byte{0xd0, 0x70, 0x0b}
	elements := [][]byte{
		slices.Concat([]byte{0}, offset, []byte{2, 0, 1}),
		{1, 0, 2, 0, 1},
		slices.Concat([]byte{2, 0}, offset, []byte{0, 1, 0}),
		{3, 0, 1, 0},
		slices.Concat([]byte{4}, offset, []byte{1}, null),
		slices.Concat([]byte{5, 0x70, 2}, null, null),
		slices.Concat([]byte{6, 0}, offset, []byte{0x70, 1}, null),
		slices.Concat([]byte{7, 0x70, 1}, null),
	}
	data := [][]byte{
		slices.Concat([]byte{0}, offset, []byte{1, 'x'}),
		{1, 2, 'x', 'y'},
		slices.Concat([]byte{2, 0}, offset, []byte{0}),
	}
	_, err := binfmt.Parse(slices.Concat([]byte(binfmt.Header),
		binfmt.Section(9, elements...), binfmt.Section(11, data...)))
	require.NoError(t, err)
	for _, bad := range [][]byte{binfmt.Section(9, []byte{8, 0}), binfmt.Section(11, []byte{3, 0})} {
		_, err := binfmt.Parse(slices.Concat([]byte(binfmt.Header), bad))
		require.ErrorIs(t, err, binfmt.ErrMalformed)
	}
}

func TestWithTablesChangesNothingElse(t *testing.T) {
	binary := guests(t)["table.wasm"]
	before, err := binfmt.Parse(binary)
	require.NoError(t, err)
	tables := slices.Clone(before.Tables)
	tables[0].Limits = binfmt.Limits{Min: 8, Max: 1 << 20, HasMax: true}
	changed := before.WithTables(binary, tables)
	after, err := binfmt.Parse(changed)
	require.NoError(t, err)
	require.Equal(t, tables, after.Tables)
	require.Equal(t, before.Exports, after.Exports)

	restored := after.WithTables(changed, before.Tables)
	require.Equal(t, binary, restored)
	o, err := binfmt.Parse(guests(t)["memory.wasm"])
	require.NoError(t, err)
	require.Equal(t, guests(t)["memory.wasm"], o.WithTables(guests(t)["memory.wasm"], nil))
}

// FuzzParse looks for bytes that make Parse panic, or read what isn't there; and
// for tables that can't be written as they were read, or not without a change of
// something else.
func FuzzParse(f *testing.F) {
	for _, binary := range guests(f) {
		f.Add(binary)
	}
	for _, table := range [][]byte{{binfmt.FuncRef, 2, 1}, {binfmt.FuncRef, 3, 1, 2}} {
		f.Add(slices.Concat([]byte(binfmt.Header), binfmt.Section(binfmt.SectionTable, table)))
	}
	f.Fuzz(func(t *testing.T, binary []byte) {
		o, err := binfmt.Parse(binary)
		if err != nil {
			require.ErrorIs(t, err, binfmt.ErrMalformed)
			return
		}
		if slices.ContainsFunc(o.Imports, func(i binfmt.Import) bool { return i.Kind == binfmt.Table }) {
			return // WithTables is about a module's own
		}
		again, err := binfmt.Parse(o.WithTables(binary, o.Tables))
		require.NoError(t, err)
		require.Equal(t, o.Tables, again.Tables)
		require.Equal(t, o.Types, again.Types)
		require.Equal(t, o.Funcs, again.Funcs)
		require.Equal(t, o.Memories, again.Memories)
		require.Equal(t, o.Globals, again.Globals)
		require.Equal(t, o.Exports, again.Exports)
	})
}

func TestTypesAreReadAsTheyAreWritten(t *testing.T) {
	f := binfmt.FuncType{Params: []byte{binfmt.I32, binfmt.V128}, Results: []byte{binfmt.ExternRef}}
	o, err := binfmt.Parse(slices.Concat([]byte(binfmt.Header),
		binfmt.Section(1, f.Encode()),
		binfmt.Section(2,
			slices.Concat(binfmt.Name("m"), binfmt.Name("f"), []byte{0, 0}),
			slices.Concat(binfmt.Name("m"), binfmt.Name("t"), []byte{1, binfmt.ExternRef, 1, 2, 3}),
			slices.Concat(binfmt.Name("m"), binfmt.Name("mem"), []byte{2, 0, 4}),
			slices.Concat(binfmt.Name("m"), binfmt.Name("g"), []byte{3, binfmt.F64, 1}),
			slices.Concat(binfmt.Name("m"), binfmt.Name("tag"), []byte{4, 0, 0})),
		binfmt.Section(6,
			slices.Concat([]byte{binfmt.F32, 0, 0x43}, make([]byte, 4), []byte{0x0b}),
			slices.Concat([]byte{binfmt.F64, 0, 0x44}, make([]byte, 8), []byte{0x0b}),
			slices.Concat([]byte{binfmt.V128, 1, 0xfd, 12}, make([]byte, 16), []byte{0x0b}))))
	require.NoError(t, err)
	require.Equal(t, []binfmt.FuncType{f}, o.Funcs)
	table := binfmt.TableType{Elem: binfmt.ExternRef, Limits: binfmt.Limits{Min: 2, Max: 3, HasMax: true}}
	require.Equal(t, []binfmt.TableType{table}, o.Tables)
	require.Equal(t, []binfmt.Limits{{Min: 4}}, o.Memories)
	require.Equal(t, []binfmt.GlobalType{
		{Type: binfmt.F64, Mutable: true}, {Type: binfmt.F32}, {Type: binfmt.F64}, {Type: binfmt.V128, Mutable: true},
	}, o.Globals)
	require.Equal(t, binfmt.Tag, o.Imports[4].Kind)
}
