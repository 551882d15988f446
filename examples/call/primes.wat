;; primes: counts the primes below a number. The task is four bytes, the number, and so is the result.
;; Built by: wat2wasm primes.wat -o primes.wasm
(module
  (import "example" "own" (func $own (param i32)))
  (import "example" "next" (func $next (param i32 i32) (result i32)))
  (import "example" "done" (func $done (param i32 i32)))

  (memory (export "memory") 1 1)
  (table 1 funcref)
  (elem (i32.const 0) $work)

  ;; The first instance owns the pool and stays in this call.
  (func (export "main") (call $own (i32.const 0)))

  ;; Every worker is an instance of its own and runs this, the table's entry 0.
  (func $work
    (loop $again
      (if (i32.ne (call $next (i32.const 0) (i32.const 4)) (i32.const 4)) (then (return)))
      (i32.store (i32.const 0) (call $below (i32.load (i32.const 0))))
      (call $done (i32.const 0) (i32.const 4))
      (br $again)))

  (func $below (param $n i32) (result i32) (local $i i32) (local $count i32)
    (local.set $i (i32.const 2))
    (block $end
      (loop $each
        (br_if $end (i32.ge_u (local.get $i) (local.get $n)))
        (local.set $count (i32.add (local.get $count) (call $prime (local.get $i))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $each)))
    (local.get $count))

  (func $prime (param $n i32) (result i32) (local $d i32)
    (local.set $d (i32.const 2))
    (loop $each
      (if (i32.gt_u (i32.mul (local.get $d) (local.get $d)) (local.get $n)) (then (return (i32.const 1))))
      (if (i32.eqz (i32.rem_u (local.get $n) (local.get $d))) (then (return (i32.const 0))))
      (local.set $d (i32.add (local.get $d) (i32.const 1)))
      (br $each))
    unreachable))
