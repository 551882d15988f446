package main

import (
	_ "embed"

	"github.com/JairusSW/pool/bench/internal/rows"
)

// testdata has their sources beside them, and build.sh.
var (
	//go:embed testdata/trivial.wasm
	trivial []byte
	//go:embed testdata/microsecond.wasm
	microsecond []byte
	//go:embed testdata/sha256.wasm
	sha256 []byte
	//go:embed testdata/loop.wasm
	loop []byte
	//go:embed testdata/memory16.wasm
	memory16 []byte
)

func guests() rows.Guests {
	return rows.Guests{Trivial: trivial, Microsecond: microsecond, SHA256: sha256, Loop: loop, Memory16: memory16}
}
