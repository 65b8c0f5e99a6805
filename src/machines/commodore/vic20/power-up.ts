/**
 * RAM as it wakes up: runs of four equal bytes. Real machines differ; this satisfies the programs that look (VICE's
 * VIC20/raminitpattern).
 */
export function fillPowerUpPattern(ram: Uint8Array): void {
  for (let address = 0; address < ram.length; address += 1) ram[address] = ((address + 2) & 4) === 0 ? 0xff : 0x00;
}
