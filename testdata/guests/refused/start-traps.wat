;; Traps in _start.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start") (unreachable))
  (func $work))
