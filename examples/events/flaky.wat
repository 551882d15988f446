;; flaky: gives back what it is given, and traps at a task that begins with an exclamation mark.
;; It has its names, so that traps name the function.
;; Built by: wat2wasm --debug-names flaky.wat -o flaky.wasm
(module $flaky
  (import "example" "own" (func $own (param i32)))
  (import "example" "next" (func $next (param i32 i32) (result i32)))
  (import "example" "done" (func $done (param i32 i32)))

  (memory (export "memory") 1 1)
  (table 1 funcref)
  (elem (i32.const 0) $work)

  (func (export "main") (call $own (i32.const 0)))

  (func $work (local $length i32)
    (loop $again
      (local.set $length (call $next (i32.const 0) (i32.const 65536)))
      (if (i32.lt_s (local.get $length) (i32.const 0)) (then (return)))
      (if (i32.eq (i32.load8_u (i32.const 0)) (i32.const 33)) (then unreachable))
      (call $done (i32.const 0) (local.get $length))
      (br $again))))
