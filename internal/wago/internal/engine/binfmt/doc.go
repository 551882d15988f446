// Package binfmt reads and writes WebAssembly binaries as far as the engine
// needs it: [Parse] reads a module's outline (what it imports, exports and
// declares) and makes sure that every count in it is true, since the compiler
// reserves memory by counts before it reads what they count. The rest writes
// sections. The layout is that of the core specification, release 2, "Binary
// Format". Whether a module is valid is for the compiler to say.
package binfmt
