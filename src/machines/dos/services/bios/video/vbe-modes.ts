/** A mode that a VGA does not have, by VESA's number. */
export interface VbeMode {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** A pixel: 4 in planes, 8 with a palette, 15, 16 and 24 without. */
  readonly bits: 4 | 8 | 15 | 16 | 24;
}

const mode = (number: number, width: number, height: number, bits: VbeMode['bits']): VbeMode => ({
  number,
  width,
  height,
  bits,
});

const all: readonly VbeMode[] = [
  mode(0x100, 640, 400, 8),
  mode(0x101, 640, 480, 8),
  mode(0x102, 800, 600, 4),
  mode(0x103, 800, 600, 8),
  mode(0x104, 1024, 768, 4),
  mode(0x105, 1024, 768, 8),
  mode(0x106, 1280, 1024, 4),
  mode(0x107, 1280, 1024, 8),
  mode(0x10d, 320, 200, 15),
  mode(0x10e, 320, 200, 16),
  mode(0x10f, 320, 200, 24),
  mode(0x110, 640, 480, 15),
  mode(0x111, 640, 480, 16),
  mode(0x112, 640, 480, 24),
  mode(0x113, 800, 600, 15),
  mode(0x114, 800, 600, 16),
  mode(0x115, 800, 600, 24),
  mode(0x116, 1024, 768, 15),
  mode(0x117, 1024, 768, 16),
];

/** Those that fit into 2 MiB. */
export const vbeModes: ReadonlyMap<number, VbeMode> = new Map(all.map((row) => [row.number, row]));

/** A frame buffer in one piece is for pixels that lie in a row. */
export function hasLinearBuffer({ bits }: VbeMode): boolean {
  return bits > 4;
}

/** Bytes of a line, in each plane where there are planes. */
export function lineBytes(bits: number, pixels: number): number {
  return bits === 4 ? pixels >> 3 : pixels * ((bits + 7) >> 3);
}

/** Where red, green, blue and what is unused lie in a pixel: bits of each and the lowest of them. */
export function colourFields(bits: number): readonly number[] {
  if (bits === 15) return [5, 10, 5, 5, 5, 0, 1, 15];
  if (bits === 16) return [5, 11, 6, 5, 5, 0, 0, 0];
  return bits === 24 ? [8, 16, 8, 8, 8, 0, 0, 0] : [0, 0, 0, 0, 0, 0, 0, 0];
}
