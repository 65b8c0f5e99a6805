#!/bin/sh
# Builds the C kernel again and writes kernel.ts. Needs a GCC for aarch64 with GNU binutils.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=${CROSS:-aarch64-linux-gnu-}
"${prefix}gcc" -g -gdwarf-4 -gno-as-loc-support -O0 -ffreestanding -fno-asynchronous-unwind-tables -fno-pic -mgeneral-regs-only \
  -nostdlib -static "-fdebug-prefix-map=$PWD=." -Wl,-N,-Ttext=0x40100000,--build-id=none,--no-warn-rwx-segments \
  -o "$work/kernel.elf" entry.s kernel.c
"${prefix}objcopy" --remove-section .comment "$work/kernel.elf" "$work/kernel.bin"
{
  echo '// Written by build.sh.'
  echo
  echo 'export const kernel = Uint8Array.from(['
  od -An -v -tu1 -w24 "$work/kernel.bin" | sed 's/^ *//; s/  */, /g; s/$/,/; s/^/  /'
  echo ']);'
} >kernel.ts
