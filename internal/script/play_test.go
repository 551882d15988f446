package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
)

// played plays commands on a fake and returns what they print.
func played(t *testing.T, commands ...string) (printed string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := newPlayer(func(limits workers.WorkerLimits, without fakeworkers.Extras) workerstest.Harness {
			return fakeworkers.New(fakeworkers.Config{Limits: limits, Without: without})
		})
		defer func() { require.NoError(t, p.close()) }()
		printed = p.play(block{text: commands})
	})
	return printed
}

func TestAScriptThatIsWrongSaysSo(t *testing.T) {
	for name, commands := range map[string][]string{
		"a verb that there isn't":    {"crate a"},
		"a pool that there isn't":    {"stats a"},
		"a worker that there isn't":  {"take 1"},
		"a setting that there isn't": {"create a mix=2"},
		"a number that is none":      {"create a min=two"},
		"a word too many":            {"list a"},
		"setup late":                 {"list", "setup"},
		"a name twice":               {"quiet create a", "create a"},
		"an order for a busy worker": {"quiet create a", "quiet take 1", "take 1"},
		"an error that there isn't":  {"refuse send error=tired"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Contains(t, played(t, commands...), "SCRIPT ", "%v", commands)
		})
	}
}

func TestALedgerThatDoesNotAddUpIsPrinted(t *testing.T) {
	p := newPlayer(nil)
	tally := &tally{delivered: 1}
	p.checkLedger(new(service.Stats), tally)
	assert.Contains(t, p.out.String(), "LEDGER")
}

func TestATaskThatNobodyWasHandedIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlayer(func(workers.WorkerLimits, fakeworkers.Extras) workerstest.Harness {
			return fakeworkers.New(fakeworkers.Config{})
		})
		defer func() { require.NoError(t, p.close()) }()
		require.NotContains(t, p.play(block{text: []string{"create a", "submit a 1", "take 1"}}), "LEDGER")
		p.tallyOf(p.pools["a"]).delivered++
		require.Contains(t, p.play(block{text: []string{"list"}}), "LEDGER a")
	})
}

// Calls that had returned before it hid whether a call had waited.
func TestACallThatWaitedIsCountedWhateverReturnedBefore(t *testing.T) {
	printed := played(t, "create a queue=1", "submit a 1", "submit-wait a 2 for=1ms", "submit-wait a 3", "pass 1ms", "drain a")
	assert.Contains(t, printed, "task_rejected a task 3 (wait_ended) ErrPoolDraining")
	assert.NotContains(t, printed, "LEDGER")
}

func TestAScriptMayEndBeforeItsCalls(t *testing.T) {
	played(t, "create a", "stubborn 1", "destroy a", "stop")
}

func TestRangesStandForNumbers(t *testing.T) {
	w := parseWords("take 1 3-5 9")
	assert.Equal(t, []uint64{1, 3, 4, 5, 9}, w.numbers("worker"))
	assert.NoError(t, w.unused())
	w = parseWords("take")
	w.numbers("worker")
	assert.Error(t, w.unused())
}

func TestADiffShowsWhatIsNotCommon(t *testing.T) {
	for name, c := range map[string]struct{ a, b, diff string }{
		"nothing":        {"a\nb\n", "a\nb\n", "  a\n  b\n  "},
		"a line more":    {"a\nc\n", "a\nb\nc\n", "  a\n+ b\n  c\n  "},
		"a line less":    {"a\nb\nc\n", "a\nc\n", "  a\n- b\n  c\n  "},
		"another line":   {"a\nb\n", "a\nc\n", "  a\n- b\n+ c\n  "},
		"out of nothing": {"", "a\n", "+ a\n  "},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.diff, diff(c.a, c.b)) })
	}
}

func TestAFileIsWrittenAsItWasRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "script.txt")
	text := "# fake only: for a reason\nlist\n----\npools []\n\n# another\nstats #9\n----\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	f, err := readFile(path)
	require.NoError(t, err)
	assert.Equal(t, "for a reason", f.fakeOnly)
	require.Len(t, f.blocks, 2)
	assert.Equal(t, []string{"stats #9"}, f.blocks[1].commands())
	assert.Equal(t, 6, f.blocks[1].line)
	require.NoError(t, f.write(path, []string{"pools []\n", "stats: no\n"}))
	written, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, text+"stats: no\n", string(written))

	_, err = parseFile("x", []byte("list\n"))
	require.Error(t, err, "a block has to end")
}

func TestEveryVerbIsUsedByAScript(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "scripts", "*.txt"))
	require.NoError(t, err)
	used := make(map[string]bool)
	for _, path := range paths {
		f, err := readFile(path)
		require.NoError(t, err)
		for _, b := range f.blocks {
			for _, line := range b.commands() {
				for _, word := range strings.Fields(line)[:min(2, len(strings.Fields(line)))] {
					used[word] = true
				}
			}
		}
	}
	for name, verb := range Verbs {
		assert.True(t, used[name], "no script uses %s", name)
		assert.True(t, strings.HasPrefix(verb.Usage, name), "the usage of %s begins with its name", name)
	}
}
