package engine_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

// withFunction is a module with a function, so that it is rewritten, and one more
// section.
func withFunction(section []byte) []byte {
	before, after := section, []byte(nil)
	if section[0] > binfmt.SectionFunction {
		before, after = after, before
	}
	return module(types(functionType(nil, nil)), before, binfmt.Section(3, []byte{0}), after,
		binfmt.Section(10, []byte{2, 0, 0x0b}))
}

// Tables and the memory are encoded anew, the globals get one more. What the
// module said of them is refused all the same: a shared table without a maximum
// was taken, as it was no longer shared once it had one.
func TestWhatIsEncodedAnewIsRefusedForWhatItWas(t *testing.T) {
	unbounded := table(1)
	aboveShare := binfmt.ULEB(engine.MaxTableEntries + 1)
	constant := []byte{0x41, 0, 0x0b}
	for _, tc := range []struct {
		name    string
		section []byte
		want    error
	}{
		{"a shared table without a maximum", tables([]byte{binfmt.FuncRef, 2, 1}), engine.ErrInvalidModule},
		{"a shared table with a small maximum", tables([]byte{binfmt.FuncRef, 3, 1, 2}), engine.ErrInvalidModule},
		{"a shared table with a large maximum", tables(append([]byte{binfmt.FuncRef, 3, 1}, aboveShare...)), engine.ErrInvalidModule},
		{"a shared table after another", tables(unbounded, []byte{binfmt.FuncRef, 3, 1, 2}), engine.ErrInvalidModule},
		{"a table that begins above its maximum", tables([]byte{binfmt.FuncRef, 1, 2, 1}, unbounded), engine.ErrInvalidModule},
		{"a table of numbers", tables([]byte{binfmt.I32, 0, 1}), engine.ErrInvalidModule},
		{"a shared memory", binfmt.Section(5, []byte{3, 1, 1}), engine.ErrUnsupported},
		{"a shared memory without a maximum", binfmt.Section(5, []byte{2, 1}), engine.ErrUnsupported},
		{"a memory that begins above its maximum", binfmt.Section(5, []byte{1, 2, 1}), engine.ErrInvalidModule},
		{"two memories", binfmt.Section(5, []byte{0, 1}, []byte{0, 1}), engine.ErrInvalidModule},
		{"a global of a third mutability", binfmt.Section(6, append([]byte{binfmt.I32, 2}, constant...)), engine.ErrInvalidModule},
		{"an imported one", imports(imported("m", "n", 3, binfmt.I32, 2)), engine.ErrInvalidModule},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEngine(t, engine.Config{})
			m, err := e.Compile(t.Context(), withFunction(tc.section))
			require.Nil(t, m)
			require.ErrorIs(t, err, tc.want)
		})
	}
	for name, section := range map[string][]byte{
		"tables": tables(unbounded), "memory": binfmt.Section(5, []byte{1, 1, 2}),
		"globals": binfmt.Section(6, slices.Concat([]byte{binfmt.I32, 1}, constant)),
	} {
		m, err := newEngine(t, engine.Config{}).Compile(t.Context(), withFunction(section))
		require.NoError(t, err, name)
		require.Equal(t, engine.InterruptCountdown, m.Interruption(), "%s: it is rewritten", name)
		require.NoError(t, m.Close())
	}
}
