package cli

import (
	"fmt"
	"runtime"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// versionCommand is pool version.
type versionCommand struct{}

// run does pool version.
func (*versionCommand) run(streams Streams) int {
	fmt.Fprintf(streams.Stdout, "pool %s (plugin host %s, %s %s/%s)\n",
		pool.Version, wago.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return StatusOK
}
