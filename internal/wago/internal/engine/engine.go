package engine

import (
	"errors"
	"fmt"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/wago-org/wago/internal/countdown"
	"github.com/wago-org/wago/internal/engine/binfmt"
	"github.com/wago-org/wago/internal/linear"
)

// Config configures an [Engine]; the zero value is good. Safe for concurrent use.
type Config struct {
	// MemoryLimitPages is how far the memory of any guest can grow, in pages of
	// 64 KiB, and what a guest without a declared maximum can reach. At most
	// MaxMemoryPages. Defaults to DefaultMemoryLimitPages (64 MiB).
	MemoryLimitPages uint32
	// Memory says where guests' memories come from. Mapped fails where it is not
	// supported. Defaults to mapped memories where they are, else to the Go heap.
	Memory linear.Kind
}

// Engine compiles and runs guests. Close it when its instances are closed. Safe
// for concurrent use.
type Engine struct {
	// set once
	config     wazero.RuntimeConfig
	limitPages uint32
	memories   *linear.Allocator
	rewrite    func(*binfmt.Outline, []byte) ([]byte, error)
	counting   *machine // of modules that are rewritten

	// mu guards what follows.
	mu        sync.Mutex
	closed    bool
	watching  *machine // of those that can't be; nil while there are none
	compiling int
	opened    uint64 // instances begun
	ended     uint64 // instances closed, or given up
}

// New returns an engine. A MemoryLimitPages above MaxMemoryPages is a
// *[LimitError].
func New(cfg Config) (*Engine, error) {
	return newEngine(cfg, wazero.NewRuntimeConfig())
}

func newEngine(cfg Config, rc wazero.RuntimeConfig) (*Engine, error) {
	limit := cfg.MemoryLimitPages
	if limit == 0 {
		limit = DefaultMemoryLimitPages
	}
	if limit > MaxMemoryPages {
		return nil, &LimitError{
			Setting: "engine.MaxMemoryPages", Subject: "Config.MemoryLimitPages",
			Wanted: uint64(limit), Limit: MaxMemoryPages,
		}
	}
	return &Engine{
		config: rc, limitPages: limit, memories: linear.NewAllocator(cfg.Memory), rewrite: countdown.Rewrite,
		counting: newMachine(rc, InterruptCountdown, limit),
	}, nil
}

// MemoryLimitPages returns the limit in force, in pages of 64 KiB.
func (e *Engine) MemoryLimitPages() uint32 { return e.limitPages }

// Instances returns how many instances were begun and how many of these are
// closed. An instantiation that failed counts on both sides, so that the two are
// equal when nothing is left.
func (e *Engine) Instances() (opened, closed uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.opened, e.ended
}

// Mappings returns how many memories were mapped and how many of these have been
// unmapped, both 0 if they are the Go heap's. They are equal when no instance is
// left.
func (e *Engine) Mappings() (mapped, unmapped uint64) { return e.memories.Mappings() }

// Close frees the engine and its modules. It refuses with ErrEngineInUse while
// an instance is open or a compilation runs: code that executes can't be freed.
// A second Close returns nil.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	if live := e.opened - e.ended; live > 0 || e.compiling > 0 {
		return fmt.Errorf("%w: %d open instances, %d compilations", ErrEngineInUse, live, e.compiling)
	}
	e.closed = true
	return errors.Join(e.counting.close(), e.watching.close())
}

// beginCompile returns the WASI that a module compiled now gets.
func (e *Engine) beginCompile() (*wasiModule, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, ErrEngineClosed
	}
	e.compiling++
	return e.counting.wasi, nil
}

// watched returns the machine that watches its guests, and its WASI if that is
// asked for.
func (e *Engine) watched(wasi bool) (*machine, *wasiModule, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.watching == nil {
		e.watching = newMachine(e.config, InterruptWatched, e.limitPages)
	}
	if !wasi {
		return e.watching, nil, nil
	}
	err := e.watching.enableWASI()
	return e.watching, e.watching.wasi, err
}

func (e *Engine) endCompile() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.compiling--
}

func (e *Engine) openInstance() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return ErrEngineClosed
	}
	e.opened++
	return nil
}

func (e *Engine) closeInstance() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended++
}
