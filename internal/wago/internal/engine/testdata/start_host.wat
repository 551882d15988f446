;; Built by: wat2wasm start_host.wat -o start_host.wasm
;; The start section calls the host, with a memory to look at.
(module
  (import "env" "void" (func $void))
  (memory (export "memory") 1)
  (data (i32.const 0) "start")
  (func $start (call $void))
  (start $start)
  (func (export "five") (result i32) (i32.const 5))
  (func (export "trap") (unreachable)))
