import { describe, expect, it } from 'vitest';
import type { VgaPicture } from '../../../../../chips/vga/picture.ts';
import { BiosBench } from '../bios-testing.ts';
import { font8, font16 } from '../font/fonts.ts';

const int10 = (bench: BiosBench, registers: Record<string, number>) => bench.call(0x10, registers);

function print(bench: BiosBench, text: string, colour = 7) {
  for (const character of text) int10(bench, { ah: 0x0e, al: character.charCodeAt(0), bl: colour });
}

function glyphAt(picture: { pixels: Uint8Array; width: number }, x: number, y: number, height: number): number[] {
  const paper = picture.pixels[y * picture.width + x + 7];
  return Array.from({ length: height }, (_, line) => {
    let bits = 0;
    for (let dot = 0; dot < 8; dot++)
      bits = (bits << 1) | (picture.pixels[(y + line) * picture.width + x + dot] === paper ? 0 : 1);
    return bits;
  });
}

describe('text modes', () => {
  it('power on with 80 by 25 characters, 720 by 400 dots', () => {
    const bench = new BiosBench();
    const { width, height, palette, pixels } = bench.vga.picture() as VgaPicture;
    expect([width, height]).toEqual([720, 400]);
    // Grey on black, brown as colour 6 of the attribute controller.
    expect([...palette.subarray(7 * 3, 7 * 3 + 3)]).toEqual([170, 170, 170]);
    expect([...palette.subarray(0x14 * 3, 0x14 * 3 + 3)]).toEqual([170, 85, 0]);
    expect(new Set(pixels)).toEqual(new Set([0, 7]));
    expect(bench.vga.text()).toMatchObject({ columns: 80, rows: 25, cursor: { column: 0, row: 0 } });
  });

  it('draws what the teletype prints, scrolls, and moves the cursor', () => {
    const bench = new BiosBench();
    print(bench, 'Hello\r\nworld');
    expect(bench.text().slice(0, 3)).toEqual(['Hello', 'world', '']);
    expect(bench.vga.text()?.cursor).toEqual({ column: 5, row: 1 });
    const picture = bench.vga.picture() as VgaPicture;
    expect(glyphAt(picture, 0, 0, 16)).toEqual([...font16.bytes.subarray(0x48 * 16, 0x49 * 16)]);
    print(bench, '\r\n'.repeat(24));
    expect(bench.text()[0]).toBe('world');
    print(bench, 'abc\b\bX');
    expect(bench.text()[24]).toBe('aXc');
  });

  it('wraps at the last column and keeps attributes', () => {
    const bench = new BiosBench();
    int10(bench, { ah: 0x09, al: 0x20, bh: 0, bl: 0x1e, cx: 2000 });
    print(bench, 'x'.repeat(81));
    expect(bench.vga.text()?.attributes.every((attribute) => attribute === 0x1e)).toBe(true);
    expect(bench.text()[1]).toBe('x');
  });

  it('writes, reads and scrolls windows', () => {
    const bench = new BiosBench();
    int10(bench, { ah: 2, bh: 0, dh: 3, dl: 10 });
    int10(bench, { ah: 9, al: 0x41, bh: 0, bl: 0x4f, cx: 3 });
    int10(bench, { ah: 0x08, bh: 0 });
    expect(bench.guest.ax).toBe(0x4f41);
    int10(bench, { ah: 6, al: 1, bh: 0x20, ch: 2, cl: 5, dh: 3, dl: 40 });
    expect(bench.text()[2]).toBe(`${' '.repeat(10)}AAA`);
    expect(bench.vga.text()?.attributes[3 * 80 + 10]).toBe(0x20);
    expect(bench.vga.text()?.attributes[3 * 80 + 41]).toBe(0x07);
    int10(bench, { ah: 7, al: 0, bh: 7, ch: 0, cl: 0, dh: 24, dl: 79 });
    expect(bench.text().join('')).toBe('');
  });

  it('shows pages', () => {
    const bench = new BiosBench();
    int10(bench, { ah: 2, bh: 1, dh: 0, dl: 0 });
    int10(bench, { ah: 0x0a, al: 0x5a, bh: 1, cx: 4 });
    expect(bench.text()[0]).toBe('');
    int10(bench, { ah: 5, al: 1 });
    bench.clock.now += 100_000;
    expect(bench.text()[0]).toBe('ZZZZ');
    int10(bench, { ah: 0x0f });
    expect([bench.guest.ax, bench.guest.bh]).toEqual([0x5003, 1]);
  });

  it('has 50 rows with the 8x8 font', () => {
    const bench = new BiosBench();
    int10(bench, { ah: 0x11, al: 0x12, bl: 0 });
    expect(bench.vga.text()?.rows).toBe(50);
    print(bench, 'A');
    expect(glyphAt(bench.vga.picture() as VgaPicture, 0, 0, 8)).toEqual([...font8.bytes.subarray(0x41 * 8, 0x42 * 8)]);
  });

  it('writes strings with and without attributes', () => {
    const bench = new BiosBench();
    bench.memory.write(0x20000, Uint8Array.from([0x61, 0x11, 0x62, 0x22]));
    int10(bench, { ah: 0x13, al: 3, bh: 0, cx: 2, dh: 5, dl: 0, es: 0x2000, bp: 0 });
    expect([...(bench.vga.text()?.attributes.subarray(400, 402) ?? [])]).toEqual([0x11, 0x22]);
    expect(bench.vga.text()?.cursor).toEqual({ column: 2, row: 5 });
  });
});

