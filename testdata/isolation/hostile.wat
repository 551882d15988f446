;; A guest that attacks: what it does with a task is decided by the rig's "run", call by call, as for the rig's own guest. Where
;; the rig's guest ends, this one goes on for ever, in guest code.
;; Built by: wat2wasm hostile.wat -o hostile.wasm
(module
  (type $void (func))
  (import "env" "run" (func $run (param i32 i32 i32) (result i32)))
  (import "hostile" "found" (func $found (param i32)))
  (import "hostile" "submit" (func $submit (param i32 i32)))
  (import "hostile" "create" (func $create))
  (import "hostile" "scale" (func $scale (param i32)))
  (import "hostile" "log" (func $log (param i32 i32)))
  (memory (export "memory") 1)
  (table 4 funcref)
  (elem (i32.const 0) $work $typed)
  (table $more 1 funcref)

  ;; The answers of "run", as package rig names them up to 7. 0: the worker goes on.
  (func $act (param $how i32) (result i32)
    (block $outside (block $tables (block $pages (block $logs (block $scales (block $creates (block $floods (block $spies (block $plants
      (block $wrong (block $zero (block $bounds (block $deep (block $spin (block $trap (block $return (block $next
        (br_table $next $return $trap $spin $deep $bounds $zero $wrong
          $plants $spies $floods $creates $scales $logs $pages $tables $outside (local.get $how)))
      (return (i32.const 0)))
      (return (i32.const 1)))
      unreachable)
      (loop $ever (br $ever)))
      (call $dive))
      (return (i32.load (i32.const -4))))
      (return (i32.div_u (i32.const 1) (i32.const 0))))
      (call_indirect (type $void) (i32.const 1)))
      (call $plant) (return (i32.const 0)))
      (call $spy) (return (i32.const 0)))
      (loop $ever (call $submit (i32.const 0) (i32.const 4096)) (br $ever)))
      (loop $ever (call $create) (br $ever)))
      (loop $ever (call $scale (i32.const -1)) (call $scale (i32.const 0)) (br $ever)))
      (loop $ever (call $log (i32.const 0) (i32.mul (memory.size) (i32.const 65536))) (br $ever)))
      (loop $ever (drop (memory.grow (i32.const 1))) (drop (memory.grow (i32.const -1))) (br $ever)))
      (loop $ever (drop (table.grow $more (ref.null func) (i32.const 4096))) (br $ever)))
    ;; where another instance's memory might be: just behind its own, and as far away as an address goes
    (call $log (i32.mul (memory.size) (i32.const 65536)) (i32.const 8))
    (i32.const 0))

  ;; all the memory there can be, full of the secret
  (func $plant (local $at i32)
    (call $grow)
    (loop $more
      (i64.store (local.get $at) (i64.const 0x5ec2e75ec2e75ec2))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (call $size)))))

  ;; says how many words of all the memory there can be are not as they begin
  (func $spy (local $at i32) (local $count i32)
    (call $grow)
    (loop $more
      (local.set $count (i32.add (local.get $count) (i64.ne (i64.load (local.get $at)) (i64.const 0))))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (call $size))))
    (call $found (local.get $count)))

  (func $grow (loop $more (br_if $more (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))))
  (func $size (result i32) (i32.mul (memory.size) (i32.const 65536)))
  (func $dive (call $dive))
  (func $typed (param i32))

  (func $work
    (loop $again (br_if $again (i32.eqz (call $act (call $run (i32.const 0) (i32.const 0) (i32.const 0)))))))

  ;; the owner has the secret in all its memory before it makes anything
  (func (export "own") (call $plant) (drop (call $run (i32.const 1) (i32.const 0) (i32.const 0)))))
