import type { GuestMemory } from '../../guest.ts';
import type { VideoMode } from './modes.ts';
import type { VgaPorts } from './vga-ports.ts';

/** Characters, pixels and scrolling in graphics modes, through the display memory's window as a program would. */
export class GraphicsPage {
  readonly #memory: GuestMemory;
  readonly #vga: VgaPorts;
  readonly #mode: VideoMode;
  readonly #base: number;

  constructor(memory: GuestMemory, vga: VgaPorts, mode: VideoMode, page: number) {
    this.#memory = memory;
    this.#vga = vga;
    this.#mode = mode;
    this.#base = mode.base + (mode.layout === 'planar' ? page * mode.pageBytes : 0);
  }

  /** Bytes that eight pixels take. */
  get #bytesPerCharacter(): number {
    return { text: 2, cga4: 2, cga2: 1, planar: 1, linear: 8 }[this.#mode.layout];
  }

  #rowAddress(y: number): number {
    const { layout, columns } = this.#mode;
    if (layout === 'cga4' || layout === 'cga2') return this.#base + (y & 1) * 0x2000 + (y >> 1) * 80;
    return this.#base + y * columns * this.#bytesPerCharacter;
  }

  putPixel(x: number, y: number, colour: number): void {
    const mask = 0x80 >> (x & 7);
    if (this.#mode.layout === 'planar') {
      this.#planar(this.#rowAddress(y) + (x >> 3), mask, colour & 15, (colour & 0x80) !== 0);
      return;
    }
    if (this.#mode.layout === 'linear') {
      this.#memory.write8(this.#rowAddress(y) + x, colour);
      return;
    }
    const { at, shift, bits } = this.#cgaPixel(x, y);
    const before = this.#memory.read8(at);
    const value = (colour & bits) << shift;
    this.#memory.write8(at, (colour & 0x80) !== 0 ? before ^ value : (before & ~(bits << shift)) | value);
  }

  getPixel(x: number, y: number): number {
    if (this.#mode.layout === 'linear') return this.#memory.read8(this.#rowAddress(y) + x);
    if (this.#mode.layout !== 'planar') {
      const { at, shift, bits } = this.#cgaPixel(x, y);
      return (this.#memory.read8(at) >> shift) & bits;
    }
    let colour = 0;
    const before = this.#vga.readGraphics(4);
    for (let plane = 0; plane < 4; plane++) {
      this.#vga.graphics(4, plane);
      const byte = this.#memory.read8(this.#rowAddress(y) + (x >> 3));
      colour |= ((byte >> (7 - (x & 7))) & 1) << plane;
    }
    this.#vga.graphics(4, before);
    return colour;
  }

  #cgaPixel(x: number, y: number) {
    const four = this.#mode.layout === 'cga4';
    const perByte = four ? 4 : 8;
    const at = this.#rowAddress(y) + Math.floor(x / perByte);
    const bits = four ? 3 : 1;
    return { at, bits, shift: (perByte - 1 - (x % perByte)) * (four ? 2 : 1) };
  }

  /** Bit 7 of the colour: exclusive or (but in 256 colours). */
  drawCharacter(glyph: Uint8Array, column: number, row: number, colour: number, paper = 0): void {
    const { layout } = this.#mode;
    const xor = (colour & 0x80) !== 0 && layout !== 'linear';
    glyph.forEach((bits, line) => {
      const at = this.#rowAddress(row * glyph.length + line) + column * this.#bytesPerCharacter;
      if (layout === 'planar') {
        if (!xor) this.#planar(at, 0xff, paper & 15, false);
        this.#planar(at, bits, colour & 15, xor);
        return;
      }
      packPixels(layout, bits, colour, paper).forEach((byte, index) => {
        this.#memory.write8(at + index, xor ? this.#memory.read8(at + index) ^ byte : byte);
      });
    });
  }

  /** The eight pixels of each line of a cell as bits: what is not background. */
  readCell(column: number, row: number, height: number): Uint8Array {
    return Uint8Array.from({ length: height }, (_, line) => {
      let bits = 0;
      for (let x = 0; x < 8; x++)
        bits = (bits << 1) | (this.getPixel(column * 8 + x, row * height + line) !== 0 ? 1 : 0);
      return bits;
    });
  }

  /** Copies cells of one row to another. */
  copyRow(from: number, to: number, left: number, right: number, height: number): void {
    const planar = this.#mode.layout === 'planar';
    const before = planar ? this.#vga.readGraphics(5) : 0;
    if (planar) this.#vga.graphics(5, (before & ~3) | 1);
    const width = this.#bytesPerCharacter;
    for (let line = 0; line < height; line++) {
      const source = this.#rowAddress(from * height + line);
      const target = this.#rowAddress(to * height + line);
      for (let at = left * width; at < (right + 1) * width; at++)
        this.#memory.write8(target + at, this.#memory.read8(source + at));
    }
    if (planar) this.#vga.graphics(5, before);
  }

  clearRow(row: number, left: number, right: number, height: number, colour: number): void {
    const width = this.#bytesPerCharacter;
    for (let line = 0; line < height; line++)
      for (let at = left * width; at < (right + 1) * width; at++) {
        const address = this.#rowAddress(row * height + line) + at;
        if (this.#mode.layout === 'planar') this.#planar(address, 0xff, colour & 15, false);
        else this.#memory.write8(address, colour);
      }
  }

  /** Write mode 2: a colour where the mask has bits. */
  #planar(address: number, mask: number, colour: number, xor: boolean): void {
    const vga = this.#vga;
    const mode = vga.readGraphics(5);
    vga.graphics(5, (mode & ~3) | 2);
    vga.graphics(3, xor ? 0x18 : 0);
    vga.graphics(8, mask);
    this.#memory.read8(address);
    this.#memory.write8(address, colour);
    vga.graphics(8, 0xff);
    vga.graphics(3, 0);
    vga.graphics(5, mode);
  }
}

function packPixels(layout: VideoMode['layout'], bits: number, ink: number, paper: number): number[] {
  const dots = Array.from({ length: 8 }, (_, x) => ((bits >> (7 - x)) & 1) !== 0);
  if (layout === 'linear') return dots.map((dot) => (dot ? ink : paper));
  const depth = layout === 'cga4' ? 2 : 1;
  const mask = layout === 'cga4' ? 3 : 1;
  const packed = dots.reduce((word, dot) => (word << depth) | ((dot ? ink : paper) & mask), 0);
  return depth === 2 ? [packed >> 8, packed & 0xff] : [packed];
}
