;; shout: turns ASCII letters of each task into capitals, and traps at a task that begins with an exclamation mark.
;; Built by: wat2wasm shout.wat -o shout.wasm
(module
  (import "shout" "own" (func $own (param i32)))
  (import "shout" "next" (func $next (param i32 i32) (result i32)))
  (import "shout" "done" (func $done (param i32 i32)))

  (memory (export "memory") 1 1)
  (table 1 funcref)
  (elem (i32.const 0) $work)

  ;; The first instance owns the pool: it stays in this call as long as there is work.
  (func (export "main")
    (call $own (i32.const 0)))

  ;; Every worker is an instance of its own and runs this, the table's entry 0.
  (func $work (local $len i32)
    (loop $again
      (local.set $len (call $next (i32.const 0) (i32.const 64)))
      (if (i32.lt_s (local.get $len) (i32.const 0)) (then (return)))
      (if (i32.and (i32.gt_s (local.get $len) (i32.const 0)) (i32.eq (i32.load8_u (i32.const 0)) (i32.const 33)))
        (then unreachable))
      (call $capitals (local.get $len))
      (call $done (i32.const 0) (local.get $len))
      (br $again)))

  (func $capitals (param $len i32) (local $at i32) (local $byte i32)
    (block $end
      (loop $each
        (br_if $end (i32.ge_u (local.get $at) (local.get $len)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.lt_u (i32.sub (local.get $byte) (i32.const 97)) (i32.const 26))
          (then (i32.store8 (local.get $at) (i32.sub (local.get $byte) (i32.const 32)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each)))))
