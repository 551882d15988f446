package manifest

// Error is the type of this package's error constants. They are comparable: use errors.Is, or == where an operation
// documents that it returns the bare constant. Safe for concurrent use.
type Error string

// Error returns the text of the constant.
func (e Error) Error() string { return string(e) }

// The errors of the host's published interface.
const (
	// ErrPermissionDenied: an authority that was not requested, not granted, or granted more narrowly than it is used; a
	// contract reference or caller outside its life. Change the grants, or use the value only while it is valid.
	ErrPermissionDenied Error = "wago: permission denied"
	// ErrManagedImportLifetime: the caller's module imports something that can't be shared with a fork (a memory, a table,
	// a mutable global or another instance's function). Build the guest without that import.
	ErrManagedImportLifetime Error = "wago: import can't outlive its instance in a managed instance"
	// ErrMissingImport: a module imports something nobody provides. Load the plugin that defines it, or pass it in Imports.
	ErrMissingImport Error = "wago: missing import"
	// ErrInvalidHandle: a handle that is zero, closed or of another runtime.
	ErrInvalidHandle Error = "wago: invalid handle"
	// ErrPluginConflict: two plugins define the same import or import module. Select one of them.
	ErrPluginConflict Error = "wago: plugins conflict"
)

// The errors of definitions, catalogs and plans.
const (
	// ErrInvalidDefinition: a definition breaks a rule of its fields, or two definitions share an ID. Its author has to fix it.
	ErrInvalidDefinition Error = "wago: invalid plugin definition"
	// ErrInvalidSelection: a selection doesn't mirror the linked definition (repeated ID, another digest, broken
	// configuration, other dependencies, grants of the wrong shape, bindings too few or too many), or no direct selection
	// needs it. Select again.
	ErrInvalidSelection Error = "wago: invalid plugin selection"
	// ErrUnresolved: a definition, dependency or contract provider that is needed is not linked or not selected. Link or
	// select it.
	ErrUnresolved Error = "wago: plugin not resolved"
	// ErrIncompatible: a version lies outside the range that was asked for. Update one side.
	ErrIncompatible Error = "wago: incompatible version"
	// ErrDependencyCycle: plugins need each other in a circle, so none can start first.
	ErrDependencyCycle Error = "wago: plugin dependency cycle"
	// ErrInvalidCatalog: a provider catalog breaks a rule of the file as a whole. Generate it again.
	ErrInvalidCatalog Error = "wago: invalid provider catalog"
)
