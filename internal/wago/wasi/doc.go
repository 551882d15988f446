// Package wasi is the plugin that gives guests WASI preview 1 (wasi_snapshot_preview1), answered by the engine itself.
//
// By default a guest finds nothing behind it: no files, no environment, no arguments, no input, and its output is discarded.
// [Options] gives more. proc_exit ends the guest's call with a wago.ExitError, code 0 included.
//
// What is open is shared: all guests of a runtime write to the same Stdout and read from the same Stdin, at the same time.
package wasi
