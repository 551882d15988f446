;; The tight loop: as little as there can be between two checks for an interruption.
;; Built by: build.sh
(module
  (import "bench" "own" (func $own))
  (memory (export "memory") 1 1)

  ;; turns of a loop that does nothing but count: add, compare, branch.
  (func (export "many") (param $turns i64)
    (local $i i64)
    (loop $again
      (br_if $again
        (i64.lt_u (local.tee $i (i64.add (local.get $i) (i64.const 1))) (local.get $turns)))))

  ;; tells the host that it is there, then never returns by itself.
  (func (export "forever")
    (call $own)
    (loop $ever (br $ever))))
