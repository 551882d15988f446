;; Built by: wat2wasm start_spin.wat -o start_spin.wasm
;; The start section calls the host and then never ends.
(module
  (import "env" "void" (func $void))
  (memory 1)
  (func $start (call $void) (loop $forever (br $forever)))
  (start $start))
