;; Imports its memory.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "env" "memory" (memory 1))
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start"))
  (func $work))
