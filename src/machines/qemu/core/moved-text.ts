/** Operands that are addresses which were counted from where the instruction lies, as each family's disassembler writes them. */
const x86 = /^(\s*(?:(?:[0-9a-f]{2} )*[0-9a-f]{2})?\s+(?:call|j|loop|xbegin)[a-z]*\s+)0x([0-9a-f]+)$/;
const arm64 = /^(\s*[0-9a-f]{8}\s+(?:bl?(?:\.\w+)?|bc\.\w+|cbn?z|tbn?z|adrp?|ldr(?:sw)?|prfm)\s[^[]*#)0x([0-9a-f]+)$/;
const arm = /^(\s*[0-9a-f ]+\s+(?:bl?x?(?:[a-z]{2})?(?:\.[nw])?|cbn?z)\s[^[]*#)0x([0-9a-f]+)$/;
const riscv = /^(.*\s# )0x([0-9a-f]+)$/;

/** The text of an instruction that lay `distance` before the place it is meant for. */
export function movedText(arch: string, mode: string, text: string, distance: bigint): string {
  // Addresses of 16 bits are the same at both places.
  if (mode === '16') return text;
  const isX86 = arch === 'x86_64' || arch === 'i386';
  const form = isX86 ? x86 : arch === 'aarch64' ? arm64 : arch === 'arm' ? arm : riscv;
  const [, before, digits] = form.exec(text) ?? [];
  if (before === undefined) return text;
  const bits = arch === 'arm' || arch === 'riscv32' || (isX86 && mode === '32') ? 32 : 64;
  return `${before}0x${BigInt.asUintN(bits, BigInt(`0x${digits}`) + distance).toString(16)}`;
}
