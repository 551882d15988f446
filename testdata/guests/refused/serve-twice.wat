;; Calls serve again after the first has served everything.
;; Built by: ../build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "pool" "next" (func $next (param i32 i32) (result i32)))
  (import "pool" "reply" (func $reply (param i32 i32)))
  (memory (export "memory") 1)
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start")
    (call $serve (i32.const 0))
    (call $serve (i32.const 0)))
  (func $work (local $len i32)
    (loop $again
      (local.set $len (call $next (i32.const 0) (i32.const 65536)))
      (if (i32.eq (local.get $len) (i32.const -1)) (then (return)))
      (call $reply (i32.const 0) (local.get $len))
      (br $again))))
