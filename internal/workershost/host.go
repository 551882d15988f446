package workershost

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/workerstest"
)

// Config is what a host may differ in.
type Config struct {
	Limits workers.WorkerLimits                   // zero: the defaults
	Grace  time.Duration                          // zero: the default
	Wrap   func(*workers.Workers) workers.Service // puts something between the service and who asks for it; may be nil
}

// Host is one runtime with Workers and a consumer.
//
// Safe for concurrent use.
type Host struct {
	// set once
	config  Config
	runtime *wago.Runtime
	module  *wago.Module
	service workers.Service
	ctx     context.Context
	cancel  context.CancelFunc
	close   func() error

	script  atomic.Pointer[workerstest.Script]
	jobs    sync.Map // int32 to func(wago.HostModule), for owners
	lastJob atomic.Int32
	opening atomic.Bool // an owner's start section runs
}

var _ workerstest.Harness = (*Host)(nil)

// New returns a host. It reads the guest from the Workers module, of which the test's package is a neighbour.
func New(t testing.TB, config Config) *Host {
	t.Helper()
	if config.Grace == 0 {
		config.Grace = workers.DefaultKillGrace
	}
	h := &Host{config: config, runtime: wago.NewRuntime()}
	h.script.Store(&workerstest.Script{})
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.close = sync.OnceValue(h.runtime.Close)
	t.Cleanup(func() { _ = h.close() })
	plugins, err := wago.SelectAll(
		[]wago.PluginProvider{workers.Provider(workers.WithKillGrace(config.Grace)), provider(h)},
		map[string]json.RawMessage{workers.PluginID: settings(config.Limits)},
	)
	require.NoError(t, err)
	require.NoError(t, h.runtime.LoadPlugins(context.Background(), plugins))
	source, err := os.ReadFile(filepath.Join("..", "workers", "testdata", "worker.wasm"))
	require.NoError(t, err)
	h.module, err = h.runtime.Compile(source)
	require.NoError(t, err)
	return h
}

func settings(limits workers.WorkerLimits) json.RawMessage {
	live, bytes := limits.MaxLiveWorkers, limits.MaxQueueBytes
	if live == 0 {
		live = workers.DefaultMaxLiveWorkers
	}
	if bytes == 0 {
		bytes = workers.DefaultMaxServiceQueueBytes
	}
	return fmt.Appendf(nil, `{"maxLiveWorkers": %d, "maxQueueBytes": %d}`, live, bytes)
}

// Service implements workerstest.Harness, as all that follows.
func (h *Host) Service() workers.Service { return h.service }

func (h *Host) Script(s workerstest.Script)  { h.script.Store(&s) }
func (h *Host) Entry() uint32                { return 0 }
func (h *Host) BadEntries() []uint32         { return []uint32{1, 2, 3, 1 << 31} }
func (h *Host) Limits() workers.WorkerLimits { return h.config.Limits }
func (h *Host) Grace() time.Duration         { return h.config.Grace }
func (h *Host) Context() context.Context     { return h.ctx }
func (h *Host) Close() error                 { return h.close() }

// Guests is the number of instances.
func (h *Host) Guests() int {
	opened, closed := h.runtime.Instances()
	return int(opened - closed)
}
