;; Built by: wat2wasm start_spin.wat -o start_spin.wasm
;; A start section that never ends, without a memory and without globals.
(module
  (start $spin)
  (func $spin (loop $forever (br $forever))))
