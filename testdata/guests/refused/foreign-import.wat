;; Imports what nobody serves.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "env" "print" (func (param i32)))
  (import "sky" "colour" (global i32))
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start"))
  (func $work))
