;; Built by: wat2wasm start_import.wat -o start_import.wasm
;; The start section is an imported function.
(module
  (import "env" "void" (func $void))
  (memory (export "memory") 1)
  (start $void))
