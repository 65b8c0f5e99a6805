/** RAM as it wakes up: bytes of $00 and $FF in turn, changing places every 128. Real machines differ. */
export function fillPowerUpPattern(ram: Uint8Array): void {
  for (let address = 0; address < ram.length; address += 1)
    ram[address] = ((address ^ (address >> 7)) & 1) === 0 ? 0x00 : 0xff;
}
