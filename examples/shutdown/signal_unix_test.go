//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asMain has the test's own binary be the program.
const asMain = "EXAMPLE_SHUTDOWN_MAIN"

func TestASignalEndsTheServing(t *testing.T) {
	if os.Getenv(asMain) != "" {
		main()
		return
	}
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestASignalEndsTheServing$")
		cmd.Env = append(os.Environ(), asMain+"=1")
		stdout, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(stdout)
		require.True(t, lines.Scan())
		assert.Equal(t, "serving; Ctrl-C ends it", lines.Text())
		require.NoError(t, cmd.Process.Signal(sig))
		var rest []string
		for lines.Scan() {
			rest = append(rest, lines.Text())
		}
		require.NoError(t, cmd.Wait())
		require.GreaterOrEqual(t, len(rest), 4, "%q", rest)
		assert.Equal(t, []string{"stopping", "drained"}, rest[:2])
		var accepted, done int
		_, err = fmt.Sscanf(rest[2], "accepted %d: %d done, 0 failed, 0 dropped", &accepted, &done)
		require.NoError(t, err, rest[2])
		assert.Equal(t, accepted, done)
		assert.Equal(t, "closed", rest[3])
	}
}
