;; The soak's guest: what a worker does with a task is what the host answers when the guest asks for it.
;; Built by: wat2wasm guest.wat -o guest.wasm
(module
  (type $void (func))
  ;; next waits for a task (kind 0: Pool's, 1: a message of Workers') and puts it at 1024: its tag, its length, and at 1040 its
  ;; bytes. It is told how often this instance has asked, by a global and by the memory. Its answer is what to do.
  (import "soak" "next" (func $next (param $kind i32) (param $global i32) (param $memory i32) (result i32)))
  ;; reply settles the task with that tag with a result.
  (import "soak" "reply" (func $reply (param $tag i64) (param $address i32) (param $length i32)))
  ;; submit has the host submit bytes of the guest's.
  (import "soak" "submit" (func $submit (param $tag i64) (param $address i32) (param $length i32)))
  ;; begin is asked by start sections: 0 is to go on.
  (import "soak" "begin" (func $begin (result i32)))
  ;; own parks an owner.
  (import "soak" "own" (func $own (param $number i32)))
  (memory (export "memory") 1 16)
  (table 6 6 funcref)
  (elem (i32.const 0) $pooled $raw $returns $traps $spins $typed)
  (global $turn (mut i32) (i32.const 0))

  (func $start (if (call $begin) (then unreachable)))
  (start $start)

  ;; The entries.
  (func $pooled (call $serve (i32.const 0)))
  (func $raw (call $serve (i32.const 1)))
  (func $returns)
  (func $traps unreachable)
  (func $spins (loop $ever (br $ever)))
  (func $typed (param i32))

  (func $serve (param $kind i32)
    (loop $again
      (global.set $turn (i32.add (global.get $turn) (i32.const 1)))
      (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))
      (br_if $again (call $do (call $next (local.get $kind) (global.get $turn) (i32.load (i32.const 0)))))))

  ;; do makes one attempt at the task; 0 is to return.
  (func $do (param $act i32) (result i32)
    (block $pointer (block $work (block $twice (block $late (block $submits (block $fillTrap (block $fill
      (block $wrong (block $zero (block $out (block $deep (block $spin (block $trap (block $return (block $quiet (block $answer
        (br_table $answer $quiet $return $trap $spin $deep $out $zero $wrong $fill $fillTrap $submits $late $twice $work $pointer
          (local.get $act)))
      (call $answers)
      (return (i32.const 1)))
      (return (i32.const 1)))
      (return (i32.const 0)))
      unreachable)
      (call $spins))
      (call $dives))
      (drop (i32.load (i32.const -4))))
      (drop (i32.div_u (i32.const 1) (i32.const 0))))
      (call_indirect (type $void) (i32.const 5)))
      ;; fill
      (call $fills)
      (call $answers)
      (return (i32.const 1)))
    ;; fillTrap
      (call $fills)
      unreachable)
    ;; submits
      (call $submit (i64.load (i32.const 1024)) (i32.const 1040) (i32.load (i32.const 1032)))
      (call $answers)
      (return (i32.const 1)))
    ;; late
      (call $answers)
      unreachable)
    ;; twice
      (call $answers)
      (call $answers)
      (return (i32.const 1)))
    ;; work
      (call $works)
      (call $answers)
      (return (i32.const 1)))
    ;; pointer
    (call $reply (i64.load (i32.const 1024)) (i32.const -8) (i32.const 16))
    unreachable)

  ;; answers replies with the FNV-1a hash of the task's bytes.
  (func $answers
    (local $at i32) (local $end i32) (local $hash i32)
    (local.set $at (i32.const 1040))
    (local.set $end (i32.add (i32.const 1040) (i32.load (i32.const 1032))))
    (local.set $hash (i32.const 0x811c9dc5))
    (block $over
      (loop $more
        (br_if $over (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $hash
          (i32.mul (i32.xor (local.get $hash) (i32.load8_u (local.get $at))) (i32.const 16777619)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $more)))
    (i32.store (i32.const 8) (local.get $hash))
    (call $reply (i64.load (i32.const 1024)) (i32.const 8) (i32.const 4)))

  ;; fills grows the memory until that is refused, a page at a time, and writes to each page.
  (func $fills
    (local $page i32)
    (loop $more
      (if (i32.ne (local.tee $page (memory.grow (i32.const 1))) (i32.const -1))
        (then
          (i32.store (i32.mul (local.get $page) (i32.const 65536)) (i32.const 1))
          (br $more)))))

  ;; works computes for a while.
  (func $works
    (local $left i32)
    (local.set $left (i32.const 200000))
    (loop $more (br_if $more (local.tee $left (i32.sub (local.get $left) (i32.const 1))))))

  (func $dives (call $dives))

  (func (export "own") (param $number i32) (call $own (local.get $number))))
