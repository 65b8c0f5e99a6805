let pattern = new Uint8Array();

/**
 * RAM as it wakes up: runs of four equal bytes, the pattern turned over every 16 KiB. Real machines differ; this is one
 * of the reported patterns and satisfies the programs that look (VICE's C64/raminitpattern).
 */
export function fillPowerUpPattern(ram: Uint8Array): void {
  if (pattern.length !== ram.length) pattern = Uint8Array.from({ length: ram.length }, (_, address) => byteAt(address));
  ram.set(pattern);
}

function byteAt(address: number): number {
  const run = ((address + 2) >> 2) & 1;
  const half = (address >> 14) & 1;
  return run === half ? 0x00 : 0xff;
}
