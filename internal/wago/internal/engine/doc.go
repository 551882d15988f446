// Package engine runs WebAssembly guests on wazero, and knows nothing of plugins.
//
// An [Engine] compiles a binary into a [Module]; a module is instantiated any
// number of times into anonymous [Instance] values that share its compiled code
// and one set of host functions. What a guest imports is answered by the
// [Host] in its [Bindings]: every imported function that is not WASI's arrives
// at Host.CallHost with its index, its parameters and its zeroed results.
//
// A call ends in one of the ways listed at [Instance.Call], and each of them has
// one error type. Anything that leaves a guest in the middle of its work (a
// trap, an exit, a host function that aborts, a context that ends) ends the
// instance for good: [Instance.Ended] reports it and later calls are refused
// with [EndedError]. Nothing is ever closed under a running guest: the only way
// to stop one is to end the context of its call. For that modules are rewritten by
// package countdown when they are compiled: the guest itself comes by every now
// and then, in its own goroutine, and finds that its context has ended. The few
// modules that can't be rewritten are left to wazero's own watching, which is
// slower; [Module.Interruption] says which. wazero settles that for a runtime as a
// whole, so that an engine has two of them, the second once it is needed.
//
// A guest's memory is made before the guest and lives until its instance is closed:
// see package linear for why it is neither the guest's nor wazero's to free.
//
// Engine, Module and their methods are safe for concurrent use. An Instance
// belongs to one goroutine at a time, which may call it again from inside its
// own host functions.
package engine
