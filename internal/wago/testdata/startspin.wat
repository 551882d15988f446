;; A start section that never ends, and no imports.
;; Built by: wat2wasm startspin.wat -o startspin.wasm
(module (func $start (loop $again (br $again))) (start $start))
