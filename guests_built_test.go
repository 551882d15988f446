package pool_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recipe is what a guest's source says builds a module: a shell command in the source's folder, or a script.
type recipe struct {
	source, module string // paths from the root
	command        string
}

// script reports whether the command is a script that is committed too.
func (r recipe) script() bool { return strings.HasSuffix(r.command, ".sh") }

var (
	builtBy = regexp.MustCompile(`(?m)Built by: (.*?)(?: \*/)?$`)
	written = regexp.MustCompile(` -o (\S+\.wasm)\b`)
)

// recipes are those in the first lines of every source that could be a guest's.
func recipes(t *testing.T) (all []recipe) {
	t.Helper()
	for _, name := range filesThatEnd(t, ".wat", ".c", ".rs", ".ts") {
		text := readText(t, name)
		head, _, _ := strings.Cut(text, "\n(module")
		for _, found := range builtBy.FindAllStringSubmatch(head[:min(len(head), 1000)], -1) {
			r := recipe{source: name, command: found[1]}
			r.module = strings.TrimSuffix(name, path.Ext(name)) + ".wasm"
			if output := written.FindStringSubmatch(r.command); output != nil {
				r.module = path.Join(path.Dir(name), output[1])
			}
			all = append(all, r)
		}
	}
	return all
}

func filesThatEnd(t *testing.T, ends ...string) (names []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && slices.Contains(ends, path.Ext(name)) {
			names = append(names, name)
		}
		return err
	}))
	return names
}

func TestEveryGuestsSourceSaysWhatBuildsIt(t *testing.T) {
	modules := make(map[string]bool)
	sources := make(map[string]bool)
	for _, r := range recipes(t) {
		modules[r.module], sources[r.source] = true, true
		if r.script() {
			assert.FileExists(t, filepath.Join(filepath.Dir(r.source), r.command), r.source)
		}
	}
	for _, name := range filesThatEnd(t, ".wasm") {
		assert.True(t, modules[name], "no source says what builds %s", name)
	}
	for _, name := range filesThatEnd(t, ".wat") {
		assert.True(t, sources[name], "%s doesn't say what builds it", name)
	}
}

// The scripts are run by the tests of the modules that they belong to.
func TestEveryGuestIsWhatItsSourceSaysBuildsIt(t *testing.T) {
	missing := map[string]string{
		"wat2wasm": missingTool(t, "wat2wasm", "1.0.32"),
		"clang":    missingTool(t, "clang", "14.0.6"),
	}
	for _, r := range recipes(t) {
		if r.script() {
			continue
		}
		t.Run(r.module, func(t *testing.T) {
			for tool, why := range missing {
				if why != "" && strings.Contains(r.command, tool) {
					t.Skip(why)
				}
			}
			r.holds(t)
		})
	}
}

// missingTool says why a tool can't be used: other versions build guests that do the same but are not the same bytes.
func missingTool(t *testing.T, tool, version string) string {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		return "needs a POSIX shell: " + err.Error()
	}
	text, err := exec.CommandContext(t.Context(), tool, "--version").Output()
	if err != nil || !regexp.MustCompile(`\b`+regexp.QuoteMeta(version)+`\b`).Match(text) {
		return tool + " " + version + ", which built the guest, is not here"
	}
	return ""
}

// holds runs the command on a copy of the source.
func (r recipe) holds(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, path.Base(r.source)), []byte(readText(t, r.source)), 0o600))
	cmd := exec.CommandContext(t.Context(), "sh", "-c", r.command)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s: %s", r.source, r.command, out)
	fresh := readText(t, filepath.Join(dir, path.Base(r.module)))
	assert.True(t, fresh == readText(t, r.module), "%s is not what %s builds", r.module, r.command)
}
