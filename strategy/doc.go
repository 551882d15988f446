// Package strategy decides which worker gets a task.
//
// A [Picker] is built once for a pool. Whenever the pool's membership changes, its owner describes the
// slots a worker can stand in as [Entry] values and asks the picker for the next [View]; the view is
// immutable and is published with one atomic store. From then on every pick reads that view: no lock, no
// allocation, from any number of goroutines. A pick answers with a position in the entries, never with a
// worker: the package knows nothing of workers, tasks or time, and can be used for anything that has slots
// and loads.
//
// A pick may be stale by the time it is used, and a worker may be full. So each pick comes with a [Walk],
// and [Picker.Next] continues it through every other eligible position, once each, in the order the
// strategy itself would prefer.
//
// There is one file per strategy: round robin, least loaded, random, power of two, consistent hash and
// broadcast. They share view.go, and nothing else but arithmetic.
package strategy
