;; echo: gives back what it is given.
;; Built by: wat2wasm echo.wat -o echo.wasm
(module
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
      (call $done (i32.const 0) (local.get $length))
      (br $again))))
