;; Built by: wat2wasm wasi_start.wat -o wasi_start.wasm
;; The start section opens the file "f" and traps.
(module
  (import "wasi_snapshot_preview1" "path_open" (func $path_open
    (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 256) "f")
  (func $start
    (br_if 0 (call $path_open (i32.const 3) (i32.const 0) (i32.const 256) (i32.const 1)
      (i32.const 0) (i64.const 2) (i64.const 2) (i32.const 0) (i32.const 8)))
    (unreachable))
  (start $start))
