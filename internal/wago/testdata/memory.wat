;; A memory of 16 MiB without a declared maximum. env.run is the host; the first argument says where from:
;; 9 the start section, which traps if it gives 1; 0 the worker, again and again until it gives 1, while 2 traps and 3 spins;
;; 8 fill, before it fills all the memory again and again.
;; Built by: wat2wasm memory.wat -o memory.wasm
(module
  (import "env" "run" (func $run (param i32 i32 i32) (result i32)))
  (memory (export "memory") 256)
  (table 1 1 funcref)
  (elem (i32.const 0) $work)
  (data (i32.const 65536) "initial")
  (start $start)
  (func $start
    (if (i32.eq (call $run (i32.const 9) (i32.const 0) (i32.const 0)) (i32.const 1)) (then (unreachable))))
  (func $work
    (local $r i32)
    (loop $again
      (i32.store8 (i32.const 0x100000) (i32.const 1))
      (i32.store8 (i32.const 0xffffff) (i32.const 1))
      (local.set $r (call $run (i32.const 0) (i32.const 0) (i32.const 0)))
      (if (i32.eq (local.get $r) (i32.const 2)) (then (unreachable)))
      (if (i32.eq (local.get $r) (i32.const 3)) (then (loop $spin (br $spin))))
      (br_if $again (i32.eqz (local.get $r)))))
  (func (export "call") (param i32 i32 i32) (result i32)
    (call $run (local.get 0) (local.get 1) (local.get 2)))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "fill")
    (drop (call $run (i32.const 8) (i32.const 0) (i32.const 0)))
    (loop $again
      (memory.fill (i32.const 0) (i32.const 7) (i32.shl (memory.size) (i32.const 16)))
      (br $again))))
