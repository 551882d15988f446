package wago

import (
	"fmt"
	"sync"

	"github.com/wago-org/wago/internal/strictjson"
)

// Registrar is a plugin's way in, good during its Register only: once that has returned, every registration method fails
// with [ErrSealed]. Methods that need an authority fail with a [*PluginError] of the authorize phase that wraps
// [ErrPermissionDenied] when it was not requested or not granted.
//
// Safe for concurrent use.
type Registrar struct {
	unit *unit

	mu     sync.Mutex
	sealed bool // guarded by mu, as are the unit's contributions until then
}

// add runs change while registration lasts.
func (r *Registrar) add(change func(*contributions) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sealed {
		return fmt.Errorf("%w: plugin %s", ErrSealed, r.unit.id())
	}
	return change(&r.unit.contributions)
}

func (r *Registrar) seal() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sealed = true
}

// authorize checks that the plugin holds an authority and returns its scope.
func (r *Registrar) authorize(a Authority) (AuthorityScope, error) {
	scope, ok := r.unit.grants[a]
	if !ok {
		return AuthorityScope{}, &PluginError{Plugin: r.unit.id(), Phase: PluginPhaseAuthorize, Authority: a,
			Err: fmt.Errorf("%w: not granted", ErrPermissionDenied)}
	}
	return scope, r.add(func(*contributions) error { return nil })
}

// Granted reports whether the plugin holds an authority, for those it can do without.
func (r *Registrar) Granted(a Authority) bool {
	_, ok := r.unit.grants[a]
	return ok
}

// Config decodes the plugin's configuration into dst, a pointer; no configuration is the empty object. An unknown or
// repeated field, null, trailing data or a wrong type fails with a [*PluginError] of the configure phase.
func (r *Registrar) Config(dst any) error {
	config := r.unit.entry.Selection.Config
	if len(config) == 0 {
		config = []byte("{}")
	}
	if err := strictjson.Decode(config, dst); err != nil {
		return &PluginError{Plugin: r.unit.id(), Phase: PluginPhaseConfigure, Path: "config", Err: err}
	}
	return nil
}

// Lifecycle sets what the plugin does when it starts and stops, at most once.
func (r *Registrar) Lifecycle(l PluginLifecycle) error {
	return r.add(func(c *contributions) error {
		if c.lifecycle != nil {
			return fmt.Errorf("%w: Lifecycle called twice", ErrContribution)
		}
		c.lifecycle = &l
		return nil
	})
}

// GuestCapability declares a capability that the plugin brings to guests. It needs no authority and grants nothing: imports
// name it, policies allow or deny it, [Runtime.Capabilities] lists it.
func (r *Registrar) GuestCapability(name Capability, opts ...CapabilityOption) error {
	if name == "" {
		return fmt.Errorf("%w: empty capability", ErrInvalidArgument)
	}
	var info capabilityInfo
	for _, opt := range opts {
		if opt != nil {
			opt(&info)
		}
	}
	return r.add(func(c *contributions) error {
		if c.capabilities == nil {
			c.capabilities = make(map[Capability]capabilityInfo)
		}
		if _, ok := c.capabilities[name]; ok {
			return fmt.Errorf("%w: capability %s declared twice", ErrContribution, name)
		}
		c.capabilities[name] = info
		return nil
	})
}

// ManagedInstances returns the handle that forks and owns instances, within the limits of the grant (instance.manage). Every
// call returns the same handle.
func (r *Registrar) ManagedInstances() (*InstanceManager, error) {
	scope, err := r.authorize(AuthorityInstanceManage)
	if err != nil {
		return nil, err
	}
	var m *InstanceManager
	err = r.add(func(c *contributions) error {
		if c.manager == nil {
			c.manager = newInstanceManager(r.unit, scope)
		}
		m = c.manager
		return nil
	})
	return m, err
}

// HostCallers returns the handle that tells which instance calls (host.caller.identify).
func (r *Registrar) HostCallers() (*CallerResolver, error) {
	if _, err := r.authorize(AuthorityHostCallerIdentify); err != nil {
		return nil, err
	}
	return &CallerResolver{unit: r.unit}, nil
}

// GuestArguments returns the handle that reads the runtime's guest arguments (host.arguments.read).
func (r *Registrar) GuestArguments() (*GuestArgumentsAccess, error) {
	if _, err := r.authorize(AuthorityHostArgumentsRead); err != nil {
		return nil, err
	}
	return &GuestArgumentsAccess{unit: r.unit}, nil
}
