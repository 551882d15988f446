;; Calls next in the first instance, which is not a worker.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "pool" "next" (func $next (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start")
    (drop (call $next (i32.const 0) (i32.const 65536)))
    (call $serve (i32.const 0)))
  (func $work))
