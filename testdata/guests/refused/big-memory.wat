;; Needs 128 MiB to begin with.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (memory (export "memory") 2048)
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start") (call $serve (i32.const 0)))
  (func $work))
