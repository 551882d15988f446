;; The rig's guest: what a worker does is decided by the host function "run", call by call.
;; Built by: wat2wasm guest.wat -o guest.wasm
;; With its names, so that traps name the function:
;; Built by: wat2wasm --debug-names guest.wat -o named.wasm
(module $rig
  (type $void (func))
  (import "env" "run" (func $run (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1 16)
  (table 8 funcref)
  (elem (i32.const 0) $loop $returns $traps $spins $typed)
  (elem (i32.const 6) $raw)
  (global $count (mut i32) (i32.const 0))

  ;; what the answers of "run" mean: 0 next, 1 return, else a way to go
  (func $act (param $how i32) (result i32)
    (block $submit (block $grow (block $wrong (block $zero (block $out (block $deep (block $spin (block $trap (block $return (block $next
      (br_table $next $return $trap $spin $deep $out $zero $wrong $grow $submit (local.get $how)))
      (return (i32.const 0)))
      (return (i32.const 1)))
      unreachable)
      (call $spins))
      (call $dive))
      (return (i32.load (i32.const -4))))
      (return (i32.div_u (i32.const 1) (i32.const 0))))
      (call_indirect (type $void) (i32.const 4)))
    (call $fill)
    (return (call $act (call $run (i32.const 5) (i32.const 0) (i32.const 0)))))
    ;; submit the bytes whose address and length are at 0 and 4, and do what the answer says
    (call $act (call $run (i32.const 4) (i32.load (i32.const 0)) (i32.load (i32.const 4)))))

  ;; grow until refused, a page at a time, and write to each page
  (func $fill
    (local $page i32)
    (loop $more
      (if (i32.ne (local.tee $page (memory.grow (i32.const 1))) (i32.const -1))
        (then
          (i32.store (i32.mul (local.get $page) (i32.const 65536)) (i32.const 1))
          (br $more)))))

  (func $turns (param $op i32)
    (loop $again
      (global.set $count (i32.add (global.get $count) (i32.const 1)))
      (br_if $again (i32.eqz (call $act (call $run (local.get $op) (global.get $count) (i32.const 0)))))))

  (func $loop (call $turns (i32.const 0)))
  (func $raw (call $turns (i32.const 2)))
  (func $returns)
  (func $traps unreachable)
  (func $spins (loop $ever (br $ever)))
  (func $typed (param i32))
  (func $dive (call $dive))

  ;; the owner parks in the host, which makes its calls from there
  (func (export "own") (drop (call $run (i32.const 1) (i32.const 0) (i32.const 0)))))
