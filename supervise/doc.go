// Package supervise decides whether a worker that ended is replaced, and when.
//
// A [Machine] is the supervisor of one pool. It is pure: its owner tells it what happened and what time it
// is, and it answers with a [Verdict]. It starts no timer, holds no lock and knows no worker. Three ideas
// make it up:
//
//   - The policy says which exits call for a replacement at all: by default those that weren't a clean
//     return.
//   - The budget says how many replacements are still recovery, and from when on they are a crash loop:
//     by default 16 within 60 seconds. The exit that would need the next one halts the pool.
//     Replacements are forgotten one by one as they leave the window, so a pool that loses a worker now
//     and then never halts.
//   - The backoff says how long to wait before a replacement. Off by default; each failure in a row
//     doubles the span from which the delay is drawn at random, and a window without a failure ends the
//     row.
//
// A worker that ends without having taken a task is suspected of never being able to: starting it again
// spends the budget whoever asks for it, even where the policy itself wanted no replacement and even where
// restarts are unlimited. So nothing can make a pool start workers in a hot loop.
//
// The model is the supervisor of Erlang/OTP with the decay, threshold and backoff of thejerf/suture, and a
// window that slides.
package supervise
