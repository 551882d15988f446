;; A memory and a table without a declared maximum.
;; Built by: wat2wasm nomax.wat -o nomax.wasm
(module
  (import "env" "run" (func $run (param i32 i32 i32) (result i32)))
  (memory 1)
  (table 1 funcref)
  (func (export "call") (param i32 i32 i32) (result i32)
    (call $run (local.get 0) (local.get 1) (local.get 2)))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0))))
