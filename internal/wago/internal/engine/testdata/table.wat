;; Built by: wat2wasm table.wat -o table.wasm
;; A table with every kind of entry: 0 void, 1 takes a parameter, 2 returns a
;; result, 3 empty, 4 an imported function, 5 a void function that traps, 6 one
;; that calls the host and remembers meanwhile how often it was called before.
(module
  (import "env" "void" (func $imported))
  (table (export "table") 8 16 funcref)
  (global $called (export "called") (mut i32) (i32.const 0))
  (global $calls (mut i32) (i32.const 0))
  (global $before (export "before") (mut i32) (i32.const -1))
  (func $void (global.set $called (i32.add (global.get $called) (i32.const 1))))
  (func $takes (param i32))
  (func $returns (result i32) (i32.const 1))
  (func $calls
    (local $before i32)
    (local.set $before (global.get $calls))
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (call $imported)
    (global.set $before (local.get $before)))
  (func $traps (unreachable))
  (elem (i32.const 0) $void $takes $returns)
  (elem (i32.const 4) $imported $traps $calls)
  (func (export "grow") (param i32) (result i32) (table.grow 0 (ref.func $void) (local.get 0)))
  (func (export "clear") (param i32) (table.set 0 (local.get 0) (ref.null func)))
  (func (export "move") (param i32 i32) (table.set 0 (local.get 1) (table.get 0 (local.get 0)))))
