package countdown_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/countdown"
	"github.com/wago-org/wago/internal/engine/binfmt"
	"pgregory.net/rapid"
)

// sameProgram runs every function of a generated module on both sides.
func sameProgram(t *rapid.T, compared *int) {
	binary := generate(t)
	p := &twins{
		outline: outline(t, binary), exits: 300,
		left:     open(t, plain, binary),
		counting: open(t, every(rapid.SampledFrom([]int32{1, 40, 3000}).Draw(t, "units")), binary),
	}
	defer p.close(t)
	for _, x := range p.outline.Exports {
		if x.Kind != binfmt.Func {
			continue
		}
		args := make([]uint64, len(p.outline.Funcs[x.Index].Params))
		for i := range args {
			args[i] = rapid.Uint64().Draw(t, "argument")
		}
		if !p.call(t, x.Name, args...) {
			return
		}
		*compared++
	}
}

func TestGeneratedProgramsComputeTheSame(t *testing.T) {
	compared := 0
	rapid.Check(t, func(rt *rapid.T) { sameProgram(rt, &compared) })
	require.Positive(t, compared)
	t.Log(compared, "calls compared")
}

// FuzzGeneratedPrograms lets the fuzzer choose the programs: a byte is a choice.
func FuzzGeneratedPrograms(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 16 {
		text := make([]byte, 20*(n+1))
		for i := range text {
			text[i] = byte(random.Uint32())
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rapid.MakeFuzz(func(rt *rapid.T) { sameProgram(rt, new(int)) })(t, drawn(text))
	})
}

// drawn makes bytes what rapid draws: a word of eight for each choice, large where
// the byte is. Where the same byte comes again and again the choice changes now and
// then. Zeros at the end are the plainest choices, among them that it is enough.
func drawn(text []byte) []byte {
	var words []byte
	for i, b := range text {
		words = append(words, bytes.Repeat([]byte{b + 37*byte(i/8)}, 8)...)
	}
	return append(words, make([]byte, 8*60)...)
}

// FuzzAnyModule holds that what wazero takes it still takes when it is rewritten,
// and that it then does the same.
func FuzzAnyModule(f *testing.F) {
	for _, pattern := range []string{"testdata/*.wasm", "../engine/testdata/*.wasm", committed + "/*.wasm"} {
		paths, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, path := range paths {
			binary, err := os.ReadFile(path)
			require.NoError(f, err)
			f.Add(binary)
		}
	}
	f.Fuzz(func(t *testing.T, binary []byte) {
		o, err := binfmt.Parse(binary)
		if err != nil || unfit(o) || !compiles(t, plain, binary) {
			return
		}
		p := &twins{outline: o, exits: 100, left: &guest{}, counting: &guest{}}
		defer p.close(t)
		p.counting.stopAfter(100)
		err = p.counting.open(t, every(100), binary)
		if errors.Is(err, countdown.ErrMemory) || incomparable(err) {
			return
		}
		wanted := p.left.open(t, plain, binary)
		if incomparable(wanted) {
			return
		}
		require.Equal(t, firstLine(wanted), firstLine(err))
		if err != nil {
			return
		}
		require.Equal(t, stateOf(p.left, o), stateOf(p.counting, o))
		p.callAll(t)
	})
}

// unfit is a module that takes long, wants more memory than these tests give, or
// imports what they don't give.
func unfit(o *binfmt.Outline) bool {
	for _, imp := range o.Imports {
		if imp.Kind != binfmt.Func {
			return true
		}
	}
	for _, mem := range o.Memories {
		if mem.Min > memoryPages {
			return true
		}
	}
	total := uint64(0)
	for _, table := range o.Tables {
		total += uint64(table.Limits.Min)
	}
	return total > 10_000 || len(o.Imports) > 100
}
