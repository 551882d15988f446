;; Serves a table entry in which there is no function.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (table 2 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start") (call $serve (i32.const 1)))
  (func $work))
