package wago

import (
	"sync/atomic"

	"github.com/wago-org/wago/internal/lease"
	"github.com/wago-org/wago/internal/manifest"
)

// unit is one plugin of a load, from its registration to its end.
type unit struct {
	// set once, before Register
	entry  manifest.Entry
	grants map[Authority]AuthorityScope

	// written during Register under the registrar's mutex, constant afterwards
	contributions

	// callbacks admits calls of the plugin's host functions and hooks, from the commit to the moment before its Stop.
	callbacks lease.Gate
	// active is true from the commit to the end of the plugin's teardown; its handles work while it is.
	active atomic.Bool
	// owner is the runtime the plugin belongs to; set at the commit, nil in a trial registration.
	owner atomic.Pointer[Runtime]

	// eligible says that Stop is due; belongs to the goroutine that loads, then to the one that closes.
	eligible bool
}

// contributions are what a plugin registers.
type contributions struct {
	lifecycle    *PluginLifecycle
	capabilities map[Capability]capabilityInfo
	modules      map[string]struct{} // import modules it asked to define
	imports      []*hostImport
	wasi         *WASIConfig
	hooks        hookSet
	manager      *InstanceManager
	provided     map[ContractSpec]any
	required     map[ContractSpec]*ContractRef
}

func newUnit(entry manifest.Entry) *unit {
	u := &unit{entry: entry, grants: make(map[Authority]AuthorityScope, len(entry.Grants))}
	for _, grant := range entry.Grants {
		u.grants[grant.Name] = grant.Scope
	}
	return u
}

func (u *unit) id() string { return u.entry.Definition.ID }

// publish makes everything the plugin registered work.
func (u *unit) publish(rt *Runtime) {
	u.owner.Store(rt)
	u.callbacks.Open()
	u.publishContracts()
	if u.manager != nil {
		u.manager.creations.Open()
	}
	u.active.Store(true)
}

// runtime returns the runtime whose callers the plugin's handles accept, nil outside the plugin's active life.
func (u *unit) runtime() *Runtime {
	if !u.active.Load() {
		return nil
	}
	return u.owner.Load()
}
