;; The trivial guest: a task is nothing but the host call that fetches the next one.
;; Built by: build.sh
(module
  (import "bench" "next" (func $next (param i32 i32) (result i32)))
  (import "bench" "own" (func $own))
  (memory (export "memory") 1 1)
  (table 1 1 funcref)
  (elem (i32.const 0) $serve)

  ;; The worker's entry. next brings a task of that length; -1 is to return, -2 to trap.
  (func $serve (export "serve")
    (local $length i32)
    (loop $again
      (if (i32.ge_s (local.tee $length (call $next (i32.const 1024) (i32.const 1024))) (i32.const 0))
        (then
          (drop (call $run (local.get $length)))
          (br $again)))
      (if (i32.eq (local.get $length) (i32.const -2)) (then unreachable))))

  ;; One task, whose bytes are in the buffer.
  (func $run (export "run") (param $length i32) (result i32)
    (local.get $length))

  ;; Where serve is in the table, and where run finds a task.
  (func (export "entry") (result i32) (i32.const 0))
  (func (export "buffer") (result i32) (i32.const 1024))
  (func (export "own") (call $own)))
