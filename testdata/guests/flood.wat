;; flood: for each record, gives the host all the memory it can get at once, to log, to write to standard output, and as the
;; message of its failure; none of it has a line's end.
;; Built by: build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "pool" "next" (func $next (param i32 i32) (result i32)))
  (import "pool" "log" (func $log (param i32 i32)))
  (import "pool" "fail" (func $fail (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (table 1 funcref)
  (elem (i32.const 0) $work)
  (func (export "_start") (call $serve (i32.const 0)))
  (func $work
    (loop $more (br_if $more (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
    (loop $again
      (if (i32.eq (call $next (i32.const 0) (i32.const 0)) (i32.const -1)) (then (return)))
      (call $log (i32.const 0) (call $size))
      (i32.store (i32.const 0) (i32.const 0))    ;; from here
      (i32.store (i32.const 4) (call $size))     ;; so much
      (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
      (call $fail (i32.const 0) (call $size))
      (br $again)))
  (func $size (result i32) (i32.mul (memory.size) (i32.const 65536))))
