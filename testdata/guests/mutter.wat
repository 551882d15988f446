;; mutter: writes each record to standard output, without a line's end. At an exclamation mark it traps then. When everything is
;; served, its start function writes a dot, without a line's end too.
;; Built by: build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "pool" "next" (func $next (param i32 i32) (result i32)))
  (import "pool" "reply" (func $reply (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (data (i32.const 16) ".")
  (func (export "_start")
    (call $serve (i32.const 0))
    (call $write (i32.const 16) (i32.const 1)))
  (func $write (param $at i32) (param $len i32)
    (i32.store (i32.const 0) (local.get $at))
    (i32.store (i32.const 4) (local.get $len))
    (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))))
  (func $work (local $len i32)
    (loop $again
      (local.set $len (call $next (i32.const 1024) (i32.const 1024)))
      (if (i32.ge_s (local.get $len) (i32.const 0))
        (then
          (call $write (i32.const 1024) (local.get $len))
          (if (i32.eq (i32.load8_u (i32.const 1024)) (i32.const 33)) (then unreachable))
          (call $reply (i32.const 0) (i32.const 0))
          (br $again))))))
