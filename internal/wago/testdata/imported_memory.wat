;; Imports a memory, which is not supported.
;; Built by: wat2wasm imported_memory.wat -o imported_memory.wasm
(module (import "env" "memory" (memory 1)))
