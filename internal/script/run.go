package script

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Run plays the script at path on what open makes, in a bubble with its own clock, and compares what it prints with what it
// expects. With update it writes that into the file instead.
func Run(t *testing.T, path string, open Open, update bool) {
	f, err := readFile(path)
	require.NoError(t, err)
	printed := make([]string, len(f.blocks))
	synctest.Test(t, func(t *testing.T) {
		p := newPlayer(open)
		defer func() { assert.NoError(t, p.close()) }()
		for i, b := range f.blocks {
			printed[i] = p.play(b)
		}
	})
	if update {
		require.NoError(t, f.write(path, printed))
		return
	}
	for i, b := range f.blocks {
		if b.expected != printed[i] {
			t.Fatalf("%s:%d:\n%s\n%s", filepath.Base(path), b.line, strings.Join(b.text, "\n"), diff(b.expected, printed[i]))
		}
	}
}

// FakeOnly returns why a script can't be played on the real Workers; "" if it can.
func FakeOnly(path string) (string, error) {
	f, err := readFile(path)
	if err != nil {
		return "", err
	}
	return f.fakeOnly, nil
}
