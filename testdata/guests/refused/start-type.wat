;; Its _start takes a parameter.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start") (param i32) (call $serve (i32.const 0)))
  (func $work))
