;; Imports pool.next with a signature of its own.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "pool" "next" (func (param i32) (result i64)))
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start"))
  (func $work))
