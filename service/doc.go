// Package service is Pool's contract and the engine behind it: pools of guest workers, the tasks they are given, and every
// call of the Workers plugin.
//
// A task's way: submit.go (the door) → strategy/<kind>.go (which worker) → deliver.go (the reservation) → Workers, within
// lease.go. What it may wait in: park.go (accepted, no mailbox had room), wait.go (not accepted yet). What happens to it: turn.go
// (a worker's host call) with dispatch.go (it takes a task) and settle.go (done or failed), exit.go (its worker ended),
// destroy.go and drain.go (its pool ended).
//
// A worker's way: spawn.go (nursery.go until it is known) → member.go → snapshot.go (who can be picked) → exit.go, or retire.go
// when nobody has a use for it. Who decides: size.go and elastic.go (how many), grow.go (who comes and who goes), limited.go (what
// stands in the way), package supervise with halt.go (whether one that ended is replaced), reconcile.go, scale.go and supervise.go
// (a live caller's verbs), keeper.go (what needs no caller).
//
// # The ledger
//
// Every task that Submit accepts is counted once in Routed and is from then on in exactly one place: a mailbox's mirror, the
// parking place, a worker's hand, or settled as done, failed or dropped. It moves between them under the locks of both, so
// that Stats, which holds all of them at once, never sees it twice or not at all.
//
// # Locks
//
// In this order: Pools.shareMu, a pool's mu, a member's mu, then the innermost ones: pool.doorMu (which may enter the event
// bus's), nursery.mu (which may enter index.mu), Pools.mu, and Workers' own.
//
//   - Pools.shareMu makes one decision of the sizing of all elastic pools.
//   - pool.mu guards size, supervision, parked tasks and waiting submits. Its owner is the pool.
//   - member.mu guards the mirror of the mailbox and the task in hand. It is held over "append to the mirror, then Send", so
//     both have one order; Send never blocks and calls no observer.
//   - No lock is held across a spawn, a blocking call of Workers, the entry of a lease, or an observer.
//
// Goroutines: one per pool, its keeper, which waits for the creator's end, for a size to be lowered and for tasks that run too
// long, owned and waited for by Pools.Stop; one per event subscription, owned by the bus; one per CallerContext, owned by its
// cancel func.
package service
