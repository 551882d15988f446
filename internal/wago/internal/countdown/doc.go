// Package countdown makes WebAssembly guests stoppable at nearly full speed.
//
// Code that wazero generates runs on the goroutine that calls it and knows nothing
// of Go's scheduler: a guest that spins can't be told to stop, and the next
// garbage collection waits for it while the process stands still. wazero's
// close-on-context-done mends that by leaving generated code at every turn of
// every loop. Here a guest does so once in a while.
//
// [Rewrite] adds a global to a module, a counter, among idle ones that keep it
// apart from other instances', and lets each function count it down at its entry,
// at the head of each loop, and in long stretches of code, by what the code from
// there on costs. When nothing is left it calls an added
// function that fills the counter up and leaves generated code. Small functions
// without loops and calls don't count; the calls of them cost more. memory.fill
// and memory.copy are done in pieces, since one of them alone can take a second.
// Additions stand at the end of their index spaces, so that no index changes, and
// a module that was valid before can't name them. Nothing is imported or exported.
//
// A guest can leave its code by itself with a few instructions only. The one that
// every module can be given, and that ends up in a function of ours, is
// memory.grow: it asks the instance's memory allocator. So the added function asks
// for the one size that is never granted, all of 4 GiB; a module without a memory
// is given an empty one for that. The allocator is a [Gate], which calls
// [Gate.Check]: on the goroutine of the guest's call, in Go code, where the
// scheduler can have its way, and the host may look whether the call's context has
// ended and panic. That ends the call, as nothing that the guest does could.
// There is no flag that one thread writes and generated code reads, nothing runs
// beside a call, and a call that ends in time costs nothing.
//
// What one unit of the same work takes, and how long a guest that never returns
// keeps others waiting, on two cores of an AMD EPYC at 2.6 GHz (go test -bench .):
//
//	                             plain     countdown        close-on-context-done
//	SHA-256 of 1 KiB             9.1 µs    9.8 µs  (1.08)    54 µs  (6.0)
//	turn of a tight loop         0.84 ns   1.3 ns  (1.6)     24 ns  (28)
//	turn of a loop that stores   0.83 ns   1.6 ns  (2.0)     23 ns  (28)
//	recursive call               2.6 ns    2.6 ns  (1.0)    2.6 ns  (1.0)
//	call of a small function     2.1 ns    1.9 ns  (0.9)     25 ns  (12)
//	memory.fill of 16 bytes       14 ns     19 ns  (1.4)     36 ns  (2.6)
//	memory.fill of 64 KiB        610 ns    630 ns  (1.04)   650 ns  (1.07)
//	stopping a tight loop        never     0.1 ms           0.1 ms
//	stopping endless recursion   never     0.1 ms           never
//	runtime.GC (0.2 ms alone)    never     0.8 ms           0.6 ms
//
// The counter is worth 200,000 instructions, which take 10 to 50 µs as a rule and
// some milliseconds where each waits for memory. Nothing checks how long they
// take: wazero's interpreter, where there is no compiler, needs longer for them.
//
// Modules with their own ideas of 4 GiB, or with instructions of features that
// wazero leaves off by default, are refused; see [ErrMemory] and
// [ErrUnknownInstruction]. Sections .debug_* are dropped, as code has moved: traces
// name functions, and no lines.
package countdown
