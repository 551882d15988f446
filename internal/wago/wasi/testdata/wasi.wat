;; Writes "hello\n" to standard output and exits with the given code.
;; Built by: wat2wasm wasi.wat -o wasi.wasm
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1 1)
  (table 1 1 funcref)
  (data (i32.const 0) "\10\00\00\00\06\00\00\00")
  (data (i32.const 16) "hello\n")
  (func (export "hello") (result i32)
    (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
  (func (export "exit") (param i32) (call $exit (local.get 0))))
