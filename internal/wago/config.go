package wago

import (
	"fmt"
	"strings"

	"github.com/wago-org/wago/internal/engine"
	"github.com/wago-org/wago/internal/linear"
)

// Bounds of [RuntimeConfig.WithMemoryLimitPages], in pages of 64 KiB.
const (
	DefaultMemoryLimitPages uint32 = engine.DefaultMemoryLimitPages // 64 MiB
	MaxMemoryLimitPages     uint32 = engine.MaxMemoryPages          // 4 GiB
)

// Feature names a switch of the engine. None can be switched here: see [RuntimeConfig.WithFeature].
type Feature string

// CoreFeatures is a set of WebAssembly core features. None can be switched here: see [RuntimeConfig.WithCoreFeatures].
type CoreFeatures uint64

// BoundsChecks chooses how memory accesses are checked. It can't be chosen here: see [RuntimeConfig.WithBoundsChecks].
type BoundsChecks uint8

// RuntimeConfig says how a runtime runs guests. Its methods return a changed copy and leave the receiver alone; mistakes are
// kept and reported by [RuntimeConfig.Validate] and by the first use of a runtime with that configuration.
//
// Safe for concurrent use: a configuration never changes.
type RuntimeConfig struct {
	memoryPages uint32
	memoryKind  linear.Kind
	unsupported []string // settings this host doesn't have, as they were asked for
}

// NewRuntimeConfig returns the default configuration.
func NewRuntimeConfig() *RuntimeConfig { return &RuntimeConfig{} }

func (c *RuntimeConfig) clone() *RuntimeConfig {
	if c == nil {
		return &RuntimeConfig{}
	}
	next := *c
	next.unsupported = append([]string(nil), c.unsupported...)
	return &next
}

// WithMemoryLimitPages sets how many pages of 64 KiB a guest's memory can reach. A declared maximum above it is clamped to
// it, a minimum above it fails at Compile. It is also what a memory without a declared maximum is charged in the budget of
// an [InstanceManager]. 1 to [MaxMemoryLimitPages], of which a memory can't grow to the last; a greater value fails with
// [ErrInvalidConfig]. Defaults to [DefaultMemoryLimitPages] (64 MiB), as does 0.
func (c *RuntimeConfig) WithMemoryLimitPages(pages uint32) *RuntimeConfig {
	next := c.clone()
	next.memoryPages = pages
	return next
}

// MemoryLimitPages returns the limit in pages of 64 KiB, the default included.
func (c *RuntimeConfig) MemoryLimitPages() uint32 {
	if c == nil || c.memoryPages == 0 {
		return DefaultMemoryLimitPages
	}
	return c.memoryPages
}

// WithMappedMemory says where guests' memories come from. Mapped, a memory has addresses for all that it may ever grow to, and
// only what is used takes room: an instance is made in no time whatever its size, growing copies nothing, and an idle guest
// costs what it has written. Each takes addresses for its limit, and two of the areas that vm.max_map_count counts. What the
// system refuses fails with [ErrGuestMemory]. With false, memories are the Go heap's: cleared before use, copied when they
// grow, and collected when nothing refers to them any more.
//
// A view of a memory that a plugin keeps past its host call is wrong either way. On the Go heap it shows old bytes. Mapped, it
// is a fault that ends the process, once the instance is closed: see [HostModule].
//
// True where memories can't be mapped fails with [ErrUnsupported]. Defaults to true on Linux with 64-bit addresses, elsewhere
// to false. An extra of this host.
func (c *RuntimeConfig) WithMappedMemory(on bool) *RuntimeConfig {
	next := c.clone()
	next.memoryKind = linear.Heap
	if on {
		next.memoryKind = linear.Mapped
	}
	return next
}

// MappedMemory reports whether guests' memories are mapped, by default or because [RuntimeConfig.WithMappedMemory] says so. An
// extra of this host.
func (c *RuntimeConfig) MappedMemory() bool {
	if c == nil {
		return linear.Supported
	}
	return c.memoryKind.Resolve() == linear.Mapped
}

// WithBoundsChecks is not supported: memory accesses are always checked. [RuntimeConfig.Validate] says so.
func (c *RuntimeConfig) WithBoundsChecks(mode BoundsChecks) *RuntimeConfig {
	return c.refuse(fmt.Sprintf("WithBoundsChecks(%d)", mode))
}

// WithFunctionWorkers is not supported: the engine decides how it compiles. [RuntimeConfig.Validate] says so.
func (c *RuntimeConfig) WithFunctionWorkers(n int) *RuntimeConfig {
	return c.refuse(fmt.Sprintf("WithFunctionWorkers(%d)", n))
}

// WithFeature is not supported: the features are those of WebAssembly 2.0. [RuntimeConfig.Validate] says so.
func (c *RuntimeConfig) WithFeature(f Feature, on bool) *RuntimeConfig {
	return c.refuse(fmt.Sprintf("WithFeature(%q, %t)", string(f), on))
}

// WithCoreFeatures is not supported: the features are those of WebAssembly 2.0. [RuntimeConfig.Validate] says so.
func (c *RuntimeConfig) WithCoreFeatures(f CoreFeatures) *RuntimeConfig {
	return c.refuse(fmt.Sprintf("WithCoreFeatures(%#x)", uint64(f)))
}

func (c *RuntimeConfig) refuse(setting string) *RuntimeConfig {
	next := c.clone()
	next.unsupported = append(next.unsupported, setting)
	return next
}

// Validate returns nil, or an error that wraps [ErrUnsupported] or [ErrInvalidConfig] and names setting, value and bound.
func (c *RuntimeConfig) Validate() error {
	if c == nil {
		return nil
	}
	if len(c.unsupported) > 0 {
		return fmt.Errorf("%w: runtime configuration %s", ErrUnsupported, strings.Join(c.unsupported, ", "))
	}
	if c.MappedMemory() && !linear.Supported {
		return unsupported("runtime configuration WithMappedMemory(true) on this system")
	}
	if c.memoryPages > MaxMemoryLimitPages {
		return fmt.Errorf("%w: WithMemoryLimitPages(%d): at most %d pages of 64 KiB", ErrInvalidConfig,
			c.memoryPages, MaxMemoryLimitPages)
	}
	return nil
}
