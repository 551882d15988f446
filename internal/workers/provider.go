package workers

import (
	"encoding/json"
	"time"

	wago "github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
)

// Option changes what [Provider] makes.
type Option func(*plugin)

// WithKillGrace sets how long a worker that was told to stop may take to come back, by asking for a message or by returning,
// before it is interrupted: by Kill, by its creator's close, by an observer's failure, by the end of the service. Zero or less
// interrupts at once. Go code inside a host function is never interrupted. Defaults to DefaultKillGrace (1 s).
func WithKillGrace(grace time.Duration) Option {
	return func(p *plugin) { p.grace = grace }
}

// Provider returns the plugin for a catalog, a fresh value each time.
//
// Safe for concurrent use.
func Provider(options ...Option) wago.PluginProvider {
	return wago.PluginProvider{
		Definition:     Definition(),
		ValidateConfig: validateConfig,
		New: func() wago.Plugin {
			p := &plugin{grace: DefaultKillGrace}
			for _, option := range options {
				option(p)
			}
			return p
		},
	}
}

// plugin registers one service with one runtime.
type plugin struct{ grace time.Duration }

// Register asks for what the service needs, and offers it. Nothing runs before a consumer calls it.
func (p *plugin) Register(registrar *wago.Registrar) error {
	var config json.RawMessage
	if err := registrar.Config(&config); err != nil {
		return err
	}
	limits, err := decodeLimits(config)
	if err != nil {
		return err
	}
	manager, err := registrar.ManagedInstances()
	if err != nil {
		return err
	}
	closes, err := registrar.InstanceCloseObserver()
	if err != nil {
		return err
	}
	service := newWorkers(manager, limits, p.grace)
	if err := closes.Before(service.instanceClosing); err != nil {
		return err
	}
	if err := wagoplugin.Provide[Service](registrar, Contract, service); err != nil {
		return err
	}
	return registrar.Lifecycle(wago.PluginLifecycle{Stop: service.shutdown})
}
