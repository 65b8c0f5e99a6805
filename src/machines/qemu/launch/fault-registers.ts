/** When it is told to reboot, the firmware of a PC ends with a triple fault of its own, should nothing else have worked. */
const [firmwareStart, firmwareEnd] = [0xe0000n, 0xfffffn];

/** The linear address of the instruction, by the registers of a PC as QEMU writes them. */
export function faultAddress(registers: string): bigint | undefined {
  const pc = field(registers, /\b[ER]IP=([0-9a-f]+)/);
  if (pc === undefined) return undefined;
  const wide = /\bRIP=/.test(registers) && /\bCS64\b/.test(registers);
  const base = field(registers, /^CS\s*=[0-9a-f]{4} ([0-9a-f]+)/m) ?? 0n;
  return wide ? pc : BigInt.asUintN(32, base + pc);
}

export function isFirmware(address: bigint): boolean {
  return address >= firmwareStart && address <= firmwareEnd;
}

export function field(text: string, form: RegExp): bigint | undefined {
  const digits = form.exec(text)?.[1];
  return digits === undefined ? undefined : BigInt(`0x${digits}`);
}
