;; The general guest. env.run is the host; call passes an operation to it.
;; Table: 0 worker loop (run(0) until it gives 1; 2 traps), 1 spin, 2 trap, 3 not a void function, 4 null.
;; Built by: wat2wasm guest.wat -o guest.wasm
(module
  (import "env" "run" (func $run (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1 2)
  (table (export "table") 5 5 funcref)
  (elem (i32.const 0) $loop $spin $trap $call)
  (global (export "counter") (mut i32) (i32.const 7))
  (global (export "constant") i64 (i64.const 11))
  (data (i32.const 16) "initial")

  (func $call (export "call") (param i32 i32 i32) (result i32)
    (call $run (local.get 0) (local.get 1) (local.get 2)))

  (func $loop
    (local $r i32)
    (loop $again
      (local.set $r (call $run (i32.const 0) (i32.const 0) (i32.const 0)))
      (if (i32.eq (local.get $r) (i32.const 2)) (then (unreachable)))
      (br_if $again (i32.eqz (local.get $r)))))

  (func $spin (export "spin") (loop $again (br $again)))
  (func $trap (export "trap") unreachable)
  (func (export "add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
  (func (export "mix") (param i64 f32 f64) (result f64 i64 f32)
    (local.get 2) (local.get 0) (local.get 1))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "bump") (result i32)
    (global.set 0 (i32.add (global.get 0) (i32.const 1)))
    (i32.store (i32.const 16) (i32.const -1))
    (global.get 0)))
