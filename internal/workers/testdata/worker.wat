;; A guest that does what its host function answers: 0 again, 1 return, 2 trap, 3 spin.
;; Built by: wat2wasm worker.wat -o worker.wasm
(module
  (import "env" "run" (func $run (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1 1)

  ;; What can't be a worker: entry 1 has another type, entry 2 is null, there is no entry 3.
  (table 3 funcref)
  (elem (i32.const 0) $worker $obey)

  (func $obey (param $answer i32) (result i32)
    (if (i32.eq (local.get $answer) (i32.const 2)) (then unreachable))
    (if (i32.eq (local.get $answer) (i32.const 3)) (then (loop $spin (br $spin))))
    (local.get $answer))

  (func $worker
    (loop $next
      (br_if $next (i32.eqz (call $obey (call $run (i32.const 0) (i32.const 0) (i32.const 0)))))))

  (func $start
    (drop (call $obey (call $run (i32.const 1) (i32.const 0) (i32.const 0)))))
  (start $start)

  (func (export "call") (param $job i32)
    (drop (call $obey (call $run (i32.const 2) (local.get $job) (i32.const 0))))))
