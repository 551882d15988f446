package main_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// measured is pool that also returns the most memory that the command had (bytes). The kernel's own account of a child's peak
// includes what the test's process had when it started the child, so the child's high-water mark is read while it lives.
func measured(t *testing.T, input io.Reader, args ...string) (result, int64) {
	t.Helper()
	cmd := command(t, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, &stdout, &stderr
	require.NoError(t, cmd.Start())
	ended, peak := make(chan struct{}), make(chan int64)
	go func() { peak <- watchPeak(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	close(ended)
	most := <-peak
	require.Positive(t, most)
	t.Logf("peak memory: %d KiB", most>>10)
	return finished(t, cmd, err, &stdout, &stderr), most
}

func watchPeak(pid int, ended <-chan struct{}) int64 {
	ticks := time.NewTicker(time.Millisecond)
	defer ticks.Stop()
	var most int64
	for {
		select {
		case <-ended:
			return most
		case <-ticks.C:
			most = max(most, highWater(pid))
		}
	}
}

// highWater returns the process's VmHWM (bytes), 0 when it has ended.
func highWater(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	var kib int64
	_, _ = fmt.Sscan(after, &kib)
	return kib << 10
}
