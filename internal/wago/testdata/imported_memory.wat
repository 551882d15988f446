;; Imports a memory, which is not supported.
(module (import "env" "memory" (memory 1)))
