#!/bin/sh
# Assembles the guests again: writes NAME.ts beside each NAME.s. Needs GNU binutils for x86_64.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# file, name of the export
build() {
  x86_64-linux-gnu-as --32 -o "$work/guest.o" "$1.s"
  x86_64-linux-gnu-ld -m elf_i386 --no-warn-rwx-segments -N -Ttext=0x7c00 -e _start -o "$work/guest.elf" "$work/guest.o"
  x86_64-linux-gnu-objcopy -O binary -j .text "$work/guest.elf" "$work/guest.bin"
  {
    echo '// Written by assemble.sh.'
    echo
    echo "export const $2 = Uint8Array.from(["
    od -An -v -tu1 -w24 "$work/guest.bin" | sed 's/^ *//; s/  */, /g; s/$/,/; s/^/  /'
    echo ']);'
  } >"$1.ts"
}

build input-echo inputEcho
build place-echo placeEcho
cd ../../.. && npx biome check --write test/page/guests/*.ts >/dev/null
