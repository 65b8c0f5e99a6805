const text = (value: string) => Uint8Array.from(value, (character) => character.charCodeAt(0));

export interface ChipSpec {
  readonly bank: number;
  readonly address: number;
  readonly fill: number;
  readonly size?: number;
}

/** A cartridge image of a C64, each chip filled with one byte. */
export function crtFile(hardware: number, exrom: number, game: number, chips: readonly ChipSpec[]): Uint8Array {
  const parts = [new Uint8Array(0x40)];
  const header = parts[0] as Uint8Array;
  header.set(text('C64 CARTRIDGE   '));
  header.set([0, 0, 0, 0x40, 1, 0, 0, hardware, exrom, game], 16);
  header.set(text('TEST'), 0x20);
  for (const { bank, address, fill, size = 0x2000 } of chips) {
    const chip = new Uint8Array(16 + size).fill(fill);
    const view = new DataView(chip.buffer);
    chip.set(text('CHIP'));
    view.setUint32(4, 16 + size);
    view.setUint16(8, 0);
    view.setUint16(10, bank);
    view.setUint16(12, address);
    view.setUint16(14, size);
    parts.push(chip);
  }
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Chips of 8K, filled with the number of their bank, from 1. */
export const banks = (count: number, address = 0x8000): ChipSpec[] =>
  Array.from({ length: count }, (_, bank) => ({ bank, address, fill: bank + 1 }));
