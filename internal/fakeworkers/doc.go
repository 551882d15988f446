// Package fakeworkers is the Workers service without an engine: guests are functions, instances are records, and nothing is
// random. It is what Pool is tested on where a test wants to decide every step, down to a spawn that is refused, one that
// hangs, or a message that a mailbox will not take.
//
// A [Fake] is a [workerstest.Harness], and passes the suite that the real service passes. Beyond that it can be made worse
// than real: [Config.Without] takes extras away, so that what is left is the published service, and [Fake.Hook] has a test
// refuse or delay single operations.
//
// Nothing in here reads a clock but for the grace of a kill, and everything that waits waits on a channel, so a Fake that is
// made in a testing/synctest bubble is deterministic.
package fakeworkers
