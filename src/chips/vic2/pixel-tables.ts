/*
 * Eight pixels are kept as sixteen bits, two a pixel, leftmost in bits 15-14. A group of four (eight of those bits) turns
 * into a word of four colour codes, leftmost in the low byte, with the masks below.
 */

/** Kinds of serialisation, as the table's bits 9-8. */
export const serial = { hires: 0, hiresNoMcm: 0x100, hiresMcm: 0x200, multicolor: 0x300 } as const;

/** Pixel values of a graphics byte, by kind and byte. */
export const pixelValuesOf = buildPixelValues();

/** Bytes of all ones where a pixel of the group has the value 1, 2, 3, or is foreground (2 or 3). */
export const mask1 = buildMask((value) => value === 1);
export const mask2 = buildMask((value) => value === 2);
export const mask3 = buildMask((value) => value === 3);
export const maskForeground = buildMask((value) => value >= 2);

/** Which of four pixels (eight bits of values) are foreground, leftmost in bit 3. */
export const upperBits = bitsWhere((value) => value >= 2);

/** Bytes of all ones for the set bits of a byte: its left and its right four. */
export const hiresLeft = Int32Array.from({ length: 0x100 }, (_, byte) => maskForeground[pixelValuesOf[byte] >> 8]);
export const hiresRight = Int32Array.from({ length: 0x100 }, (_, byte) => maskForeground[pixelValuesOf[byte] & 0xff]);

/** Bytes of all ones for the pixels from X scroll on: first group, second group. */
export const scrolled0 = Int32Array.from({ length: 8 }, (_, scroll) => bytesFrom(scroll));
export const scrolled1 = Int32Array.from({ length: 8 }, (_, scroll) => bytesFrom(scroll - 4));

export function bitsWhere(chosen: (value: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 0x100 }, (_, values) => {
    let bits = 0;
    for (let pixel = 0; pixel < 4; pixel++) bits = (bits << 1) | (chosen((values >> (6 - 2 * pixel)) & 3) ? 1 : 0);
    return bits;
  });
}

function buildPixelValues(): Int32Array {
  const table = new Int32Array(0x400);
  for (let byte = 0; byte < 0x100; byte++) {
    let bits = 0;
    let pairs = 0;
    for (let pixel = 0; pixel < 8; pixel++) {
      bits = (bits << 2) | ((byte >> (7 - pixel)) & 1 ? 3 : 0);
      pairs = (pairs << 2) | ((byte >> (6 - (pixel & 6))) & 3);
    }
    table[serial.hires | byte] = bits;
    table[serial.hiresNoMcm | byte] = bits & 0xaaaa;
    table[serial.hiresMcm | byte] = bits;
    table[serial.multicolor | byte] = pairs;
  }
  return table;
}

function buildMask(chosen: (value: number) => boolean): Int32Array {
  return Int32Array.from({ length: 0x100 }, (_, group) => {
    let mask = 0;
    for (let pixel = 0; pixel < 4; pixel++) {
      if (chosen((group >> (6 - 2 * pixel)) & 3)) mask |= 0xff << (8 * pixel);
    }
    return mask;
  });
}

function bytesFrom(first: number): number {
  if (first <= 0) return -1;
  return first >= 4 ? 0 : -1 << (8 * first);
}

/** Eight pixels of each colour, as one number. */
export const plainCycles = new Float64Array(Uint8Array.from({ length: 16 * 8 }, (_, pixel) => pixel >> 3).buffer);
