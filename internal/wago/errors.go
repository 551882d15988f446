package wago

import (
	"github.com/wago-org/wago/internal/engine"
	"github.com/wago-org/wago/internal/manifest"
)

// Error is the type of this package's error constants. They are comparable: use errors.Is. Errors with detail wrap them.
//
// Safe for concurrent use.
type Error = manifest.Error

// The errors of the published interface.
const (
	// ErrPermissionDenied: an authority that was not requested, not granted, or granted more narrowly than it is used; a
	// contract reference, handle or caller outside its life; a policy that forbids what a guest asks for.
	ErrPermissionDenied = manifest.ErrPermissionDenied
	// ErrManagedImportLifetime: an import that can't be shared with a managed instance (a memory, a table, a mutable global
	// or another instance's function). Build the guest without that import.
	ErrManagedImportLifetime = manifest.ErrManagedImportLifetime
	// ErrMissingImport: a module imports something nobody provides; the text names every such import. Load the plugin that
	// defines it, or pass it in [Imports].
	ErrMissingImport = manifest.ErrMissingImport
	// ErrInvalidHandle: a module, instance or other handle that is nil, closed or of another runtime.
	ErrInvalidHandle = manifest.ErrInvalidHandle
	// ErrPluginConflict: two plugins define the same import or import module, or an [Imports] entry hides a plugin's. Select
	// one of them, or allow overrides in a test.
	ErrPluginConflict = manifest.ErrPluginConflict
	// ErrUnsupported: a part of the interface that this host doesn't have. The text names it; the package documentation
	// lists them all.
	ErrUnsupported = engine.ErrUnsupported
	// ErrCallbackPanic: plugin code or a host function panicked. The detail is a [*PanicError].
	ErrCallbackPanic Error = "wago: callback panicked"
	// ErrCallbackGoexit: plugin code or a host function ended its goroutine by runtime.Goexit.
	ErrCallbackGoexit Error = "wago: callback ended its goroutine"
	// ErrForeignModule: a module of another runtime. Compile the bytes with the runtime that is to run them.
	ErrForeignModule Error = "wago: module of another runtime"
)

// The errors of definitions, catalogs and plans.
const (
	// ErrInvalidDefinition: a definition breaks a rule of its fields, or two definitions share an ID. Its author has to fix
	// it.
	ErrInvalidDefinition = manifest.ErrInvalidDefinition
	// ErrInvalidSelection: a selection doesn't mirror the linked definition, or no direct selection needs it. Select again.
	ErrInvalidSelection = manifest.ErrInvalidSelection
	// ErrUnresolved: a definition, dependency or contract provider that is needed is not linked or not selected. Link or
	// select it.
	ErrUnresolved = manifest.ErrUnresolved
	// ErrIncompatible: a version lies outside the range that was asked for. Update one side.
	ErrIncompatible = manifest.ErrIncompatible
	// ErrDependencyCycle: plugins need each other in a circle, so none can start first.
	ErrDependencyCycle = manifest.ErrDependencyCycle
	// ErrInvalidCatalog: a provider catalog breaks a rule of the file as a whole. Generate it again.
	ErrInvalidCatalog = manifest.ErrInvalidCatalog
)

// The errors of a runtime's life.
const (
	// ErrRuntimeClosed: the runtime closes or is closed; also what its close gives as the cause of the calls it interrupts.
	ErrRuntimeClosed Error = "wago: runtime is closed"
	// ErrRuntimeLoading: Compile or Instantiate while LoadPlugins runs. Call it afterwards.
	ErrRuntimeLoading Error = "wago: runtime is loading plugins"
	// ErrAlreadyLoaded: a second LoadPlugins on one runtime, or one after the first Compile. Make a new runtime.
	ErrAlreadyLoaded Error = "wago: too late to load plugins"
	// ErrInvalidConfig: a runtime configuration out of bounds; the text names setting, value and bound.
	ErrInvalidConfig Error = "wago: invalid runtime configuration"
	// ErrCloseInsideCall: a close that was called by the call it would have to wait for. An instance's close has begun and
	// finishes when that call returns; a runtime's close has not begun. Close from another goroutine.
	ErrCloseInsideCall Error = "wago: close called from inside a call it must wait for"
)

// The errors of registration.
const (
	// ErrSealed: a registration method after Register returned. Register everything before returning.
	ErrSealed Error = "wago: registration has ended"
	// ErrContribution: what a plugin registered isn't what its definition declares, or is registered twice. Its author has
	// to fix it.
	ErrContribution Error = "wago: contribution doesn't match the definition"
)

// The errors of instances.
const (
	// ErrInstanceClosed: the instance closes or is closed; also the cause of the calls its close interrupts. Errors with
	// this constant also match [ErrInvalidHandle].
	ErrInstanceClosed Error = "wago: instance is closed"
	// ErrInstanceEnded: an earlier call trapped, exited, was cancelled or failed in the host, so the guest's state can't be
	// trusted; the text says how. Close the instance and make a new one.
	ErrInstanceEnded = engine.ErrInstanceEnded
	// ErrInstanceBusy: the guest runs in another call. Use one goroutine for each instance; a host function may call back
	// into the guest that called it.
	ErrInstanceBusy Error = "wago: instance is running"
	// ErrInvokeTimeout: a call ran longer than [Policy] allows; the error also matches context.DeadlineExceeded.
	ErrInvokeTimeout Error = "wago: call exceeded its policy's duration"
	// ErrGuestMemory: the system has no room for a guest's memory; the text says for how many bytes, and why. The instance was
	// not made, and nothing else has happened. Close instances, lower the limit of their memories
	// ([RuntimeConfig.WithMemoryLimitPages]), or do without [RuntimeConfig.WithMappedMemory]. Also the error of a close whose
	// memory the system doesn't take back.
	ErrGuestMemory = engine.ErrMemory
	// ErrNotManaged: the caller is no instance of this manager. Not a refusal: other instances have no [ManagedInstance].
	ErrNotManaged Error = "wago: not an instance of this manager"
	// ErrNoExport: the guest exports no such function or global.
	ErrNoExport = engine.ErrNoExport
	// ErrArity: a call passes the wrong number of arguments.
	ErrArity = engine.ErrArity
	// ErrInvalidArgument: an argument of the wrong type, a nil callback, an option or import value that makes no sense.
	ErrInvalidArgument Error = "wago: invalid argument"
	// ErrImportSignature: a module imports a function with another signature than its plugin declares. The detail is an
	// [*ImportSignatureError].
	ErrImportSignature Error = "wago: import with another signature"
	// ErrInvalidModule: the bytes are no valid WebAssembly module.
	ErrInvalidModule = engine.ErrInvalidModule
	// ErrLimit: the module wants more than any guest gets: a memory that begins above the runtime's limit, more than a million
	// table entries, an import of more than 16 slots. The text names the number and the limit. Change the guest, or raise
	// [RuntimeConfig.WithMemoryLimitPages].
	ErrLimit = engine.ErrLimit
)
