package cli

import (
	"fmt"
	"runtime"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// versionCommand is pool version.
type versionCommand struct{}

// check implements command: there are no flags.
func (*versionCommand) check() error { return nil }

// run does pool version.
func (*versionCommand) run(streams Streams) int {
	fmt.Fprintln(streams.Stdout, versions())
	return StatusOK
}

func versions() string {
	return fmt.Sprintf("pool %s (plugin host %s, %s %s/%s)",
		pool.Version, wago.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
