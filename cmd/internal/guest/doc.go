// Package guest is the command's consumer plugin: it serves the host functions of the guest ABI over Pool's contract. Read it to
// see how a plugin uses a pool.
//
// The first instance's pool.serve goes to the Server, which creates the pool and stays in the call until everything is served.
// In a worker, pool.next does a whole step: it settles the task in hand, waits in DispatchNext for another, and copies it into
// the guest. What a worker answers in between, with pool.reply or pool.fail, is kept in Answers under the task's tag until the
// worker's next step, because only then is it known that there was exactly one answer.
package guest
