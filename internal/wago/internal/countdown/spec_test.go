package countdown_test

import (
	"context"
	"encoding/json"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/wago-org/wago/internal/countdown"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

// These are the scripts of the WebAssembly core test suite that wazero's own tests run, as
// its module brings them: wast2json's output. Each runs on two sides, one of
// which counts down, and the two must not differ.
const specFolder = "internal/integration_test/spectest"

type specScript struct{ Commands []specCommand }

type specCommand struct {
	Type, Name, As, Filename string
	Line                     int
	Action                   specAction
}

type specAction struct {
	Type, Module, Field string
	Args                []specValue
}

type specValue struct {
	Type     string
	LaneType string `json:"lane_type"`
	Value    any
}

// slots returns the value in 64-bit slots. Vectors come lane by lane.
func (v specValue) slots() []uint64 {
	lanes, ok := v.Value.([]any)
	if !ok {
		text, _ := v.Value.(string)
		if text == "null" || v.Value == nil {
			return []uint64{0}
		}
		bits := number(text)
		if v.Type == "externref" {
			bits.Add(bits, big.NewInt(1)) // 0 is null
		}
		return []uint64{bits.Uint64()}
	}
	whole := new(big.Int)
	width := uint(128 / len(lanes))
	for _, lane := range slices.Backward(lanes) {
		whole.Or(whole.Lsh(whole, width), number(lane.(string)))
	}
	low := new(big.Int).SetUint64(^uint64(0))
	return []uint64{low.And(low, whole).Uint64(), whole.Rsh(whole, 64).Uint64()}
}

func number(text string) *big.Int {
	n, _ := new(big.Int).SetString(text, 10)
	return n
}

// side is one of the two ways that a script is run.
type side struct {
	way
	rt         wazero.Runtime
	modules    map[string]api.Module // by the names of the script
	registered map[string]api.Module
	made, last api.Module
	// links is for a script in which modules import the memory of one another. Such
	// a memory can't have a gate, and no other maximum than the declared one.
	links     bool
	rewritten int
}

func newSide(t *testing.T, w way, features api.CoreFeatures, spectest []byte) *side {
	ctx := context.Background()
	s := &side{
		way: w, modules: make(map[string]api.Module), registered: make(map[string]api.Module),
		rt: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCoreFeatures(features)),
	}
	t.Cleanup(func() { require.NoError(t, s.rt.Close(ctx)) })
	mod, err := s.rt.InstantiateWithConfig(ctx, spectest, wazero.NewModuleConfig().WithName(""))
	require.NoError(t, err)
	s.registered["spectest"] = mod
	return s
}

func (s *side) instantiate(wasm []byte) error {
	ctx := experimental.WithImportResolver(context.Background(), func(name string) api.Module { return s.registered[name] })
	if s.every != 0 {
		ctx, wasm = s.countDown(ctx, wasm)
	}
	mod, err := s.rt.InstantiateWithConfig(ctx, wasm, wazero.NewModuleConfig().WithName(""))
	s.made = mod
	return err
}

// use makes the module that was just instantiated the current one.
func (s *side) use(name string) {
	s.last = s.made
	if name != "" {
		s.modules[name] = s.made
	}
}

// countDown rewrites a module, unless it is one that can't be.
func (s *side) countDown(ctx context.Context, wasm []byte) (context.Context, []byte) {
	o, err := binfmt.Parse(wasm)
	if err != nil || s.links && len(o.Memories) > 0 {
		return ctx, wasm
	}
	counting, err := countdown.RewriteEvery(s.every, o, wasm)
	if err != nil {
		return ctx, wasm
	}
	s.rewritten++
	gate := &countdown.Gate{MaxPages: countdown.MaxMemoryPages, Check: func() {}}
	if len(o.Memories) > 0 {
		gate.Memory = &slab{}
		if o.Memories[0].HasMax {
			gate.MaxPages = o.Memories[0].Max
		}
	}
	return experimental.WithMemoryAllocator(ctx, gate), counting
}

func (s *side) module(name string) api.Module {
	if name == "" {
		return s.last
	}
	return s.modules[name]
}

// do performs an action and says what came of it.
func (s *side) do(a specAction) (results []uint64, err error) {
	mod := s.module(a.Module)
	if a.Type == "get" {
		return []uint64{mod.ExportedGlobal(a.Field).Get()}, nil
	}
	var args []uint64
	for _, arg := range a.Args {
		args = append(args, arg.slots()...)
	}
	results, err = mod.ExportedFunction(a.Field).Call(context.Background(), args...)
	return narrow(mod, a.Field, results), err
}

func specScripts(t *testing.T) (root string, scripts []string) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	if err != nil {
		t.Skip("the go command doesn't say where wazero is:", err)
	}
	root = filepath.Join(strings.TrimSpace(string(dir)), specFolder)
	for _, version := range []string{"v1", "v2"} {
		found, err := filepath.Glob(filepath.Join(root, version, "testdata", "*.json"))
		require.NoError(t, err)
		scripts = append(scripts, found...)
	}
	if len(scripts) == 0 {
		t.Skip("no scripts in", root)
	}
	return root, scripts
}

func TestTheCoreTestSuiteIsIndifferentToTheCountdown(t *testing.T) {
	root, scripts := specScripts(t)
	spectest, err := os.ReadFile(filepath.Join(root, "testdata", "spectest.wasm"))
	require.NoError(t, err)
	rewritten := 0
	for i, path := range scripts {
		if testing.Short() && i%8 != 0 {
			continue
		}
		name := filepath.Join(filepath.Base(filepath.Dir(filepath.Dir(path))), filepath.Base(path))
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			var script specScript
			require.NoError(t, json.Unmarshal(raw, &script))
			features := api.CoreFeatures(api.CoreFeaturesV2)
			if strings.HasPrefix(name, "v1") {
				features = api.CoreFeaturesV1
			}
			left, counting := newSide(t, plain, features, spectest), newSide(t, every(10), features, spectest)
			counting.links = filepath.Base(path) == "linking.json"
			runSpec(t, filepath.Dir(path), script, left, counting)
			rewritten += counting.rewritten
		})
	}
	require.Greater(t, rewritten, 100)
}

func runSpec(t *testing.T, dir string, script specScript, left, counting *side) {
	for _, c := range script.Commands {
		switch c.Type {
		case "module", "assert_uninstantiable", "assert_unlinkable":
			wasm, err := os.ReadFile(filepath.Join(dir, c.Filename))
			require.NoError(t, err)
			want, got := left.instantiate(wasm), counting.instantiate(wasm)
			require.Equal(t, firstLine(want), firstLine(got), "line %d", c.Line)
			if c.Type == "module" {
				require.NoError(t, want, "line %d", c.Line)
				left.use(c.Name)
				counting.use(c.Name)
			}
		case "register":
			left.registered[c.As], counting.registered[c.As] = left.module(c.Name), counting.module(c.Name)
		case "action", "assert_return", "assert_trap", "assert_exhaustion":
			want, wantErr := left.do(c.Action)
			got, err := counting.do(c.Action)
			require.Equal(t, firstLine(wantErr), firstLine(err), "line %d", c.Line)
			require.Equal(t, want, got, "line %d", c.Line)
			require.Equal(t, c.Type == "assert_trap" || c.Type == "assert_exhaustion", wantErr != nil, "line %d", c.Line)
		}
	}
}
