package main_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The committed guests are what their sources build, wherever the tools are that built them.
func TestTheBuildScriptReproducesTheGuests(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs a POSIX shell: ", err)
	}
	script, err := filepath.Abs(guests + "build.sh")
	require.NoError(t, err)
	tools, err := exec.CommandContext(t.Context(), script, "--tools").Output()
	require.NoError(t, err)
	for tool := range strings.Lines(string(tools)) {
		kind, state, _ := strings.Cut(strings.TrimSpace(tool), " ")
		t.Run(kind, func(t *testing.T) {
			if state != "ready" {
				t.Skip("the tools that built the guests are not here: ", state)
			}
			dir := t.TempDir()
			out, err := exec.CommandContext(t.Context(), script, "-o", dir, kind).CombinedOutput()
			require.NoError(t, err, string(out))
			assert.Positive(t, compare(t, dir))
		})
	}
}

// compare requires that each module below dir is the committed one and returns how many there are.
func compare(t *testing.T, dir string) (modules int) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		modules++
		fresh, err := os.ReadFile(filepath.Join(dir, path))
		require.NoError(t, err)
		committed, err := os.ReadFile(guests + path)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(committed, fresh), "%s is not what its source builds", path)
		return nil
	})
	require.NoError(t, err)
	return modules
}

func TestEveryGuestHasItsSource(t *testing.T) {
	err := fs.WalkDir(os.DirFS(guests), ".", func(path string, entry fs.DirEntry, err error) error {
		base, isModule := strings.CutSuffix(path, ".wasm")
		if err != nil || !isModule {
			return err
		}
		sources, err := filepath.Glob(guests + base + ".*")
		assert.Greater(t, len(sources), 1, path)
		return err
	})
	require.NoError(t, err)
}
