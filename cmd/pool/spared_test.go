package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// These mistakes are found when the output has been opened.
func TestARunThatCantBeginLeavesTheOutputAlone(t *testing.T) {
	for name, args := range map[string][]string{
		"no guest":      {"main_test.go"},
		"configuration": {guests + "echo.wasm", "--config", `{"nonsense": 1}`},
		"budget":        {guests + "echo.wasm", "--workers", "1024"},
		"start":         {guests + "echo.wasm", "--start", "nope"},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "replies")
			require.NoError(t, os.WriteFile(out, []byte("yesterday's\n"), 0o600))
			require.Error(t, exec.Command(built, append(append([]string{"run"}, args...), "--output", out)...).Run())
			left, err := os.ReadFile(out)
			require.NoError(t, err)
			assert.Equal(t, "yesterday's\n", string(left))
		})
	}
}

func TestTheGuestIsNoOutput(t *testing.T) {
	code, err := os.ReadFile(guests + "echo.wasm")
	require.NoError(t, err)
	guest := filepath.Join(t.TempDir(), "guest.wasm")
	require.NoError(t, os.WriteFile(guest, code, 0o600))
	_ = exec.Command(built, "run", guest, "--output", guest).Run()
	left, err := os.ReadFile(guest)
	require.NoError(t, err)
	assert.Len(t, left, len(code))
}

// Standard output that is appended to the input would be read for ever.
func TestAnInputThatTheRepliesAreAppendedToIsRefused(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lines")
	require.NoError(t, os.WriteFile(name, bytesOfLines(1<<20), 0o600))
	out, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	defer out.Close()
	cmd := exec.Command(built, "run", guests+"echo.wasm", "--input", name)
	cmd.Stdout = out
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		_ = cmd.Process.Kill()
		<-ended
		assert.Fail(t, "it reads what it writes")
	}
}

func bytesOfLines(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'x'
		if i%16 == 15 {
			b[i] = '\n'
		}
	}
	return b
}
