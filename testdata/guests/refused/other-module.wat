;; Imports one of Pool's functions from where C looks for it when no module is named.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "env" "next" (func (param i32 i32) (result i32)))
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start"))
  (func $work))
