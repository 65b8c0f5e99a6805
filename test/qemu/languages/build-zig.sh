#!/bin/sh
# Builds parts.zig again: writes parts-zig.ts. Needs Zig 0.12 (its program in ZIG), GNU binutils for aarch64, and /guest,
# the folder that the debug information names.
set -eu
cd "$(dirname "$0")"
work=/guest
mkdir "$work"
trap 'rm -rf "$work"' EXIT
cp parts.zig "$work"
zig=$(command -v "${ZIG:-zig}")
cp -r "$(dirname "$(readlink -f "$zig")")/lib" "$work"
(cd "$work" && "$zig" build-exe parts.zig -target aarch64-freestanding-none -mcpu generic+strict_align -O Debug \
  --name parts -fno-compiler-rt --image-base 0x40100000 -fsingle-threaded -fno-error-tracing -mcmodel=large --zig-lib-dir lib \
  --cache-dir cache --global-cache-dir cache)
aarch64-linux-gnu-objcopy -R .debug_pubnames -R .debug_pubtypes -R .comment "$work/parts"
{
  echo '// Written by build-zig.sh.'
  echo
  echo 'export const image = Uint8Array.from(['
  od -An -v -tu1 -w24 "$work/parts" | sed 's/^ *//; s/  */, /g; s/$/,/; s/^/  /'
  echo ']);'
} >parts-zig.ts
cd ../../.. && npx biome check --write test/qemu/languages/*.ts >/dev/null
