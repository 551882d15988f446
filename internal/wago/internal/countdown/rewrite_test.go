package countdown_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/wago-org/wago/internal/countdown"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

func rewritten(t tb, binary []byte) []byte {
	t.Helper()
	out, err := countdown.Rewrite(outline(t, binary), binary)
	require.NoError(t, err)
	return out
}

func TestWhatAModuleSaysOfItselfStays(t *testing.T) {
	binary := wasm(t, "families")
	before, after := outline(t, binary), outline(t, rewritten(t, binary))
	require.Equal(t, before.Imports, after.Imports)
	require.Equal(t, before.Exports, after.Exports)
	require.Equal(t, before.Tables, after.Tables)
	require.Equal(t, before.HasStart, after.HasStart)
	for _, tc := range []struct {
		name          string
		before, after any
		added         int
	}{
		{"types", before.Types, after.Types[:len(before.Types)], len(after.Types) - len(before.Types)},
		{"functions", before.Funcs, after.Funcs[:len(before.Funcs)], len(after.Funcs) - len(before.Funcs)},
		{"globals", before.Globals, after.Globals[:len(before.Globals)], len(after.Globals) - len(before.Globals)},
	} {
		require.Equal(t, tc.before, tc.after, tc.name)
		require.Positive(t, tc.added, tc.name)
	}
}

// wazero keeps 16 bytes for each global, all of an instance's in a row. The counter is the only one added that can change.
func TestInstancesOnTwoCoresHaveNoCacheLineOfTheCounterInCommon(t *testing.T) {
	before, after := outline(t, wasm(t, "families")), outline(t, rewritten(t, wasm(t, "families")))
	const apart = 128 / 16
	idle := slices.Repeat([]binfmt.GlobalType{{Type: binfmt.I32}}, apart)
	want := slices.Concat(idle, []binfmt.GlobalType{{Type: binfmt.I32, Mutable: true}}, idle)
	require.Equal(t, want, after.Globals[len(before.Globals):])
}

func TestRewritingChangesTheModuleAndNotItsBytes(t *testing.T) {
	binary := wasm(t, "families")
	kept := slices.Clone(binary)
	first := rewritten(t, binary)
	require.NotEqual(t, kept, first)
	require.Equal(t, kept, binary)
	require.Equal(t, first, rewritten(t, binary), "again")
}

func custom(name, content string) []byte {
	return binfmt.RawSection{ID: binfmt.SectionCustom, Body: append(binfmt.Name(name), content...)}.AppendTo(nil)
}

func TestCustomSectionsStayUnlessTheySpeakOfPlacesInTheCode(t *testing.T) {
	binary := slices.Concat(wasm(t, "start_spin"), custom("producers", "someone"), custom(".debug_line", "1"), custom("z", ""))
	names := func(binary []byte) (names []string) {
		sections, err := binfmt.Sections(binary)
		require.NoError(t, err)
		for _, s := range sections {
			if s.ID == binfmt.SectionCustom {
				r := binfmt.NewReader(s.Body)
				names = append(names, string(r.Take(r.U32())))
			}
		}
		return names
	}
	require.Equal(t, []string{"producers", ".debug_line", "z"}, names(binary))
	require.Equal(t, []string{"producers", "z"}, names(rewritten(t, binary)))
}

func TestTracesNameTheGuestsFunctions(t *testing.T) {
	g := open(t, counted, wasm(t, "kernels"))
	_, err := g.call("trap")
	require.ErrorContains(t, err, "inner()\n\t")
	require.ErrorContains(t, err, "outer()")
}

func TestAModuleWithoutFunctionsIsLeftAlone(t *testing.T) {
	for name, binary := range map[string][]byte{
		"empty":           []byte(binfmt.Header),
		"a memory":        slices.Concat([]byte(binfmt.Header), binfmt.Section(binfmt.SectionMemory, []byte{0, 1})),
		"no bodies":       slices.Concat([]byte(binfmt.Header), binfmt.Section(binfmt.SectionCode)),
		"an import alone": importing(binfmt.Func, 0),
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, binary, rewritten(t, binary))
		})
	}
}

// importing returns a module that imports one thing, of type index or minimum 0.
func importing(kind binfmt.Kind, description ...byte) []byte {
	return slices.Concat([]byte(binfmt.Header),
		binfmt.Section(binfmt.SectionType, binfmt.FuncType{}.Encode()),
		binfmt.Section(binfmt.SectionImport,
			slices.Concat(binfmt.Name("m"), binfmt.Name("n"), []byte{byte(kind)}, description)))
}

// function returns a module of one function without parameters.
func function(body ...byte) []byte {
	body = append([]byte{0}, body...)
	return slices.Concat([]byte(binfmt.Header),
		binfmt.Section(binfmt.SectionType, binfmt.FuncType{}.Encode()),
		binfmt.Section(binfmt.SectionFunction, []byte{0}),
		binfmt.Section(binfmt.SectionCode, append(binfmt.ULEB(uint64(len(body))), body...)))
}

func TestModulesThatCantCountDownAreRefused(t *testing.T) {
	memory := func(limits ...byte) []byte {
		return slices.Concat([]byte(binfmt.Header), binfmt.Section(binfmt.SectionMemory, limits))
	}
	const end = 0x0b
	for _, tc := range []struct {
		name   string
		binary []byte
		want   error
	}{
		{"an imported memory", importing(binfmt.Memory, 0, 1), countdown.ErrMemory},
		{"a shared memory", memory(3, 1, 1), countdown.ErrMemory},
		{"a memory that starts as large as one can be", memory(slices.Concat([]byte{0}, binfmt.ULEB(65536))...), countdown.ErrMemory},
		{"a tail call", function(0x12, 0, end), countdown.ErrUnknownInstruction},
		{"an exception", function(0x08, 0, end), countdown.ErrUnknownInstruction},
		{"an atomic instruction", function(0xfe, 3, 0, end), countdown.ErrUnknownInstruction},
		{"a relaxed vector instruction", function(0xfd, 0x80, 2, end), countdown.ErrUnknownInstruction},
		{"an instruction behind 0xfc that is none", function(0xfc, 18, end), countdown.ErrUnknownInstruction},
		{"a body that doesn't end", function(0x02, 0x40, end), countdown.ErrMalformed},
		{"a body that ends early", function(end, end), countdown.ErrMalformed},
		{"a number that doesn't end", function(0x41, 0xff), countdown.ErrMalformed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := countdown.Rewrite(outline(t, tc.binary), tc.binary)
			require.ErrorIs(t, err, tc.want)
		})
	}
}

func TestTheLargestMemoryThatCountsDown(t *testing.T) {
	binary := slices.Concat([]byte(binfmt.Header), binfmt.Section(binfmt.SectionMemory, append([]byte{0}, binfmt.ULEB(countdown.MaxMemoryPages)...)))
	_, err := countdown.Rewrite(outline(t, binary), binary)
	require.NoError(t, err)
}

// A body may be very long, and have any number of locals.
func TestLargeFunctions(t *testing.T) {
	const nop, end = 0x01, 0x0b
	long := function(append(slices.Repeat([]byte{nop}, 1_000_000), end)...)
	g := open(t, plain, long)
	require.NotNil(t, g.mod)
	out := rewritten(t, long)
	require.Less(t, len(out), len(long)+len(long)/8, "a point now and then")

	rt := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	defer func() { require.NoError(t, rt.Close(context.Background())) }()
	_, err := rt.CompileModule(t.Context(), out)
	require.NoError(t, err)
}