describe('graphics modes', () => {
  it.each([
    [0x04, 320, 200],
    [0x06, 640, 200],
    [0x0d, 320, 200],
    [0x0e, 640, 200],
    [0x10, 640, 350],
    [0x11, 640, 480],
    [0x12, 640, 480],
    [0x13, 320, 200],
  ])('mode %i draws pixels and characters where they belong', (mode, width, height) => {
    const bench = new BiosBench();
    int10(bench, { ah: 0, al: mode });
    const points = [
      [0, 0],
      [width - 1, 0],
      [9, 1],
      [width - 2, height - 1],
      [width / 2, height / 2 + 1],
    ] as const;
    for (const [x, y] of points) int10(bench, { ah: 0x0c, al: 1, bh: 0, cx: x, dx: y });
    const picture = bench.vga.picture() as VgaPicture;
    expect([picture.width, picture.height]).toEqual([width, height]);
    const background = picture.pixels[5] as number;
    const lit = [...picture.pixels.keys()].filter((at) => picture.pixels[at] !== background);
    expect(lit).toEqual(points.map(([x, y]) => y * width + x).sort((a, b) => a - b));
    for (const [x, y] of points) {
      int10(bench, { ah: 0x0d, bh: 0, cx: x, dx: y });
      expect(bench.guest.al).toBe(1);
    }
    int10(bench, { ah: 0, al: mode });
    int10(bench, { ah: 2, bh: 0, dh: 2, dl: 3 });
    print(bench, 'R', 1);
    const cell = mode >= 0x11 && mode <= 0x12 ? 16 : mode === 0x10 ? 14 : 8;
    const drawn = glyphAt(bench.vga.picture() as VgaPicture, 24, cell * 2, cell);
    if (cell === 8) expect(drawn).toEqual([...font8.bytes.subarray(0x52 * 8, 0x53 * 8)]);
    expect(drawn.some((bits) => bits !== 0)).toBe(true);
    int10(bench, { ah: 2, bh: 0, dh: 2, dl: 3 });
    int10(bench, { ah: 8, bh: 0 });
    expect(bench.guest.al).toBe(0x52);
    int10(bench, { ah: 6, al: 1, bh: 0, ch: 0, cl: 0, dh: 24, dl: 39 });
    expect(glyphAt(bench.vga.picture() as VgaPicture, 24, cell, cell)).toEqual(drawn);
  });

  it('mode 13h shows bytes as colours, with the palette a program sets', () => {
    const bench = new BiosBench();
    int10(bench, { ah: 0, al: 0x13 });
    for (let i = 0; i < 320; i++) bench.memory.write8(0xa0000 + 320 * 7 + i, i & 0xff);
    int10(bench, { ah: 0x10, al: 0x10, bx: 200, dh: 63, ch: 1, cl: 2 });
    const { pixels, palette } = bench.vga.picture() as VgaPicture;
    expect([...pixels.subarray(320 * 7, 320 * 8)]).toEqual(Array.from({ length: 320 }, (_, i) => i & 0xff));
    expect([...palette.subarray(600, 603)]).toEqual([255, 4, 8]);
    // Blue of the colour circle, white.
    expect([...palette.subarray(32 * 3, 33 * 3), ...palette.subarray(45, 48)]).toEqual([0, 0, 255, 255, 255, 255]);
  });

  it('exchanges the palettes of mode 4', () => {
    const bench = new BiosBench();
    int10(bench, { ah: 0, al: 4 });
    bench.memory.write8(0xb8000, 0b00011011);
    const colours = () => {
      const { pixels, palette } = bench.vga.picture() as VgaPicture;
      return [...pixels.subarray(0, 4)].map((index) => palette.subarray(index * 3, index * 3 + 3).join());
    };
    expect(colours()).toEqual(['0,0,0', '85,255,255', '255,85,255', '255,255,255']);
    int10(bench, { ah: 0x0b, bh: 1, bl: 0 });
    expect(colours()[1]).toBe('85,255,85');
    int10(bench, { ah: 0x0b, bh: 0, bl: 1 });
    expect(colours()).toEqual(['0,0,170', '0,170,0', '170,0,0', '170,85,0']);
  });
});

