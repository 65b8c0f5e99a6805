/**
 * RAM as it wakes up: runs of four equal bytes, the pattern turned over every 16 KiB. Real machines differ; this is one
 * of the reported patterns and satisfies the programs that look (VICE's C64/raminitpattern).
 */
export function fillPowerUpPattern(ram: Uint8Array): void {
  for (let address = 0; address < ram.length; address += 1) {
    const run = ((address + 2) >> 2) & 1;
    const half = (address >> 14) & 1;
    ram[address] = run === half ? 0x00 : 0xff;
  }
}
