package engine

import (
	"context"
	"fmt"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// machine is a wazero runtime with what its guests share. An engine has one for
// each [Interruption], which wazero settles for a runtime as a whole.
type machine struct {
	// set once
	rt           wazero.Runtime
	interruption Interruption

	wasi *wasiModule // guarded by Engine.mu; nil until needed
}

// making guards the making of wazero's runtimes: the first of a process writes down, unguarded, what later ones read.
var making sync.Mutex

// newMachine returns a machine whose guests can have so many pages of memory.
func newMachine(rc wazero.RuntimeConfig, how Interruption, limitPages uint32) *machine {
	rc = rc.WithCoreFeatures(api.CoreFeaturesV2).WithCloseOnContextDone(how == InterruptWatched)
	if how == InterruptCountdown {
		// The gate limits memory, and must be asked for all of it.
		limitPages = MaxMemoryPages
	}
	making.Lock()
	defer making.Unlock()
	rt := wazero.NewRuntimeWithConfig(context.Background(), rc.WithMemoryLimitPages(limitPages))
	return &machine{rt: rt, interruption: how}
}

// compile keeps a panic of the compiler, which a malformed module can cause,
// from the caller.
func (m *machine) compile(wasm []byte) (c wazero.CompiledModule, err error) {
	defer func() {
		if v := recover(); v != nil {
			c, err = nil, invalid(fmt.Errorf("the compiler panicked: %v", v))
		}
	}()
	c, err = m.rt.CompileModule(context.Background(), wasm)
	if err != nil {
		return nil, invalid(err)
	}
	return c, nil
}

func (m *machine) close() error {
	if m == nil {
		return nil
	}
	return m.rt.Close(context.Background())
}
