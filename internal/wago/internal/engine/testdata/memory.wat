;; Built by: wat2wasm memory.wat -o memory.wasm
;; Grows, and touches, a memory without a declared maximum.
(module
  (memory (export "memory") 1)
  (data (i32.const 16) "hello")
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "size") (result i32) (memory.size))
  (func (export "poke") (param i32 i32) (i32.store8 (local.get 0) (local.get 1)))
  (func (export "peek") (param i32) (result i32) (i32.load8_u (local.get 0))))
