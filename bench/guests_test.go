package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tools that built the committed guests: other versions build guests that do the same but are not the same bytes.
var tools = map[string]string{"wat2wasm": "1.0.32", "clang-14": "14.0.6", "wasm-ld-14": "14.0.6"}

func TestTheBuildScriptReproducesTheGuests(t *testing.T) {
	for tool, version := range tools {
		text, err := exec.CommandContext(t.Context(), tool, "--version").Output()
		if err != nil || !strings.Contains(string(text), version) {
			t.Skip(tool, " ", version, ", which built the guests, is not here")
		}
	}
	committed, err := filepath.Glob("testdata/*.wasm")
	require.NoError(t, err)
	require.NotEmpty(t, committed)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata")))
	for _, name := range committed {
		require.NoError(t, os.Remove(filepath.Join(dir, filepath.Base(name))))
	}
	out, err := exec.CommandContext(t.Context(), "sh", filepath.Join(dir, "build.sh")).CombinedOutput()
	require.NoError(t, err, string(out))
	for _, name := range committed {
		want, err := os.ReadFile(name)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, filepath.Base(name)))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want, got), "%s is not what its source builds", name)
	}
}
