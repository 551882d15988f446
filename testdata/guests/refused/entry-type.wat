;; Its entry takes a parameter: not a worker's entry.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start") (call $serve (i32.const 0)))
  (func $work (param i32)))
