package host

import (
	"context"
	"encoding/json"
	"io"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	"github.com/wago-org/wago/wasi"
	"github.com/wago-org/workers"
)

// Options says what the runtime is to give to guests.
type Options struct {
	// Plugin serves the guest ABI.
	Plugin wago.PluginProvider
	// Workers is how many there will be: the ceilings of Workers and Pool follow.
	Workers uint32
	// QueueBytes is what one worker's mailbox may hold (bytes).
	QueueBytes uint32
	// MemoryPages is how many pages of 64 KiB a guest's memory may have.
	MemoryPages uint32
	// PoolConfig is the configuration of the Pool plugin. Ceilings that it leaves out are set with room for Workers.
	PoolConfig json.RawMessage
	// Stderr takes what WASI guests write, to standard output too: the command's own is for replies.
	Stderr io.Writer
	// Name is the guest's name, its first argument.
	Name string
}

// New returns a runtime with the plugins loaded. The caller closes it. Errors: ErrBudget (wrapped), a plugin's own.
func New(ctx context.Context, o Options) (*wago.Runtime, error) {
	if instances, _ := budget(); o.Workers > instances {
		return nil, &BudgetError{Workers: o.Workers, Budget: uint64(instances)}
	}
	ceilings, err := poolConfig(o)
	if err != nil {
		return nil, err
	}
	plugins, err := wago.SelectAll([]wago.PluginProvider{
		workers.Provider(), pool.Provider(), o.Plugin,
		wasi.Provider(wasi.Options{Stdout: o.Stderr, Stderr: o.Stderr, Args: []string{o.Name}}),
	}, map[string]json.RawMessage{workers.PluginID: workersConfig(o), pool.PluginID: ceilings})
	if err != nil {
		return nil, err
	}
	rt := wago.NewRuntime(wago.WithRuntimeConfig(wago.NewRuntimeConfig().WithMemoryLimitPages(o.MemoryPages)))
	if err := rt.LoadPlugins(ctx, plugins); err != nil {
		_ = rt.Close()
		return nil, err
	}
	return rt, nil
}

// workersConfig leaves room for as many replacements as there are workers, because a worker is counted until it has gone.
func workersConfig(o Options) json.RawMessage {
	limit := max(2*uint64(o.Workers), uint64(workers.DefaultMaxLiveWorkers))
	return encode(map[string]uint64{"maxLiveWorkers": limit, "maxQueueBytes": limit * uint64(o.QueueBytes)})
}

// poolConfig adds the ceilings that the configuration leaves out.
func poolConfig(o Options) (json.RawMessage, error) {
	if err := pool.Provider().ValidateConfig(o.PoolConfig); err != nil {
		return nil, &ConfigError{Err: err}
	}
	config := make(map[string]uint64)
	if len(o.PoolConfig) > 0 {
		if err := json.Unmarshal(o.PoolConfig, &config); err != nil {
			return nil, &ConfigError{Err: err}
		}
	}
	room(config, "maxTotalWorkers", max(o.Workers, pool.DefaultMaxTotalWorkers))
	room(config, "maxWorkersPerPool", min(max(o.Workers, pool.DefaultMaxWorkersPerPool), uint32(config["maxTotalWorkers"])))
	room(config, "runnableWorkers", max(o.Workers, pool.OptimalWorkers()))
	for _, name := range []string{"maxWorkersPerPool", "maxTotalWorkers"} {
		if config[name] < uint64(o.Workers) {
			return nil, &CeilingError{Setting: name, Limit: config[name], Wanted: uint64(o.Workers)}
		}
	}
	return encode(config), nil
}

// room sets a ceiling that was not given.
func room(config map[string]uint64, name string, workers uint32) {
	if _, given := config[name]; !given {
		config[name] = uint64(workers)
	}
}

func encode(config map[string]uint64) json.RawMessage {
	text, err := json.Marshal(config)
	if err != nil {
		panic(err) // numbers by name can be encoded
	}
	return text
}

// CheckBudget says whether the host lends out the memory that workers of the module could take. Errors: ErrBudget (wrapped).
func CheckBudget(count uint32, module *wago.Module) error {
	_, memory := budget()
	each := uint64(module.Metadata().MaxPages) << 16
	if uint64(count)*each > memory {
		return &BudgetError{Workers: count, Each: each, Budget: memory}
	}
	return nil
}

// MaxWorkers is how many workers the host lends out.
func MaxWorkers() uint32 {
	instances, _ := budget()
	return instances
}

// budget is what Workers asks for, and is granted.
func budget() (instances uint32, memory uint64) {
	for _, request := range workers.Definition().Authorities {
		if request.Name == wago.AuthorityInstanceManage {
			return request.Scope.MaxInstances, request.Scope.MaxMemoryBytes
		}
	}
	return 0, 0
}
