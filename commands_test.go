package pool_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// documented are the commands that README and CONTRIBUTING show, each with what shows that it works.
var documented = map[string]func(testing.TB, string){
	"go run ./cmd/pool run testdata/guests/echo.wasm --workers 4 < README.md": prints(func() string {
		text, _ := os.ReadFile("README.md")
		return string(text)
	}),
	"go run ./examples/consumer hello wide world": prints(func() string { return "HELLO\nWIDE\nWORLD\n" }),
	"go build -o bin/ ./cmd/pool":                 isCheckedBy(`go build work`),
	"go mod tidy":                                 func(testing.TB, string) {}, // in a reader's own module
	"go test work":                                isCheckedBy(`go test -race work`),
	"go test -run TestCatalog . -update":          hasFlag("update"),
	"go install …/cmd/pool@latest":                func(testing.TB, string) {}, // shown as what cannot work
	"go run ./bench/soak --for 10m --seed 1":      isCheckedBy(`go run ./bench/soak --for 1m`),
	"go test -run '^$' -fuzz '^FuzzGuests$' -fuzztime 60s -fuzzminimizetime 10x .": hasFlag("test.fuzzminimizetime"),

	".ci/run":      hasUsage,
	".ci/run long": hasUsage,
}

func TestDocumentedCommandsWork(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	shown := make(map[string]bool)
	for _, name := range []string{"README.md", "CONTRIBUTING.md"} {
		for _, command := range commandsIn(t, name) {
			shown[command] = true
		}
	}
	for command := range shown {
		assert.Contains(t, documented, command, "a command that the documents show has no check")
	}
	for command, check := range documented {
		t.Run(command, func(t *testing.T) {
			assert.True(t, shown[command], "no document shows it")
			check(t, command)
		})
	}
}

var (
	shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")
	goCommand  = regexp.MustCompile("`(go [a-z]+ [^`\n]*|\\.ci/run[^`\n]*)`")
)

// commandsIn returns the lines of a document's shell blocks, and the commands in its text.
func commandsIn(t testing.TB, name string) (commands []string) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	for _, block := range shellBlock.FindAllStringSubmatch(string(text), -1) {
		commands = append(commands, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	for _, span := range goCommand.FindAllStringSubmatch(string(text), -1) {
		commands = append(commands, span[1])
	}
	return commands
}

// prints runs a command as a newcomer does, in the workspace, and compares what it prints.
func prints(want func() string) func(testing.TB, string) {
	return func(t testing.TB, command string) {
		t.Helper()
		shell, err := exec.LookPath("sh")
		if err != nil {
			t.Skip("there is no shell here")
		}
		cmd := exec.Command(shell, "-c", command)
		cmd.Env = append(os.Environ(), "GOWORK=")
		var complaints bytes.Buffer
		cmd.Stderr = &complaints
		got, err := cmd.Output()
		require.NoError(t, err, &complaints)
		assert.Equal(t, want(), string(got))
	}
}

// isCheckedBy is for commands that are too long for a test: .ci/run runs them.
func isCheckedBy(line string) func(testing.TB, string) {
	return func(t testing.TB, _ string) {
		t.Helper()
		script, err := os.ReadFile(".ci/run")
		require.NoError(t, err)
		assert.Contains(t, string(script), "\trun "+line+"\n")
	}
}

func hasFlag(name string) func(testing.TB, string) {
	return func(t testing.TB, _ string) {
		t.Helper()
		assert.NotNil(t, flag.Lookup(name))
	}
}

// hasUsage asks the script for what it doesn't know, so that it does nothing.
func hasUsage(t testing.TB, _ string) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	out, err := exec.Command(bash, ".ci/run", "nonsense").CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 2, exit.ExitCode())
	assert.Equal(t, "usage: .ci/run [long]\n", string(out))
}
