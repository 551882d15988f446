;; Calls serve in its start section, which every fork runs: refused.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start"))
  (func $begin (call $serve (i32.const 0)))
  (func $work)
  (start $begin))
