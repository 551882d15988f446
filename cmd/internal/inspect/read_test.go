package inspect_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/cmd/internal/inspect"
)

const guests = "../../../testdata/guests/"

func read(t *testing.T, guest string) *inspect.Module {
	t.Helper()
	wasm, err := os.ReadFile(guests + guest + ".wasm")
	require.NoError(t, err)
	module, err := inspect.Read(wasm)
	require.NoError(t, err)
	return module
}

func TestReadTellsWhatTheModuleSays(t *testing.T) {
	m := read(t, "faulty")
	assert.Len(t, m.Imports, 7)
	assert.Equal(t, "pool.next", m.Imports[1].Key())
	assert.Equal(t, "(i32, i32) -> i32", m.Imports[1].Signature.String())
	assert.Equal(t, "env.abort", m.Imports[5].Key())
	assert.Equal(t, "(i32, i32, i32, i32)", m.Imports[5].Signature.String())
	start, ok := m.Export("_start")
	require.True(t, ok)
	assert.True(t, start.Signature.IsVoid())
	_, ok = m.Export("start")
	assert.False(t, ok)
	assert.Equal(t, &inspect.Limits{Min: 17}, m.Memory)
	assert.Equal(t, &inspect.Limits{Min: 1}, m.Table)
	assert.Equal(t, []inspect.Entry{{Index: 0}}, m.Entries)
	assert.False(t, m.HasStart)
	assert.False(t, m.Partial)
}

func TestReadFindsEntriesOfEveryToolchain(t *testing.T) {
	for guest, want := range map[string]uint64{"sha256": 1, "wordcount": 1, "jsonkeys": 1, "upper": 1, "echo": 0} {
		entries := read(t, guest).Entries
		require.NotEmpty(t, entries, guest)
		assert.Equal(t, want, entries[0].Index, guest)
	}
	assert.Empty(t, read(t, "refused/entry-type").Entries)
	assert.Len(t, read(t, "refused/entry-null").Entries, 1)
	assert.True(t, read(t, "refused/serve-in-start").HasStart)
	assert.Nil(t, read(t, "refused/no-table").Table)
}

// module writes a module of the sections, each a number and its content.
func module(sections ...string) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range sections {
		out = append(out, s[0], byte(len(s)-1))
		out = append(out, s[1:]...)
	}
	return out
}

// Two types, () and (i32) -> i32, and four functions: 0, 1 and 3 are () and 2 is not.
const (
	types     = "\x01\x02\x60\x00\x00\x60\x01\x7f\x01\x7f"
	functions = "\x03\x04\x00\x00\x01\x00"
	table     = "\x04\x01\x70\x00\x0a"
)

func TestReadUnderstandsEverySegment(t *testing.T) {
	tests := map[string]struct {
		element string // the segment
		want    []uint64
		partial bool
	}{
		"0: numbers":                        {"\x00\x41\x02\x0b\x03\x00\x02\x03", []uint64{2, 4}, false},
		"0: a negative place is far behind": {"\x00\x41\x7f\x0b\x01\x00", []uint64{1<<32 - 1}, false},
		"0: a place of two bytes":           {"\x00\x41\xe4\x00\x0b\x01\x00", []uint64{100}, false},
		"0: a place in a global":            {"\x00\x23\x00\x0b\x01\x00", nil, true},
		"0: a place that is computed":       {"\x00\x41\x02\x41\x03\x6a\x0b\x01\x00", nil, true},
		"1: passive":                        {"\x01\x00\x01\x00", nil, true},
		"2: of a table, the first":          {"\x02\x00\x41\x05\x0b\x00\x01\x01", []uint64{5}, false},
		"2: of a table, another":            {"\x02\x01\x41\x05\x0b\x00\x01\x01", nil, false},
		"3: declared":                       {"\x03\x00\x01\x00", nil, false},
		"4: expressions":                    {"\x04\x41\x01\x0b\x03\xd2\x00\x0b\xd0\x70\x0b\xd2\x01\x0b", []uint64{1, 3}, false},
		"4: an expression of a global":      {"\x04\x41\x01\x0b\x02\x23\x00\x0b\xd2\x01\x0b", []uint64{2}, true},
		"5: passive expressions":            {"\x05\x70\x01\xd2\x00\x0b", nil, true},
		"6: expressions of a table":         {"\x06\x00\x41\x03\x0b\x70\x01\xd2\x03\x0b", []uint64{3}, false},
		"7: declared expressions":           {"\x07\x70\x01\xd2\x00\x0b", nil, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m, err := inspect.Read(module(types, functions, table, "\x09\x01"+test.element))
			require.NoError(t, err)
			var got []uint64
			for _, e := range m.Entries {
				got = append(got, e.Index)
			}
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.partial, m.Partial)
		})
	}
}

