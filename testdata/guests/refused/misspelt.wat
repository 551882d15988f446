;; Imports a function whose name is nearly one of Pool's.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "pool" "repli" (func (param i32 i32)))
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start"))
  (func $work))
