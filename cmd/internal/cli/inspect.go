package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/JairusSW/pool/cmd/internal/guest"
	"github.com/JairusSW/pool/cmd/internal/host"
	"github.com/JairusSW/pool/cmd/internal/inspect"
	"github.com/wago-org/workers"
)

// inspectCommand is pool inspect.
type inspectCommand struct {
	Guest       string `arg:"" placeholder:"GUEST.wasm" help:"The guest to look at. None of its code is run."`
	Start       string `default:"_start" placeholder:"NAME" help:"The exported function that run would call. Default: _start."`
	MemoryLimit size   `default:"64MiB" placeholder:"BYTES" help:"How far its memory could grow, at most 4GiB. Default: 64MiB."`
}

// check says what is wrong with the flags together.
func (c *inspectCommand) check() error {
	return c.MemoryLimit.within("memory-limit", pageSize, maxMemory)
}

// run does pool inspect.
func (c *inspectCommand) run(streams Streams) int {
	wasm, err := os.ReadFile(c.Guest)
	if err != nil {
		return unable(streams.Stderr, fmt.Errorf("reading the guest: %w", err))
	}
	rt, err := host.New(context.Background(), host.Options{
		Plugin:      guest.New(nil, guest.NewAnswers(0)).Provider(), // nothing runs, so nobody is served
		Workers:     1,
		QueueBytes:  workers.DefaultWorkerMaxQueueBytes,
		MemoryPages: uint32(c.MemoryLimit / pageSize),
	})
	if err != nil {
		return unable(streams.Stderr, err)
	}
	defer func() { _ = rt.Close() }()
	x := inspect.Examine(rt, wasm, c.Start)
	if err := x.Write(streams.Stdout, filepath.Base(c.Guest), len(wasm)); err != nil {
		return unable(streams.Stderr, err)
	}
	if len(x.Problems) > 0 {
		return StatusUnable
	}
	return StatusOK
}
