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
	// PoolConfig is the configuration of the Pool plugin. Defaults to one with room for Workers.
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
	plugins, err := set(
		plugin{provider: workers.Provider(), config: workersConfig(o)},
		plugin{provider: pool.Provider(), config: poolConfig(o)},
		plugin{provider: wasi.Provider(wasi.Options{Stdout: o.Stderr, Stderr: o.Stderr, Args: []string{o.Name}}), direct: true},
		plugin{provider: o.Plugin, direct: true},
	)
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

func poolConfig(o Options) json.RawMessage {
	if o.PoolConfig != nil {
		return o.PoolConfig
	}
	return encode(map[string]uint64{
		"maxWorkersPerPool": uint64(max(o.Workers, pool.DefaultMaxWorkersPerPool)),
		"maxTotalWorkers":   uint64(max(o.Workers, pool.DefaultMaxTotalWorkers)),
	})
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

// budget is what Workers asks for, and is granted.
func budget() (instances uint32, memory uint64) {
	for _, request := range workers.Definition().Authorities {
		if request.Name == wago.AuthorityInstanceManage {
			return request.Scope.MaxInstances, request.Scope.MaxMemoryBytes
		}
	}
	return 0, 0
}
