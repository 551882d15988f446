package engine

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/sys"
)

// WASIConfig is what a guest sees through WASI; the zero value shows nothing: no
// environment, no files, an empty standard input, and output that is thrown
// away. Clocks are real, sleeping takes real time and ends with the call's
// context, and random numbers are the system's: a guest that seeds a hash table
// or names a file must not do the same as its neighbours.
//
// A read from Stdin and an operation of FS are host calls: they end when they
// end, not with the context. Not safe for concurrent use while it is being
// changed; its readers, writers and FS are used by every instance it is given
// to.
type WASIConfig struct {
	// Stdin is what the guest reads as file 0. Nil is empty.
	Stdin io.Reader
	// Stdout and Stderr receive files 1 and 2. Nil throws them away.
	Stdout, Stderr io.Writer
	// Args are the arguments, the program's name first. Defaults to "guest".
	Args []string
	// Env has NAME=value entries.
	Env []string
	// FS is mounted read-only at the root. Nil shows no file.
	FS fs.FS
}

// The standard streams are wrapped so that wazero doesn't poll, or close, the
// file that a stream may be.
type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)

// moduleConfig returns how the instance is to be instantiated. files, if there
// is an FS, watches the files opened until the start section has returned.
func (i *Instance) moduleConfig(c *WASIConfig) (cfg wazero.ModuleConfig, files *openFiles, err error) {
	if !i.module.shape.usesWASI() {
		return anonymous, nil, nil
	}
	if c == nil {
		c = &WASIConfig{}
	}
	if cfg, err = withEnv(withArgs(i.withClocks(anonymous), c.Args), c.Env); err != nil {
		return nil, nil, err
	}
	cfg = withStreams(cfg, c)
	if c.FS != nil {
		files = &openFiles{fs: c.FS}
		cfg = cfg.WithFSConfig(wazero.NewFSConfig().WithFSMount(files, "/"))
	}
	return cfg, files, nil
}

func withArgs(cfg wazero.ModuleConfig, args []string) wazero.ModuleConfig {
	if len(args) == 0 {
		return cfg.WithArgs("guest")
	}
	return cfg.WithArgs(args...)
}

func withEnv(cfg wazero.ModuleConfig, env []string) (wazero.ModuleConfig, error) {
	for _, entry := range env {
		name, value, ok := strings.Cut(entry, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%w: WASIConfig.Env entry %q is not NAME=value", ErrLink, entry)
		}
		cfg = cfg.WithEnv(name, value)
	}
	return cfg, nil
}

func withStreams(cfg wazero.ModuleConfig, c *WASIConfig) wazero.ModuleConfig {
	if c.Stdin != nil {
		cfg = cfg.WithStdin(onlyReader{c.Stdin})
	}
	if c.Stdout != nil {
		cfg = cfg.WithStdout(onlyWriter{c.Stdout})
	}
	if c.Stderr != nil {
		cfg = cfg.WithStderr(onlyWriter{c.Stderr})
	}
	return cfg
}

const clockResolution = sys.ClockResolution(time.Microsecond)

func (i *Instance) withClocks(cfg wazero.ModuleConfig) wazero.ModuleConfig {
	start := time.Now()
	return cfg.
		WithWalltime(func() (int64, int32) {
			now := time.Now()
			return now.Unix(), int32(now.Nanosecond())
		}, clockResolution).
		WithNanotime(func() int64 { return int64(time.Since(start)) }, clockResolution).
		WithNanosleep(i.sleep)
}

// sleep is how long a guest asked to, unless its call's context ends first.
func (i *Instance) sleep(ns int64) {
	var ctx context.Context = i.top
	t := time.NewTimer(time.Duration(ns))
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
