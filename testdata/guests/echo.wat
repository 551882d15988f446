;; echo: replies to every record with the record itself.
;; Built by: build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "pool" "next" (func $next (param i32 i32) (result i32)))
  (import "pool" "read" (func $read (param i32 i32 i32) (result i32)))
  (import "pool" "reply" (func $reply (param i32 i32)))

  (memory (export "memory") 1)
  (table (export "__indirect_function_table") 1 funcref)
  (elem (i32.const 0) $work)

  (func (export "_start")
    (call $serve (i32.const 0)))

  ;; The whole memory is the buffer.
  (func $capacity (result i32)
    (i32.shl (memory.size) (i32.const 16)))

  (func $work (local $len i32)
    (loop $again
      (local.set $len (call $next (i32.const 0) (call $capacity)))
      (if (i32.eq (local.get $len) (i32.const -1)) (then (return)))
      (if (i32.gt_u (local.get $len) (call $capacity)) (then (call $rest (local.get $len))))
      (call $reply (i32.const 0) (local.get $len))
      (br $again)))

  ;; Makes room for a record that is longer than the buffer and reads what next left out.
  (func $rest (param $len i32) (local $have i32)
    (local.set $have (call $capacity))
    (if (i32.eq (memory.grow (call $pages (i32.sub (local.get $len) (local.get $have)))) (i32.const -1))
      (then (unreachable)))
    (drop (call $read (local.get $have) (local.get $have) (i32.sub (local.get $len) (local.get $have)))))

  (func $pages (param $bytes i32) (result i32)
    (i32.shr_u (i32.add (local.get $bytes) (i32.const 65535)) (i32.const 16))))
