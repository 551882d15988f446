package wago

import "slices"

// RuntimeOption configures [NewRuntime].
type RuntimeOption func(*Runtime)

// ImportOverridePolicy says whether [WithImports] may replace what plugins define, and a later plugin what an earlier one
// defines.
type ImportOverridePolicy uint8

// The policies.
const (
	NoPluginOverrides  ImportOverridePolicy = 0 // refused with ErrPluginConflict; the default
	AllowTestOverrides ImportOverridePolicy = 1 // for tests: WithImports wins over plugins, later plugins over earlier ones
)

// WithRuntimeConfig sets the configuration; nil is the default one.
func WithRuntimeConfig(c *RuntimeConfig) RuntimeOption {
	return func(rt *Runtime) { rt.config = c.clone() }
}

// WithImportOverridePolicy sets the policy. Defaults to [NoPluginOverrides].
func WithImportOverridePolicy(p ImportOverridePolicy) RuntimeOption {
	return func(rt *Runtime) { rt.overrides = p }
}

// WithGuestArguments sets what [GuestArgumentsAccess] reads. Defaults to none.
func WithGuestArguments(args []string) RuntimeOption {
	return func(rt *Runtime) { rt.args = slices.Clone(args) }
}
