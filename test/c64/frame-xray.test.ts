import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { here } from '../support/tool-bench.ts';
import { Desk } from './desk.ts';

/** A stripe in the border from the middle of line 30 to that of line 40, a sprite, and a character that is written anew. */
const program = `
* = $c000
start   sei
        lda #0
        sta $d020
        lda #$c0
        sta $07f8
        ldx #62
        lda #$ff
fill    sta $3000,x
        dex
        bpl fill
        lda #1
        sta $d015
        sta $d027
        lda #100
        sta $d000
        lda #200
        sta $d001
        lda #$a0
        sta $0400
        lda #5
        sta $d800
loop    lda $d012
        cmp #30
        bne loop
        ldx #6
delay   dex
        bne delay
        lda #2
stripe  sta $d020
wait    lda $d012
        cmp #40
        bne wait
        ldx #6
again   dex
        bne again
        lda #0
        sta $d020
        jmp loop
`;

interface Cause {
  readonly what: string;
  readonly register_name?: string;
  readonly address?: string;
  readonly value: number;
  readonly symbol?: string;
  readonly raster_line?: number;
}

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.withC64({}, here);
  await desk.call('program_run', { source: program });
  await desk.call('run', { frames: 4 });
});
afterAll(() => desk.close());

const screen = async () => {
  const picture = await desk.machine().screen?.picture();
  if (!picture || !('pixels' in picture)) throw new Error('no picture');
  return (x: number, y: number) => picture.pixels[y * picture.width + x];
};
const pixel = async (x: number, y: number, back = 10) => {
  const data = await desk.data('frame_xray', { x, y, frames_back: back });
  return data as typeof data & { readonly element: string; readonly causes: readonly Cause[] };
};

describe('frame_xray', () => {
  test('an event is marked at the pixel where its effect begins', async () => {
    const { events, legend } = await desk.data('frame_xray', { registers: ['EXTCOL'] });
    const at = await screen();
    const changes = events as readonly { readonly x: number; readonly y: number; readonly value: number }[];
    // The low byte of the raster line comes round once more, after line 255.
    expect(changes.map(({ value }) => value)).toEqual([2, 0, 2, 0]);
    for (const { x, y, value } of changes.slice(0, 2)) {
      // The second pixel of the eight is the first with the new colour on this chip.
      expect([at(x, y), at(x + 1, y)]).toEqual([2 - value, value]);
    }
    expect((legend as readonly string[])[0]).toMatch(
      /^write vic2 EXTCOL: 30\/\d+ EXTCOL=2, 40\/\d+ EXTCOL=0, 286\/\d+ EXTCOL=2 and 1 more$/,
    );
  });

  test('the picture has the whole raster, twice as large, and the legend', async () => {
    const outcome = await desk.outcome('frame_xray');
    const png = Buffer.from((outcome.type === 'answer' && outcome.answer.images?.[0]?.base64) || '', 'base64');
    expect(png.readUInt32BE(16)).toBe(2 * 504);
    expect(png.readUInt32BE(20)).toBeGreaterThan(2 * 312);
  });

  test('frames that are not remembered or still to come are refused', async () => {
    expect(await desk.call('frame_xray', { frame: 9_999_999 })).toMatch(/still to come/);
    expect(await desk.call('frame_xray', { frame: 0 })).toMatch(/The current frame is|frame 0/);
  });
});

describe('which instruction made this pixel', () => {
  test('the border in the stripe and outside it', async () => {
    const inside = await pixel(5, 35 - 16);
    expect(inside).toMatchObject({ element: 'border', color: 2, raster_line: 35 });
    expect(inside.causes[0]).toMatchObject({
      register_name: 'EXTCOL',
      raster_line: 30,
      symbol: expect.stringMatching(/^stripe/),
    });
    const below = await pixel(5, 150 - 16);
    expect(below.causes[0]).toMatchObject({ raster_line: 40, symbol: expect.stringMatching(/^again/) });
  });

  test('a sprite: its registers, its pointer, its bytes', async () => {
    // Sprite X 100 is pixel 108, line 201 is its first.
    const { element, causes } = await pixel(108 + 9, 203 - 16);
    expect(element).toBe('sprite 0');
    const of = (what: RegExp) => causes.find((cause) => what.test(cause.what));
    expect(of(/^Y of/)).toMatchObject({ register_name: 'SP0Y', value: 200, symbol: expect.stringMatching(/^fill/) });
    expect(of(/^pointer/)).toMatchObject({ address: '$07F8', value: 0xc0, symbol: expect.stringMatching(/^start/) });
    expect(of(/^pixels/)).toMatchObject({ address: '$3007', value: 0xff, symbol: expect.stringMatching(/^fill/) });
  });

  test('a character: screen, colour, and pixels from ROM', async () => {
    const { element, color, causes } = await pixel(33, 36);
    expect([element, color]).toEqual(['text foreground', 5]);
    expect(causes[0]).toMatchObject({
      what: 'colour RAM',
      address: '$D800',
      value: 5,
      symbol: expect.stringMatching(/^fill/),
    });
    expect(causes[1]).toMatchObject({ what: 'character', address: '$0400', value: 0xa0 });
    expect(causes[2]).toMatchObject({ what: 'pixels (ROM)', value: 0xff });
    const other = await pixel(100, 100);
    expect(other.element).toBe('text background');
    expect(await desk.call('frame_xray', { x: 100, y: 100, frames_back: 2 })).toMatch(
      /BGCOL0 = \$F6, not written in the last 2 frames/,
    );
  });

  test('outside the picture there is none', async () => {
    expect(await desk.call('frame_xray', { x: 384, y: 0 })).toMatch(/outside the picture.*\n.*0 to 383 and 0 to 271/);
  });

  test('every pixel of a line has the colour that its element says', async () => {
    const at = await screen();
    for (const x of [0, 31, 32, 107, 108, 131, 132, 352, 383]) {
      const { element, causes } = await pixel(x, 203 - 16, 1);
      const first = causes[0]?.value ?? 0;
      expect([x, element, at(x, 203 - 16)]).toEqual([x, element, first & 15]);
    }
  });
});
