;; A start section that never ends, and no imports.
(module (func $start (loop $again (br $again))) (start $start))
