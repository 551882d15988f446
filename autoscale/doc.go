// Package autoscale decides how many workers a pool should have, and which of them go.
//
// It is pure: loads and times are arguments, nothing is remembered outside a [Damper], and the package
// knows no worker. A decision takes four steps, each a function of its own:
//
//   - [Desired] turns a pool's load into the size it wants: target tasks for each worker, within the
//     pool's bounds.
//   - A [Damper] lets the size grow at once and shrink only once the lower size has held for a while.
//   - [Share] deals out a budget that several pools live on: floors first, then max-min fairly.
//   - [Plan] turns the size decided into steps: take back, start, cordon.
//
// The rule for growth has no tolerance: a worker that is needed is asked for in the same instant. All
// steadiness lies in shrinking, which costs nothing but a few idle workers when it is late.
package autoscale
