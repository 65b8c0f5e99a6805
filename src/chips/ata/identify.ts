import type { AtaDisk } from './ata-channel.ts';

/** What a program has set. */
export interface CurrentSettings {
  readonly heads: number;
  readonly sectors: number;
  readonly multiple: number;
}

/** The 512 bytes of IDENTIFY DEVICE. */
export function identify(disk: AtaDisk, drive: number, mostMultiple: number, current: CurrentSettings): Uint8Array {
  const bytes = new Uint8Array(512);
  const view = new DataView(bytes.buffer);
  const put = (word: number, value: number) => view.setUint16(word * 2, value, true);
  const wide = (word: number, value: number) => view.setUint32(word * 2, value, true);
  const text = (word: number, words: number, value: string) => {
    const padded = value.padEnd(words * 2);
    // The first of two characters is the upper byte.
    for (let index = 0; index < words * 2; index++) bytes[word * 2 + (index ^ 1)] = padded.charCodeAt(index);
  };
  const cylinders = Math.min(0xffff, Math.floor(disk.sectors / (current.heads * current.sectors)));
  put(0, 0x0040);
  put(1, Math.min(0x3fff, disk.cylinders));
  put(3, disk.heads);
  put(6, disk.sectorsPerTrack);
  text(10, 10, `FP${drive}`);
  text(23, 4, '1.0');
  text(27, 20, 'FRONTPANEL HARD DISK');
  put(47, 0x8000 | mostMultiple);
  // Addresses by number.
  put(49, 0x0200);
  put(51, 0x0200);
  put(53, 1);
  put(54, cylinders);
  put(55, current.heads);
  put(56, current.sectors);
  wide(57, cylinders * current.heads * current.sectors);
  put(59, current.multiple === 0 ? 0 : 0x100 | current.multiple);
  wide(60, disk.sectors);
  return bytes;
}
