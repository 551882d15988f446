// Package lease counts who is inside, and closes the door for good: the admission rule behind contract references, plugin
// callbacks and runtime operations.
//
// The rules of a [Gate]:
//
//   - A gate goes through new, open, closing and closed, in that order, never back. New and closed may be adjacent: a gate that
//     was never opened can be closed.
//   - Enter succeeds only while the gate is open. There is no mutual exclusion: any number may be inside.
//   - Each successful Enter is followed by exactly one Leave. A failed Enter is followed by none.
//   - Close refuses new entries at once and returns without waiting, so whoever is inside may call it.
//   - Closing becomes closed when the last one leaves. Wait and Done report exactly that moment, so a goroutine that is inside
//     must not Wait: it would wait for itself.
//   - An Enter nested in another is an entry of its own: it fails once Close was called, although the outer one is still
//     inside.
//   - What happened before a Leave is visible to whoever learns from Wait or Done that the gate is closed, and what happened
//     before Open to whoever enters.
//
// Enter and Leave cost one atomic addition each, of a count that cores don't share as a rule, and allocate nothing.
package lease
