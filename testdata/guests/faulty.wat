;; faulty: does what the first byte of the record asks for, most of it wrong.
;;
;;   t  traps                              2  replies twice
;;   x  exits with the second byte         0  doesn't reply
;;   s  spins                              b  replies and fails
;;   r  recurses until the stack ends      f  fails with the record as its message
;;   m  grows its memory until it can't    p  replies with a pointer outside its memory
;;   q  replies, then returns              h  replies with a length outside its memory
;;   v  calls serve                        w  returns without a reply
;;   a  aborts as AssemblyScript does      l  logs the record and replies
;;   d  replies with 16 times the record   z  replies with nothing
;;   n  asks for the next record with a buffer outside its memory
;;
;; Everything else is echoed.
;; Built by: build.sh
(module
  (import "pool" "serve" (func $serve (param i32)))
  (import "pool" "next" (func $next (param i32 i32) (result i32)))
  (import "pool" "reply" (func $reply (param i32 i32)))
  (import "pool" "fail" (func $fail (param i32 i32)))
  (import "pool" "log" (func $log (param i32 i32)))
  (import "env" "abort" (func $abort (param i32 i32 i32 i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))

  (memory (export "memory") 17)
  (table (export "__indirect_function_table") 1 funcref)
  (elem (i32.const 0) $work)

  ;; Two AssemblyScript strings: UTF-16 with the byte length in the four bytes before.
  (data (i32.const 65540) "\08\00\00\00o\00h\00 \00n\00")
  (data (i32.const 65572) "\08\00\00\00a\00.\00t\00s\00")

  (func (export "_start")
    (call $serve (i32.const 0)))

  (func $work (local $len i32)
    (loop $again
      (local.set $len (call $next (i32.const 0) (i32.const 65536)))
      (if (i32.eq (local.get $len) (i32.const -1)) (then (return)))
      (br_if $again (call $serveOne (local.get $len)))))

  (func $is (param $what i32) (result i32)
    (i32.eq (i32.load8_u (i32.const 0)) (local.get $what)))

  ;; Does one record; 0: the worker returns.
  (func $serveOne (param $len i32) (result i32)
    (if (i32.eqz (local.get $len)) (then (call $reply (i32.const 0) (i32.const 0)) (return (i32.const 1))))
    (if (call $is (i32.const 0x74)) (then (unreachable)))                                                       ;; t
    (if (call $is (i32.const 0x78)) (then (call $exit (i32.load8_u (i32.const 1)))))                            ;; x
    (if (call $is (i32.const 0x73)) (then (loop $spin (br $spin))))                                             ;; s
    (if (call $is (i32.const 0x72)) (then (drop (call $deeper (i32.const 1)))))                                 ;; r
    (if (call $is (i32.const 0x6d)) (then (call $hoard)))                                                       ;; m
    (if (call $is (i32.const 0x77)) (then (return (i32.const 0))))                                              ;; w
    (if (call $is (i32.const 0x76)) (then (call $serve (i32.const 0))))                                         ;; v
    (if (call $is (i32.const 0x30)) (then (return (i32.const 1))))                                              ;; 0
    (if (call $is (i32.const 0x7a)) (then (call $reply (i32.const 0) (i32.const 0)) (return (i32.const 1))))    ;; z
    (if (call $is (i32.const 0x66)) (then (call $fail (i32.const 0) (local.get $len)) (return (i32.const 1))))  ;; f
    (if (call $is (i32.const 0x70)) (then (call $reply (i32.const -16) (local.get $len))))                      ;; p
    (if (call $is (i32.const 0x68)) (then (call $reply (i32.const 0) (i32.const -1))))                          ;; h
    (if (call $is (i32.const 0x6e)) (then (drop (call $next (i32.const -65536) (i32.const 65537)))))            ;; n
    (if (call $is (i32.const 0x61))                                                                             ;; a
      (then (call $abort (i32.const 65544) (i32.const 65576) (i32.const 12) (i32.const 34))))
    (if (call $is (i32.const 0x6c)) (then (call $log (i32.const 0) (local.get $len))))                          ;; l
    (if (call $is (i32.const 0x64))                                                                             ;; d
      (then (call $reply (i32.const 0) (i32.mul (local.get $len) (i32.const 16))) (return (i32.const 1))))
    (call $reply (i32.const 0) (local.get $len))
    (if (call $is (i32.const 0x32)) (then (call $reply (i32.const 0) (local.get $len))))                        ;; 2
    (if (call $is (i32.const 0x62)) (then (call $fail (i32.const 0) (local.get $len))))                         ;; b
    (i32.eqz (call $is (i32.const 0x71))))                                                                      ;; q

  (func $deeper (param $n i32) (result i32)
    (i32.add (call $deeper (i32.add (local.get $n) (i32.const 1))) (local.get $n)))

  (func $hoard
    (loop $more
      (br_if $more (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
    (unreachable)))
