;; echo-trap: echoes every record but each thousandth, at which it traps.
;; Built by: build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "pool" "next" (func $next (param i32 i32) (result i32)))
  (import "pool" "reply" (func $reply (param i32 i32)))
  (import "pool" "tag" (func $tag (result i64)))

  (memory (export "memory") 1)
  (table (export "__indirect_function_table") 1 funcref)
  (elem (i32.const 0) $work)

  (func (export "_start")
    (call $serve (i32.const 0)))

  ;; Records longer than the buffer trap too: this guest is for short ones.
  (func $work (local $len i32)
    (loop $again
      (local.set $len (call $next (i32.const 0) (i32.const 65536)))
      (if (i32.eq (local.get $len) (i32.const -1)) (then (return)))
      (if (i64.eqz (i64.rem_u (call $tag) (i64.const 1000))) (then (unreachable)))
      (call $reply (i32.const 0) (local.get $len))
      (br $again))))
