;; Built by: wat2wasm held.wat -o held.wasm
;; Calls the host while its memory is in use, and keeps on using it.
(module
  (import "env" "call" (func $call (param i32) (result i32)))
  (memory (export "memory") 16)
  (data (i32.const 0) "held")
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "poke") (param i32 i32) (i32.store8 (local.get 0) (local.get 1)))
  ;; Fills all its memory again and again.
  (func (export "fill") (param i32)
    (drop (call $call (local.get 0)))
    (loop $again
      (memory.fill (i32.const 0) (i32.const 7) (i32.shl (memory.size) (i32.const 16)))
      (br $again)))
  ;; Stores into all its pages again and again.
  (func (export "store") (param i32)
    (local $at i32)
    (drop (call $call (local.get 0)))
    (loop $again
      (i32.store8 (local.get $at) (i32.const 8))
      (local.set $at (i32.rem_u (i32.add (local.get $at) (i32.const 4096)) (i32.shl (memory.size) (i32.const 16))))
      (br $again))))
