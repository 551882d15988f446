;; Built by: wat2wasm start_trap.wat -o start_trap.wasm
;; The start section traps.
(module
  (memory 1)
  (func $start (unreachable))
  (start $start))
