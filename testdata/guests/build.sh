#!/bin/sh
# Builds the guests of this folder from their sources.
#
#   build.sh             builds every guest beside its source
#   build.sh -o DIR KIND builds those of one kind (wat, c, wasi, as, rust) into DIR
#   build.sh --tools     says for each kind whether its tools are here, in the versions that built the committed files
#
# It installs nothing. What it needs:
#
#   wat    wat2wasm        wabt 1.0.32           Debian: wabt
#   c      clang, wasm-ld  LLVM 14.0.6           Debian: clang-14 lld-14
#   wasi   the same, with  wasi-libc 20220510    Debian: wasi-libc libclang-rt-14-dev-wasm32
#   as     asc             AssemblyScript 0.28.20  npm: assemblyscript@0.28.20
#   rust   rustc           Rust 1.63.0           Debian: rustc libstd-rust-dev-wasm32
#
# Other versions build guests that do the same but are not the same bytes. WAT2WASM, CLANG, WASM_LD, WASI_LIBC, ASC and RUSTC
# say where to look.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
WAT2WASM=${WAT2WASM:-wat2wasm}
CLANG=${CLANG:-clang-14}
WASM_LD=${WASM_LD:-wasm-ld-14}
WASI_LIBC=${WASI_LIBC:-/usr/lib/wasm32-wasi}
ASC=${ASC:-asc}
RUSTC=${RUSTC:-/usr/bin/rustc}

# version PROGRAM: the first thing that looks like a version in what it says of itself; nothing when it is not here.
version() {
	command -v "$1" >/dev/null 2>&1 || return 0
	"$1" --version 2>/dev/null | sed -n 's/^[^0-9]*\([0-9][0-9]*\.[0-9][0-9.]*\).*/\1/p' | head -n 1
}

c_version() {
	found=$(version "$CLANG")
	[ "$found" != "$(version "$WASM_LD")" ] || echo "$found"
}

# builtins says where the compiler keeps what it calls in WASI programs.
builtins() { echo "$("$CLANG" -print-resource-dir)/lib/wasi/libclang_rt.builtins-wasm32.a"; }

wasi_version() {
	[ "$(c_version)" = 14.0.6 ] && [ -e "$WASI_LIBC/crt1-command.o" ] && [ -e "$(builtins)" ] || return 0
	dpkg-query -W -f '${Version}' wasi-libc 2>/dev/null | sed -n 's/^.*git\([0-9]*\).*/\1/p'
}

rust_version() {
	found=$(version "$RUSTC")
	[ -n "$found" ] && [ -d "$("$RUSTC" --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] && echo "$found"
	return 0
}

# tool KIND WANTED FOUND
tool() {
	if [ "$2" = "$3" ]; then
		echo "$1 ready"
	else
		echo "$1 missing: needs version $2, found ${3:-none}"
	fi
}

tools() {
	tool wat 1.0.32 "$(version "$WAT2WASM")"
	tool c 14.0.6 "$(c_version)"
	tool wasi 20220510 "$(wasi_version)"
	tool as 0.28.20 "$(version "$ASC")"
	tool rust 1.63.0 "$(rust_version)"
}

build_wat() {
	mkdir -p "$out/refused"
	for source in *.wat refused/*.wat; do
		"$WAT2WASM" "$source" -o "$out/${source%.wat}.wasm"
	done
}

# Compiling and linking are two steps because clang's own link step runs a wasm-opt when it finds one.
# compile SOURCE OBJECT FLAG...
compile() {
	source=$1 object=$2
	shift 2
	"$CLANG" -std=c11 -Wall -Wextra -Werror "$@" -c -o "$object" "$source"
}

build_c() {
	compile sha256.c "$objects/sha256.o" --target=wasm32 -mbulk-memory -O2
	"$WASM_LD" --no-entry --strip-all -o "$out/sha256.wasm" "$objects/sha256.o"
	chmod a-x "$out/sha256.wasm"
}

build_wasi() {
	compile upper.c "$objects/upper.o" --target=wasm32-wasi --sysroot=/usr -Os
	"$WASM_LD" --strip-all -o "$out/upper.wasm" "$WASI_LIBC/crt1-command.o" "$objects/upper.o" "$WASI_LIBC/libc.a" \
		"$(builtins)"
	chmod a-x "$out/upper.wasm"
}

build_as() {
	"$ASC" wordcount.ts --outFile "$out/wordcount.wasm" -O3s --noAssert --runtime stub --exportStart _start --exportTable
}

build_rust() {
	"$RUSTC" --edition 2021 --target wasm32-unknown-unknown --crate-type cdylib -C opt-level=s -C codegen-units=1 \
		-C panic=abort -C strip=symbols -o "$out/jsonkeys.wasm" jsonkeys.rs
	chmod a-x "$out/jsonkeys.wasm"
}

out=$here
case ${1:-} in
--tools)
	tools
	exit
	;;
-o)
	out=$(CDPATH='' cd -- "$2" && pwd)
	shift 2
	;;
esac

cd "$here"
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
for kind in ${*:-wat c wasi as rust}; do
	case $kind in
	wat | c | wasi | as | rust) "build_$kind" ;;
	*)
		echo "build.sh: there is no kind of guest called $kind" >&2
		exit 2
		;;
	esac
done
