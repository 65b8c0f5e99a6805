#!/bin/sh
# Assembles the guests again: writes NAME.ts beside each NAME.s. Needs GNU binutils for riscv64, aarch64, arm, x86_64.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# name, tools' prefix, assembler options, linker options, address of the text, `raw` or `elf`
build() {
  "$2as" $3 --debug-prefix-map "$PWD=/guest" -o "$work/$1.o" "$1.s"
  "$2ld" $4 --no-warn-rwx-segments -N -Ttext="$5" -e _start -o "$work/$1.elf" "$work/$1.o"
  if [ "$6" = raw ]; then
    "$2objcopy" -O binary -j .text "$work/$1.elf" "$work/$1.bin"
  else
    cp "$work/$1.elf" "$work/$1.bin"
  fi
  "$2nm" "$work/$1.elf" | awk '$2 ~ /[tT]/ && $3 !~ /^(_|\$)/ { print $1, $3 }' | sort >"$work/$1.names"
  {
    echo '// Written by assemble.sh.'
    echo
    echo 'export const image = Uint8Array.from(['
    od -An -v -tu1 -w24 "$work/$1.bin" | sed 's/^ *//; s/  */, /g; s/$/,/; s/^/  /'
    echo ']);'
    echo
    echo 'export const at = {'
    awk '{ print "  " $2 ": 0x" $1 "n," }' "$work/$1.names"
    echo '};'
  } >"$1.ts"
}

build riscv64 riscv64-linux-gnu- '-march=rv64imac_zicsr' '' 0x80000000 raw
build riscv64-paged riscv64-linux-gnu- '-march=rv64imac_zicsr' '' 0x80000000 raw
build aarch64 aarch64-linux-gnu- '-g' '' 0x40100000 elf
build aarch64-paged aarch64-linux-gnu- '' '' 0x40100000 elf
build arm arm-linux-gnueabihf- '-g' '' 0x40100000 elf
build x86-real x86_64-linux-gnu- '--32' '-m elf_i386' 0x7c00 raw
build x86-ps2 x86_64-linux-gnu- '--32' '-m elf_i386' 0x7c00 raw
build x86-multiboot x86_64-linux-gnu- '--32' '-m elf_i386' 0x100000 elf
build x86-calls x86_64-linux-gnu- '--32' '-m elf_i386' 0x100000 elf
build cortex-m arm-linux-gnueabihf- '' '' 0x0 elf
build x86-int16 x86_64-linux-gnu- '--32' '-m elf_i386' 0x7c00 raw
build x86-triple x86_64-linux-gnu- '--32' '-m elf_i386' 0x7c00 raw
build x86-long x86_64-linux-gnu- '' '' 0x7c00 raw
build riscv64-smp riscv64-linux-gnu- '-march=rv64imac_zicsr' '' 0x80000000 raw
build aarch64-smp aarch64-linux-gnu- '' '' 0x40080000 raw
build riscv64-fault riscv64-linux-gnu- '-march=rv64imac_zicsr' '' 0x80000000 raw
build aarch64-fault aarch64-linux-gnu- '' '' 0x40100000 elf
build cortex-m-fault arm-linux-gnueabihf- '' '' 0x0 elf
build aarch64-semihosting aarch64-linux-gnu- '' '' 0x40100000 elf
build riscv64-semihosting riscv64-linux-gnu- '-march=rv64imac_zicsr' '' 0x80000000 raw
build cortex-m-semihosting arm-linux-gnueabihf- '' '' 0x0 elf
build x86-smp x86_64-linux-gnu- '' '' 0x7c00 raw
cd ../../.. && npx biome check --write test/qemu/guests/*.ts >/dev/null
