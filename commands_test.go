package pool_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// documented are the commands that README, CONTRIBUTING and the pages in docs show, each with what shows that it works.
var documented = map[string]func(testing.TB, string){
	"go run ./cmd/pool run testdata/guests/echo.wasm --workers 4 < README.md": prints(func(t testing.TB) string {
		return readText(t, "README.md")
	}),
	"go run ./examples/consumer hello wide world": prints(func(testing.TB) string { return "HELLO\nWIDE\nWORLD\n" }),
	"go run ./examples/events":                    prints(func(t testing.TB) string { return outputOf(t, "examples/events/main_test.go") }),
	"go build -o bin/ ./cmd/pool":                 isCheckedBy(`go build work`),
	"go mod tidy":                                 func(testing.TB, string) {}, // in a reader's own module
	"go test work":                                isCheckedBy(`go test -race work`),
	"go test -short . ./strategy ./service ./cmd/...": func(t testing.TB, _ string) {
		says(t, ".ci/run", readText(t, ".ci/run"), "go test -race work") // which is all of it and more
	},
	"go test -run TestCatalog . -update":     hasFlag("update"),
	"go install …/cmd/pool@latest":           func(testing.TB, string) {}, // shown as what cannot work
	"go run ./bench/soak --for 10m --seed 1": isCheckedBy(`go run ./bench/soak --for 1m`),
	".ci/run":                                hasUsage,
	".ci/run long":                           hasUsage,

	`printf 'one\ntwo\n' | bin/pool run echo.wasm`: func(t testing.TB, command string) {
		built := strings.NewReplacer("bin/pool", "go run ./cmd/pool", "echo.wasm", "testdata/guests/echo.wasm").Replace(command)
		assert.Equal(t, "one\ntwo\n", output(t, built))
	},
	"go run ./bench --markdown":                                                         takesItsFlags,
	"go run ./bench --scale --svg docs/submit.svg --markdown":                           takesItsFlags,
	"wat2wasm echo.wat -o echo.wasm":                                                    isBuiltInTests,
	"rustc --target wasm32-unknown-unknown --crate-type cdylib -O -o echo.wasm echo.rs": isBuiltInTests,
	"asc echo.ts -o echo.wasm --runtime stub --exportStart _start --exportTable":        isBuiltInTests,
	"clang --target=wasm32 -O2 -nostdlib -Wl,--no-entry -o echo.wasm echo.c":            isBuiltInTests,
	"go test -run '^$' -fuzz '^FuzzGuests$' -fuzztime 60s -fuzzminimizetime 10x .":      hasFlag("test.fuzzminimizetime"),
}

func TestDocumentedCommandsWork(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	shown := make(map[string]bool)
	for _, name := range append(pages, "README.md", "CONTRIBUTING.md") {
		for _, command := range commandsIn(t, name) {
			shown[command] = true
			assert.NotNil(t, documented[command], "a command of %s has no check: %s", name, command)
		}
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
	typedLine  = regexp.MustCompile("```console\n\\$ ([^\n]*)\n")
	goCommand  = regexp.MustCompile("`(go [a-z]+ [^`\n]*|\\.ci/run[^`\n]*)`")
)

// commandsIn returns the lines of a document's shell blocks, what is typed in its sessions, and the commands in its text.
func commandsIn(t testing.TB, name string) (commands []string) {
	t.Helper()
	text := readText(t, name)
	for _, block := range shellBlock.FindAllStringSubmatch(text, -1) {
		commands = append(commands, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	for _, line := range typedLine.FindAllStringSubmatch(text, -1) {
		commands = append(commands, line[1])
	}
	for _, span := range goCommand.FindAllStringSubmatch(text, -1) {
		commands = append(commands, span[1])
	}
	return commands
}

// prints runs a command as a newcomer does, in the workspace, and compares what it prints.
func prints(want func(testing.TB) string) func(testing.TB, string) {
	return func(t testing.TB, command string) {
		t.Helper()
		assert.Equal(t, want(t), output(t, command))
	}
}

// output returns what a command prints that must succeed.
func output(t testing.TB, command string) string {
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
	return string(got)
}

// outputOf returns what the only example of a test file prints, without what its run returns, which is the last line.
func outputOf(t testing.TB, name string) string {
	t.Helper()
	_, comment, found := strings.Cut(readText(t, name), "\t// Output:\n")
	require.True(t, found, name)
	comment, _, found = strings.Cut(comment, "\t// <nil>\n}")
	require.True(t, found, name)
	return strings.ReplaceAll(comment, "\t// ", "")
}

// takesItsFlags has the benchmarks read their flags, and list the rows instead of measuring.
func takesItsFlags(t testing.TB, command string) {
	t.Helper()
	assert.NotEmpty(t, output(t, command+" --list"))
}

// isBuiltInTests is for the lines that build the guests of the ABI page: the command's tests build and run them, where their
// compilers are. They find a line by the source that stands before it.
func isBuiltInTests(t testing.TB, command string) {
	t.Helper()
	says(t, "cmd/pool/abi_page_test.go", readText(t, "cmd/pool/abi_page_test.go"), "func TestTheGuestsOfTheABIPageWorkAsTheyStand(")
	source := regexp.MustCompile(`echo\.(?:c|ts|rs|wat)\b`).FindString(command)
	form := "(?s)\\(`" + regexp.QuoteMeta(source) + "`\\):\n\n```\\w+\n[^`]*```\n\n```sh\n" + regexp.QuoteMeta(command) + "\n```"
	assert.True(t, regexp.MustCompile(form).MatchString(readText(t, "docs/guest-abi.md")), "no source of %s before it", source)
}

// isCheckedBy is for commands that are too long for a test: .ci/run runs them.
func isCheckedBy(line string) func(testing.TB, string) {
	return func(t testing.TB, _ string) {
		t.Helper()
		says(t, ".ci/run", readText(t, ".ci/run"), "\trun "+line+"\n")
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
