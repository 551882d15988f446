;; Says so and never comes back from _start; it never calls serve.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "pool" "log" (func $log (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "spinning")
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start")
    (call $log (i32.const 0) (i32.const 8))
    (loop $spin (br $spin)))
  (func $work))
