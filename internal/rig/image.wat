;; A guest that scribbles over its whole memory before every task but the first. What its memory begins with is told by the
;; data segments alone: the first bytes, some across the border of two pages, the last bytes of three pages.
;; Built by: wat2wasm image.wat -o image.wasm
;; With 16 MiB of memory:
;; Built by: sed 's/"memory") 3 16/"memory") 256 260/' image.wat | wat2wasm - -o image16.wasm
(module $image
  (type $void (func))
  (import "env" "run" (func $run (param i32 i32 i32) (result i32)))
  (memory (export "memory") 3 16)
  (table 1 funcref)
  (elem (i32.const 0) $loop)
  (data (i32.const 0) "the first bytes")
  (data (i32.const 65530) "across the border")
  (data (i32.const 196594) "the last bytes")
  (global $count (mut i32) (i32.const 0))

  (func $loop
    (local $how i32)
    (loop $again
      (global.set $count (i32.add (global.get $count) (i32.const 1)))
      (local.set $how (call $run (i32.const 0) (global.get $count) (i32.const 0)))
      (call $scribble)
      (br_if $again (i32.eqz (local.get $how)))
      (if (i32.ne (local.get $how) (i32.const 1)) (then unreachable))))

  ;; a page more, until refused, and no byte as it began
  (func $scribble
    (drop (memory.grow (i32.const 1)))
    (memory.fill (i32.const 0) (i32.or (global.get $count) (i32.const 128)) (i32.mul (memory.size) (i32.const 65536))))

  (func (export "own") (drop (call $run (i32.const 1) (i32.const 0) (i32.const 0)))))
