// Package ledger keeps books on pools by itself: what callers were told when they submitted, what guests had in hand and how it
// ended, and what events reported. It holds a pool's own ledger against them, at any moment ([Book.Check]) and at the pool's end
// ([Book.CheckFinal]), so that Stats is never compared only with itself.
//
// A [Book] is one pool's. A caller opens a [Draft] for each task and closes it with what the submit returned; a guest says which
// task it has taken, and when it has settled it. Between the two stands one word for each task, in which everything that must
// not happen shows at once: a task that was refused and runs, that runs again after its end, that is tried too often.
// [Sequence] and [Life] do the same for events.
package ledger
