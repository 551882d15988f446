package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// example is a guest of the ABI page and the line that builds it.
type example struct{ file, source, build string }

var exampleForm = regexp.MustCompile("(?s)\\(`(echo\\.\\w+)`\\):\n\n```\\w+\n(.*?)```\n\n```sh\n(.*?)\n```")

func examples(t *testing.T) []example {
	t.Helper()
	page, err := os.ReadFile("../../docs/guest-abi.md")
	require.NoError(t, err)
	var found []example
	for _, match := range exampleForm.FindAllStringSubmatch(string(page), -1) {
		found = append(found, example{match[1], match[2], match[3]})
	}
	require.Len(t, found, 4)
	return found
}

func TestTheGuestsOfTheABIPageWorkAsTheyStand(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.file, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, e.file), []byte(e.source), 0o600))
			build(t, dir, strings.Fields(e.build))
			result := pool(t, strings.NewReader("one\n\ntwo"), "run", filepath.Join(dir, "echo.wasm"), "--quiet")
			assert.Equal(t, "one\n\ntwo\n", result.ok(t))
		})
	}
}

// build runs the page's line, with the compilers that build.sh uses where those are named in the environment.
func build(t *testing.T, dir string, line []string) {
	t.Helper()
	program := line[0]
	if other := os.Getenv(strings.ToUpper(program)); other != "" {
		program = other
	} else if program == "rustc" {
		program = "/usr/bin/rustc"
	}
	if _, err := exec.LookPath(program); err != nil {
		t.Skip("the compiler is not here: ", err)
	}
	cmd := exec.CommandContext(t.Context(), program, line[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "can't find crate") {
		t.Skip("the compiler has no WebAssembly target: ", string(out))
	}
	require.NoError(t, err, string(out))
}

func TestTheABIPageNamesEveryFunction(t *testing.T) {
	page, err := os.ReadFile("../../docs/guest-abi.md")
	require.NoError(t, err)
	inspected := pool(t, nil, "inspect", guests+"refused/foreign-import.wasm")
	_, served, found := strings.Cut(inspected.stdout, "is not served: ")
	require.True(t, found)
	served, _, _ = strings.Cut(served, " are\n")
	for _, group := range strings.Split(served, ", ") {
		module, names, _ := strings.Cut(group, ".")
		for _, name := range strings.Split(names, "|") {
			assert.Contains(t, string(page), "`"+module+"."+name, group)
		}
	}
}
