package script

import (
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/workerstest"
)

// FuzzScripts plays scripts on the fake: those of testdata with changes, and behind them made ones. At each quiet moment the
// ledger of every pool holds, whatever was done. A script in which only one thing happens at a time prints the same when it is
// played again, but for the order of events of different pools.
func FuzzScripts(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "scripts", "*.txt"))
	require.NoError(f, err)
	random := rand.New(rand.NewPCG(1, 2))
	choices := func() []byte {
		made := make([]byte, random.IntN(200))
		for i := range made {
			made[i] = byte(random.Uint32())
		}
		return made
	}
	for _, path := range paths {
		script, err := readFile(path)
		require.NoError(f, err)
		var text []string
		for _, b := range script.blocks {
			text = append(text, b.commands()...)
		}
		f.Add([]byte(strings.Join(text, "\n")+"\n"+rule+"\n"), []byte{})
		f.Add([]byte{}, choices())
	}
	f.Fuzz(func(t *testing.T, text, choices []byte) {
		script, err := parseFile("fuzz", text)
		if err != nil {
			return
		}
		var commands []string
		for _, b := range script.blocks {
			commands = append(commands, b.commands()...)
		}
		commands = append(commands, generate(choices)...)
		if !playable(commands) {
			return
		}
		printed := playedOnce(t, commands)
		for _, line := range strings.Split(printed, "\n") {
			if strings.HasPrefix(line, "LEDGER") || strings.HasPrefix(line, "EVENTS") {
				t.Fatalf("%s\n%s\n%s", strings.Join(commands, "\n"), rule, printed)
			}
		}
		if several.MatchString(strings.Join(commands, "\n")) {
			return
		}
		if again := playedOnce(t, commands); !sameLines(again, printed) {
			t.Fatalf("%s\n%s\n%s", strings.Join(commands, "\n"), rule, diff(printed, again))
		}
	})
}

func sameLines(a, b string) bool {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// playedOnce is what the commands print, with what the end of it all makes of them.
func playedOnce(t *testing.T, commands []string) (printed string) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlayer(func(limits workers.WorkerLimits, without fakeworkers.Extras) workerstest.Harness {
			return fakeworkers.New(fakeworkers.Config{Limits: limits, Without: without})
		})
		defer func() { require.NoError(t, p.close(), "%s", strings.Join(commands, "\n")) }()
		printed = p.play(block{text: commands})
	})
	return printed
}

// What a script can't be played with: numbers that it would be at for long, or that are more time than there is; a second
// close while the first waits; what waits, while the script itself has it wait.
var (
	large     = regexp.MustCompile(`[0-9]_?[0-9]_?[0-9]_?[0-9]|0[xXbBoO]`)
	closes    = regexp.MustCompile(`\b(close|close-owner|stop)\b`)
	patient   = regexp.MustCompile(`without=(all|closing)`)
	several   = regexp.MustCompile(`\b(hold|supervise)\b`) // things at a time
	holds     = regexp.MustCompile(`\bhold\b`)
	impatient = regexp.MustCompile(`\b(submit-from|owner|leave)\b`)
)

func playable(commands []string) bool {
	text := strings.Join(commands, "\n")
	ends := len(closes.FindAllString(text, 2))
	return len(commands) <= 100 && len(text) < 5000 && !large.MatchString(text) &&
		!(ends > 1 || ends == 1 && patient.MatchString(text)) && !(holds.MatchString(text) && impatient.MatchString(text))
}
