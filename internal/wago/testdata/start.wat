;; A start section that calls the host, which decides what becomes of it: 1 traps, 2 spins.
;; Built by: wat2wasm start.wat -o start.wasm
(module
  (import "env" "run" (func $run (param i32 i32 i32) (result i32)))
  (memory 1 1)
  (table 1 1 funcref)
  (elem (i32.const 0) $idle)
  (func $idle)
  (func $start
    (local $r i32)
    (local.set $r (call $run (i32.const 9) (i32.const 0) (i32.const 0)))
    (if (i32.eq (local.get $r) (i32.const 1)) (then (unreachable)))
    (if (i32.eq (local.get $r) (i32.const 2)) (then (loop $again (br $again)))))
  (func (export "call") (param i32) (result i32)
    (call $run (local.get 0) (i32.const 0) (i32.const 0)))
  (start $start))
