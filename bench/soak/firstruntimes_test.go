package main

import (
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// TestTheFirstRuntimesOfAProcessCanBeMadeAtOnce makes some at once in a process that has made none. It finds what it is there to
// find under the race detector, and in a package main, whose test binary knows the versions of its modules: the engine's library
// writes down its own version, unguarded, when the first engine is made.
func TestTheFirstRuntimesOfAProcessCanBeMadeAtOnce(t *testing.T) {
	const inside = "WAGO_TEST_FIRST_RUNTIMES"
	if os.Getenv(inside) == "" {
		for range 20 { // who is first is chance
			again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1")
			again.Env = append(os.Environ(), inside+"=1", "GORACE=atexit_sleep_ms=0")
			out, err := again.CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
		return
	}
	start := make(chan struct{})
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			<-start
			assert.NoError(t, wago.NewRuntime().Close())
		})
	}
	close(start)
	all.Wait()
}
