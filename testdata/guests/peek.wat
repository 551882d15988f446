;; peek: replies with all that next and read put into its memory, beginning each time with a memory full of zeros.
;; Built by: build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "pool" "next" (func $next (param i32 i32) (result i32)))
  (import "pool" "read" (func $read (param i32 i32 i32) (result i32)))
  (import "pool" "reply" (func $reply (param i32 i32)))
  (memory (export "memory") 2)
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start") (call $serve (i32.const 0)))
  (func $work (local $len i32)
    (loop $again
      (memory.fill (i32.const 0) (i32.const 0) (i32.const 131072))
      (local.set $len (call $next (i32.const 0) (i32.const 16)))
      (if (i32.eq (local.get $len) (i32.const -1)) (then (return)))
      (drop (call $read (i32.const 0) (i32.const 0) (i32.const 65536)))                  ;; all of it, and what is behind
      (drop (call $read (local.get $len) (i32.const 65536) (i32.const 1024)))            ;; behind it
      (drop (call $read (i32.const 16777216) (i32.const 66560) (i32.const 1024)))        ;; far behind it
      (drop (call $read (i32.const -1) (i32.const 67584) (i32.const 1024)))              ;; as far as an offset goes
      (call $reply (i32.const 0) (i32.const 68608))
      (br $again))))
