// Package inspect reads what a WebAssembly module says of itself in its binary form: signatures of exports, memory, and which
// table entries are functions without parameters and results, which is what a worker's entry has to be. The engine decides whether a
// module is valid; this package reads only what the engine doesn't tell.
package inspect
