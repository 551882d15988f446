// Package soak runs everything at once for as long as it is told, and looks for anything that must not be: real guests that
// trap, exit, spin, exhaust stack and memory, return at once and submit to their own pool; observers that block, panic, leave and
// destroy; callers of every method with contexts that end; kills, scaling, drains, creators and runtimes that close in the middle
// of it.
//
// A run ([Run]) is a row of rounds; a round is one runtime, or two side by side; a runtime (world.go) has owners, pools of every
// shape, and actors that each draw what they do from dice of their own. All dice come from the seed, so that the same seed has
// the same pools, the same tasks and the same mischief, though not the same interleaving. What a guest does with a task is in the
// task's tag (act.go).
//
// What is held, while it goes on: package ledger's books against Stats in every sample, the order of events, ceilings, that each
// error is one the contract names for that method, that nothing stands still (watch.go). At each pool's end its last Stats
// against books and events (account.go). At each runtime's end that no instance is left, and at the run's that goroutines,
// descriptors, memory and mappings are as they were (resources.go).
package soak
