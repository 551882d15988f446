// Package wasmtest builds small WebAssembly modules byte by byte, for tests that want a guest beside the test instead of a
// file. It knows the binary format's framing (numbers, vectors, sections, entries) and nothing about what instructions mean:
// bodies and initial values are bytes, and end with their own [End].
//
//	wasm := wasmtest.Module(
//		wasmtest.Section(wasmtest.SectionType, wasmtest.Vec(wasmtest.FuncType(nil, nil))),
//		wasmtest.Section(wasmtest.SectionFunction, wasmtest.Vec(wasmtest.ULEB(0))),
//		wasmtest.Section(wasmtest.SectionExport, wasmtest.Vec(wasmtest.ExportEntry("nop", wasmtest.KindFunc, 0))),
//		wasmtest.Section(wasmtest.SectionCode, wasmtest.Vec(wasmtest.Code([]byte{wasmtest.End}))),
//	)
//
// The formats are those of the WebAssembly core specification, release 2.0, chapter 5. Nothing is validated: a test may well
// want a broken module. Every function is safe for concurrent use and returns bytes of its own.
package wasmtest
