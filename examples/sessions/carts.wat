;; carts: keeps the sum of each session's cart in its own memory. A task is sixteen bytes: the session (i64, not 0), how many
;; things are in its cart (i32), and the price of one more (i32). The result is the new sum (i32), or -1 when this worker
;; doesn't know of so many: it has to be told all of them again. A negative price is a bug of this guest: it traps.
;; Built by: wat2wasm carts.wat -o carts.wasm
(module
  (import "example" "own" (func $own (param i32)))
  (import "example" "next" (func $next (param i32 i32) (result i32)))
  (import "example" "done" (func $done (param i32 i32)))

  ;; 0: the task and the result; from 16 on: entries of a session, how many things, and their sum
  (memory (export "memory") 1 1)
  (table 1 funcref)
  (elem (i32.const 0) $work)

  (func (export "main") (call $own (i32.const 0)))

  (func $work
    (loop $again
      (if (i32.ne (call $next (i32.const 0) (i32.const 16)) (i32.const 16)) (then (return)))
      (i32.store (i32.const 0)
        (call $add (call $find (i64.load (i32.const 0))) (i32.load (i32.const 8)) (i32.load (i32.const 12))))
      (call $done (i32.const 0) (i32.const 4))
      (br $again)))

  (func $add (param $entry i32) (param $things i32) (param $price i32) (result i32)
    (if (i32.lt_s (local.get $price) (i32.const 0)) (then unreachable))
    (if (i32.eqz (local.get $things)) (then (i64.store offset=8 (local.get $entry) (i64.const 0)))) ;; from the beginning
    (if (i32.ne (i32.load offset=8 (local.get $entry)) (local.get $things)) (then (return (i32.const -1))))
    (i32.store offset=8 (local.get $entry) (i32.add (local.get $things) (i32.const 1)))
    (i32.store offset=12 (local.get $entry) (i32.add (i32.load offset=12 (local.get $entry)) (local.get $price)))
    (i32.load offset=12 (local.get $entry)))

  ;; the entry of a session, which may be new
  (func $find (param $session i64) (result i32) (local $entry i32)
    (loop $each
      (local.set $entry (i32.add (local.get $entry) (i32.const 16)))
      (if (i64.eqz (i64.load (local.get $entry))) (then (i64.store (local.get $entry) (local.get $session))))
      (br_if $each (i64.ne (i64.load (local.get $entry)) (local.get $session))))
    (local.get $entry)))
