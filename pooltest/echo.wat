;; A worker that gives back what it is given. "next" waits for a task, copies its payload to an address and returns its length;
;; with -1 the worker returns. "done" is told where the result lies, and its length. Between the two "turn" is asked what to do.
;; Built by: wat2wasm echo.wat -o echo.wasm
(module
  (import "pooltest" "own" (func $own (param i32)))
  (import "pooltest" "next" (func $next (param i32 i32) (result i32)))
  (import "pooltest" "done" (func $done (param i32 i32)))
  (import "pooltest" "turn" (func $turn (param i32) (result i32)))
  (memory (export "memory") 1 1)
  (table 6 funcref)
  (elem (i32.const 0) $work $returns $traps $spins $typed)

  ;; the instance that owns a pool: the entry of its workers is 0
  (func (export "own") (call $own (i32.const 0)))

  (func $work (local $length i32)
    (loop $again
      (local.set $length (call $next (i32.const 0) (i32.const 65536)))
      (block $next (block $reply (block $return (block $trap (block $spin
        (br_table $reply $return $trap $spin $next (call $turn (local.get $length))))
        (call $spins))
        unreachable)
        (return))
        (call $done (i32.const 0) (local.get $length)))
      (br $again)))

  (func $returns)
  (func $traps unreachable)
  (func $spins (loop $ever (br $ever)))
  (func $typed (param i32)))
