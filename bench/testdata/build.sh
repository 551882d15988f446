#!/bin/sh
# Builds the guests of this folder from their sources: with wat2wasm of wabt 1.0.32, and clang and wasm-ld of LLVM 14.0.6
# (Debian: wabt, clang-14, lld-14). Other versions build guests that do the same but are not the same bytes. WAT2WASM, CLANG
# and WASM_LD say where to look.
set -eu
cd -- "$(dirname -- "$0")"

for source in *.wat; do
	"${WAT2WASM:-wat2wasm}" "$source" -o "${source%.wat}.wasm"
done

objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
"${CLANG:-clang-14}" -std=c11 -Wall -Wextra -Werror --target=wasm32 -mbulk-memory -O2 -c -o "$objects/sha256.o" sha256.c
# One page of stack, one of data: a memory that cannot grow is charged what it is.
"${WASM_LD:-wasm-ld-14}" --no-entry --strip-all -z stack-size=65536 --max-memory=131072 --export-table -o sha256.wasm "$objects/sha256.o"
chmod a-x sha256.wasm
