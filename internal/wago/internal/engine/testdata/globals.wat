;; Built by: wat2wasm globals.wat -o globals.wasm
;; Imports constants, from a module that functions come from too and from another.
(module
  (import "env" "base" (global $base i32))
  (import "env" "call" (func $call (param i32) (result i32)))
  (import "env" "big" (global $big i64))
  (import "math" "pi" (global $pi f64))
  (import "math" "half" (global $half f32))
  (memory (export "memory") 1)
  (data (global.get $base) "x")
  (func (export "base") (result i32) (global.get $base))
  (func (export "big") (result i64) (global.get $big))
  (func (export "pi") (result f64) (global.get $pi))
  (func (export "half") (result f32) (global.get $half))
  (func (export "call") (param i32) (result i32) (call $call (local.get 0)))
  (export "exported" (global $big)))
