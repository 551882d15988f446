// Package workers runs functions of WebAssembly guests as workers: each in an instance of its own, on a goroutine of its own,
// with a bounded mailbox. It is a plugin of the Wago host and offers its [Service] to other plugins through [Contract].
//
// A worker is born in [Workers.Spawn], from a live host call of the instance that becomes its creator: the creator's module is
// instantiated anew and the chosen table entry is run to its end. The guest asks for a message in a host call of the consumer
// plugin, which passes the caller on to [Workers.DispatchNext]; the message goes to the message observers. A worker ends when
// its entry does. Until then it can be told to stop: by [Workers.Kill], by the close of the creator it is linked to, by an
// observer's failure, by the end of the service. What doesn't come back within the grace is interrupted; only Go code inside
// a host function can't be.
//
// # Locks
//
// [Workers].mu guards who lives, who is linked to whom, and the quota; under it the mutex of one worker may be taken, which
// guards its mailbox and how it stands. The observer lists have a mutex for their writers, and each observer has one to wait on
// in Unsubscribe; neither is held together with another. Send and DispatchNext take only the worker's. No lock is held across
// a fork, a guest's run, an observer, a join or any call of the host.
//
// # Goroutines
//
// Each worker has one, from the end of Spawn until its exit observers have run; a worker whose consumer asked for
// [Workers.Closing] has a watcher that it waits for; a grace is one timer. The end of the service waits for every worker.
package workers