func TestReadNamesEntriesByNameSectionOrExport(t *testing.T) {
	const export = "\x07\x01\x04main\x00\x00"
	const element = "\x09\x01\x00\x41\x00\x0b\x02\x00\x01"
	const names = "\x00\x04name\x01\x07\x01\x01\x04work"
	m, err := inspect.Read(module(types, functions, table, export, element, names))
	require.NoError(t, err)
	assert.Equal(t, []inspect.Entry{{0, "main"}, {1, "work"}}, m.Entries)
	assert.Equal(t, "entry 1 (work)", m.Entries[1].String())
}

func TestReadNamesTheByteItCantUnderstand(t *testing.T) {
	tests := map[string]struct {
		wasm   string
		offset int
	}{
		"nothing":                 {"", 0},
		"text":                    {"(module)", 0},
		"a component":             {"\x00asm\x0d\x00\x01\x00", 0},
		"a section beyond end":    {"\x00asm\x01\x00\x00\x00\x01\x05\x01", 10},
		"a list beyond its end":   {"\x00asm\x01\x00\x00\x00\x01\x02\x09\x60", 11},
		"an unknown type":         {"\x00asm\x01\x00\x00\x00\x01\x02\x01\x5f", 12},
		"a number without an end": {"\x00asm\x01\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 19},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := inspect.Read([]byte(test.wasm))
			var format *inspect.FormatError
			require.ErrorAs(t, err, &format)
			assert.Equal(t, test.offset, format.Offset, format)
		})
	}
}

func TestReadSaysWhatAFileIsInstead(t *testing.T) {
	for data, want := range map[string]string{
		"":                            "it is empty",
		"(module)":                    "it is in the text format: build it with wat2wasm",
		" ;; guest\n(; a ;)\n(module": "it is in the text format: build it with wat2wasm",
		";; only a comment":           "no header of version 1",
		"\x7fELF":                     "no header of version 1",
		"\x00asm\x01":                 "it ends within its header",
		"\x00asm\x0d\x00\x01\x00":     "it is a component: build a core module",
		"\x00asm\x02\x00\x00\x00":     "its version is 2, only 1 is understood",
	} {
		_, err := inspect.Read([]byte(data))
		assert.EqualError(t, err, "not a WebAssembly module: "+want)
	}
}

func TestCantServeNamesTheEntriesThatCan(t *testing.T) {
	m := &inspect.Module{
		Table: &inspect.Limits{Min: 3}, Entries: []inspect.Entry{{Index: 1, Name: "work"}, {Index: 2}},
	}
	assert.Empty(t, m.CantServe(2))
	assert.Equal(t, "pool.serve(0): its table has 3 entries, and these can be workers: entry 1 (work), entry 2", m.CantServe(0))
	m.Partial = true
	assert.Empty(t, m.CantServe(0), "the table isn't known before an instance exists")
}

func TestReadOfADamagedModuleEndsWithoutPanic(t *testing.T) {
	modules := all(t)
	rapid.Check(t, func(t *rapid.T) {
		wasm := append([]byte(nil), rapid.SampledFrom(modules).Draw(t, "module")...)
		wasm = wasm[:rapid.IntRange(0, len(wasm)).Draw(t, "length")]
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			if len(wasm) > 0 {
				wasm[rapid.IntRange(0, len(wasm)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
			}
		}
		if m, err := inspect.Read(wasm); (m == nil) == (err == nil) {
			t.Fatalf("%v, %v", m, err)
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, wasm := range all(f) {
		f.Add(wasm)
	}
	f.Fuzz(func(t *testing.T, wasm []byte) {
		if m, err := inspect.Read(wasm); (m == nil) == (err == nil) {
			t.Fatalf("%v, %v", m, err)
		}
	})
}

func all(t testing.TB) [][]byte {
	t.Helper()
	var modules [][]byte
	err := fs.WalkDir(os.DirFS(guests), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".wasm") {
			return err
		}
		wasm, err := os.ReadFile(guests + path)
		modules = append(modules, wasm)
		return err
	})
	require.NoError(t, err)
	require.NotEmpty(t, modules)
	return modules
}
