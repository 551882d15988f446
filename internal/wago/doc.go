// Package wago is a host for WebAssembly guests and for the plugins that serve them, on the wazero engine.
//
// A [Runtime] loads plugins once, all together: [Runtime.LoadPlugins] resolves the operator's selections against the linked
// definitions, registers each plugin, publishes everything they contribute in one step, and starts them, providers before
// consumers. Then [Runtime.Compile] and [Runtime.Instantiate] make guests, whose imports the plugins answer, and
// [Instance.Invoke] and [Instance.Call] run them. [Runtime.Close] takes everything apart in the reverse order and is
// complete when it returns.
//
// A plugin can do what its definition asks for and the operator grants, and only through the handles of its [Registrar]:
// define host imports, observe or refuse compilations, instantiations, calls and closes, tell callers apart, and own
// instances: an [InstanceManager] forks the guest that calls. What plugins offer each other are contracts; package plugin
// gives them types.
//
// # Guests
//
// Guests run in parallel, one goroutine each. Every guest can be stopped: by the context of its call, by the close of its
// instance, or by its policy. An instance whose guest was left in the middle of something, by a trap, an exit, an
// interruption or a failed host function, refuses further calls. A host function that panics or ends its goroutine ends the
// guest's call with an error, never the process. While a host function runs it has a [HostModule], the caller, which is its
// credential towards the handles.
//
// A guest is stopped within about a tenth of a millisecond: its module is rewritten when it is compiled, so that the guest
// looks up from its work now and then. A garbage collection doesn't wait for a guest either. What that costs, beside a guest
// that nothing could stop and one that the engine watches by its own means (close-on-context-done), is for one unit of the
// same work, on an AMD EPYC at 2.6 GHz:
//
//	                      unstoppable   rewritten        watched
//	SHA-256 of 1 KiB      9.1 µs        9.8 µs (1.08)    54 µs (6.0)
//	turn of a tight loop  0.84 ns       1.3 ns (1.6)     24 ns (28)
//	recursive call        2.6 ns        2.6 ns (1.0)    2.6 ns (1.0), and never stops
//
// A module that can't be rewritten is watched; [ModuleMetadata] says which. Of a rewritten module the host reads no debug
// information: traces name functions, and no lines.
//
// On Linux a guest's memory is mapped for the most it may ever have: see [RuntimeConfig.WithMappedMemory]. It is unmapped when
// its instance is released, which is after the last call has left.
//
// Recursion in a guest can take 160 MiB of host memory whatever the guest's memory limit, until its instance ends.
//
// # What is not supported
//
// Each of these gives an error that wraps [ErrUnsupported] and names the thing: compiler types and instructions,
// ModuleSourceTransformer, CoreFuncRefFactory, CoreModuleCompiler, CoreInstanceInstantiator; stores for external references
// (callers don't implement [ExternRefHostModule]); [WithGC]; imported memories, tables and mutable globals, and imports given
// as [InstanceExport]; the switches of [RuntimeConfig] for features, bounds checks and function workers; v128 in
// [Instance.Call] and [Value].
//
// # Extras
//
// These exist in this host only: [SelectAll], [ManagedInstance.Attach] and [ManagedInstance.Attached], the Enter and Leave of a
// plugin.Ref, [Interruption], [InstanceManager.Closing], [Runtime.Instances], [Runtime.Mappings],
// [RuntimeConfig.WithMappedMemory], [RuntimeConfig.MappedMemory], [Runtime.CapabilityDocs], [HostImportRegistrar.WASI],
// [ContractRef.Enter] and [ContractRef.Leave], the Ceiling of a [BudgetError], the String of a [FuncSig], and the error
// constants beyond ErrPermissionDenied, ErrManagedImportLifetime, ErrMissingImport, ErrInvalidHandle, ErrPluginConflict,
// ErrCallbackPanic, ErrForeignModule and ErrUnsupported.
//
// One thing is stricter than in the published host, where what a plugin declares of a function's types is for inspection
// only: see [ImportModuleBuilder.Func].
//
// # Locks
//
// No lock is held across guest code, a hook, a host function, a plugin's callback or a wait for one of them. A goroutine
// holds two of them only when it goes from a [Module] to its [Compiled]. The others are taken alone: [Runtime] (its phase and
// what it must close), [Instance] (its calls and its close), [InstanceManager] (its instances), a manager's budget,
// [Registrar], and the set of goroutines that run callbacks. Below all of them lie the engine's own.
package wago
