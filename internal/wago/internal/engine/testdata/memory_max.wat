;; Built by: wat2wasm memory_max.wat -o memory_max.wasm
;; A memory with a declared maximum of 3 pages.
(module
  (memory (export "memory") 2 3)
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0))))
