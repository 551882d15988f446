;; A worker that calls one host function in a loop. "step" waits for the next task; with -1 the worker returns. After each
;; call "turn" is asked what to do.
;; Built by: wat2wasm loop.wat -o loop.wasm
(module
  (import "pooltest" "own" (func $own (param i32)))
  (import "pooltest" "step" (func $step (result i32)))
  (import "pooltest" "turn" (func $turn (param i32) (result i32)))
  (memory (export "memory") 1 1)
  (table 6 funcref)
  (elem (i32.const 0) $work $returns $traps $spins $typed)

  ;; the instance that owns a pool: the entry of its workers is 0
  (func (export "own") (call $own (i32.const 0)))

  (func $work
    (loop $again
      (block $next (block $return (block $trap (block $spin
        (br_table $next $return $trap $spin $next (call $turn (call $step))))
        (call $spins))
        unreachable)
        (return))
      (br $again)))

  (func $returns)
  (func $traps unreachable)
  (func $spins (loop $ever (br $ever)))
  (func $typed (param i32)))