describe('information and log', () => {
  it('tells of a VGA', () => {
    const bench = new BiosBench();
    int10(bench, { ah: 0x1a, al: 0 });
    expect([bench.guest.al, bench.guest.bl]).toEqual([0x1a, 8]);
    int10(bench, { ah: 0x12, bl: 0x10 });
    expect([bench.guest.bh, bench.guest.bl]).toEqual([0, 3]);
    int10(bench, { ah: 0x11, al: 0x30, bh: 6 });
    expect(bench.memory.bytes((bench.guest.es << 4) + bench.guest.bp + 0x41 * 16, 16)).toEqual(
      font16.bytes.slice(0x41 * 16, 0x42 * 16),
    );
    int10(bench, { ah: 0x1b, bx: 0, es: 0x3000, di: 0 });
    expect(bench.memory.read8(0x30004)).toBe(3);
    expect(bench.memory.read8(0x30022)).toBe(25);
  });

  it('saves and restores its state', () => {
    const bench = new BiosBench();
    int10(bench, { ah: 0x1c, al: 1, cx: 7, es: 0x3000, bx: 0 });
    const before = bench.vga.picture() as VgaPicture;
    int10(bench, { ah: 0, al: 0x93 });
    int10(bench, { ah: 0x1c, al: 2, cx: 7, es: 0x3000, bx: 0 });
    expect((bench.vga.picture() as VgaPicture).palette).toEqual(before.palette);
    expect(bench.vga.text()?.columns).toBe(80);
  });

  it('describes calls', () => {
    const bench = new BiosBench();
    expect(bench.describe(0x10, { ah: 0x0e, al: 0x41 })).toBe("int 10h ah=0E teletype 'A'");
    expect(bench.describe(0x10, { ah: 0, al: 0x13 })).toBe('int 10h ah=00 set mode 13h');
    expect(bench.describe(0x10, { ah: 0x77 })).toBe('int 10h ah=77 unknown');
    expect(bench.describe(0x10, { ah: 0x10, al: 0x12, bx: 5 })).toBe(
      'int 10h ah=10 palette al=12 set DAC colours bx=0005',
    );
  });
});
