;; Built by: wat2wasm --debug-names kernels.wat -o kernels.wasm
;; Code that goes on for as long as it is told to, or for ever.
(module
  (memory (export "memory") 1)
  (global $calls (export "calls") (mut i32) (i32.const 0))

  (func (export "spin") (loop $forever (br $forever)))
  (func $sum (export "sum") (param $n i32) (result i32) (local $sum i32)
    (loop $next
      (local.set $sum (i32.add (local.get $sum) (local.get $n)))
      (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (local.get $sum))
  (func (export "store") (param $n i32)
    (loop $next
      (i32.store (i32.and (local.get $n) (i32.const 0xfff0)) (local.get $n))
      (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1))))))
  (func $fib (export "fib") (param $n i32) (result i32)
    (if (result i32) (i32.lt_u (local.get $n) (i32.const 2))
      (then (local.get $n))
      (else (i32.add
        (call $fib (i32.sub (local.get $n) (i32.const 1)))
        (call $fib (i32.sub (local.get $n) (i32.const 2)))))))
  (func $triple (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))
  (func (export "leaves") (param $n i32) (result i32) (local $x i32)
    (loop $next
      (local.set $x (call $triple (local.get $x)))
      (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (local.get $x))
  (func (export "fills") (param $n i32) (param $bytes i32)
    (loop $next
      (memory.fill (i32.const 0) (i32.const 1) (local.get $bytes))
      (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1))))))

  ;; Fills all of its memory, in two loops that never end.
  (func (export "fill_for_ever") (local $byte i32)
    (drop (memory.grow (i32.const 63)))
    (loop $outer
      (local.set $byte (i32.const 0))
      (loop $inner
        (memory.fill (i32.const 0) (local.get $byte) (i32.const 0x400000))
        (br_if $inner (i32.lt_u (local.tee $byte (i32.add (local.get $byte) (i32.const 1))) (i32.const 256))))
      (br $outer)))

  ;; Calls itself, and never from a loop.
  (func $again (export "recurse_for_ever") (param $n i32)
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (if (local.get $n) (then
      (call $again (i32.sub (local.get $n) (i32.const 1)))
      (call $again (i32.sub (local.get $n) (i32.const 1))))))

  (func $inner (unreachable))
  (func $outer (export "trap") (call $inner))
  (func (export "fill_trap") (memory.fill (i32.const 0xffff) (i32.const 1) (i32.const 0x20000)))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "size") (result i32) (memory.size)))
