/** A CRT file of 8K that the KERNAL starts, and that does nothing. */
export function plainCartridge(): Uint8Array {
  const rom = new Uint8Array(0x2000);
  rom.set([9, 0x80, 9, 0x80, 0xc3, 0xc2, 0xcd, 0x38, 0x30, 0x4c, 9, 0x80]);
  const header = Buffer.alloc(0x40);
  header.write('C64 CARTRIDGE   ');
  header.writeUInt32BE(0x40, 16);
  header.writeUInt16BE(0x100, 20);
  header[0x19] = 1;
  header.write('TEST', 0x20);
  const chip = Buffer.alloc(16);
  chip.write('CHIP');
  chip.writeUInt32BE(0x2010, 4);
  chip.writeUInt16BE(0x8000, 12);
  chip.writeUInt16BE(0x2000, 14);
  return Buffer.concat([header, chip, rom]);
}
