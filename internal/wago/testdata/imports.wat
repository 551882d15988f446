;; Imports of two modules, a constant among them, to see what is provided and what is missing.
;; Built by: wat2wasm imports.wat -o imports.wasm
(module
  (import "env" "run" (func (param i32 i32 i32) (result i32)))
  (import "other" "help" (func (param i64) (result f64)))
  (import "env" "constant" (global $constant i32))
  (func (export "constant") (result i32) (global.get $constant)))
