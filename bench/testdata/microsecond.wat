;; A guest that computes for about a microsecond a task: rounds of Marsaglia's xorshift64, four to a turn of the loop.
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

  ;; One task, whose bytes are in the buffer: they seed the generator.
  (func $run (export "run") (param $length i32) (result i32)
    (local $x i64)
    (local $turns i32)
    (local.set $x (i64.or (i64.load (i32.const 1024)) (i64.const 1)))
    (local.set $turns (i32.const 128))
    (loop $again
      (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 13))))
      (local.set $x (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 7))))
      (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 17))))
      (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 13))))
      (local.set $x (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 7))))
      (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 17))))
      (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 13))))
      (local.set $x (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 7))))
      (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 17))))
      (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 13))))
      (local.set $x (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 7))))
      (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 17))))
      (br_if $again (local.tee $turns (i32.sub (local.get $turns) (i32.const 1)))))
    (i32.wrap_i64 (local.get $x)))

  ;; Where serve is in the table, and where run finds a task.
  (func (export "entry") (result i32) (i32.const 0))
  (func (export "buffer") (result i32) (i32.const 1024))
  (func (export "own") (call $own)))
