package countdown_test

import (
	"context"
	"hash/maphash"
	"strings"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

// firstLine is what an error says before it speaks of stacks.
func firstLine(err error) string {
	if err == nil {
		return ""
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// state is all that can be seen of a guest from outside.
type state struct {
	memory  uint64
	size    int
	globals map[string]uint64
}

var seed = maphash.MakeSeed()

func stateOf(g *guest, o *binfmt.Outline) state {
	s := state{globals: make(map[string]uint64)}
	if len(o.Memories) > 0 {
		s.size, s.memory = len(view(g)), maphash.Bytes(seed, view(g))
	}
	for _, x := range o.Exports {
		if x.Kind == binfmt.Global && isNumber(o.Globals[x.Index].Type) {
			s.globals[x.Name] = g.mod.ExportedGlobal(x.Name).Get()
		}
	}
	return s
}

// isNumber excludes references, whose bits differ from instance to instance.
func isNumber(typ byte) bool { return typ != binfmt.FuncRef && typ != binfmt.ExternRef }

// twins are a guest that counts down and the same guest left as it is.
type twins struct {
	outline        *binfmt.Outline
	counting, left *guest
	// exits is how many the first is allowed in a call. What takes longer isn't
	// compared: the other might never return.
	exits int
}

// call calls both and compares what comes of it. It reports whether they can go
// on.
func (p *twins) call(t tb, export string, args ...uint64) bool {
	t.Helper()
	p.counting.stopAfter(p.exits)
	got, err := p.counting.call(export, args...)
	if incomparable(err) {
		return false
	}
	want, wantErr := p.left.call(export, args...)
	if incomparable(wantErr) {
		return false
	}
	require.Equal(t, firstLine(wantErr), firstLine(err), export)
	if err == nil {
		require.Equal(t, narrow(p.left.mod, export, want), narrow(p.counting.mod, export, got), export)
	}
	require.Equal(t, stateOf(p.left, p.outline), stateOf(p.counting, p.outline), export)
	return true
}

// incomparable is the error of a guest that was stopped, or whose stack, the
// frames of which need not be as large, is exhausted.
func incomparable(err error) bool {
	return err != nil && (strings.Contains(err.Error(), errStopped.Error()) || strings.Contains(err.Error(), "stack overflow"))
}

// callAll calls every exported function with zeros, while the two can go on.
func (p *twins) callAll(t tb) {
	for _, x := range p.outline.Exports {
		if x.Kind != binfmt.Func {
			continue
		}
		slots := 0
		for _, typ := range p.outline.Funcs[x.Index].Params {
			if slots++; typ == binfmt.V128 {
				slots++
			}
		}
		if !p.call(t, x.Name, make([]uint64, slots)...) {
			return
		}
	}
}

func (p *twins) close(t tb) {
	for _, g := range []*guest{p.left, p.counting} {
		if g.rt != nil {
			require.NoError(t, g.rt.Close(context.Background()))
		}
	}
}
