import { fields, type VgaState } from './fields.ts';
import { type LineChange, setRegister } from './line-log.ts';
import { attribute, crtc, graphics, sequencer } from './registers.ts';
import { hasWideDac } from './svga.ts';
import { dotsPerCharacter, lineCompare, shownCharacters, shownLines } from './timing.ts';

/** One byte a pixel, into 256 colours of red, green and blue. */
export interface VgaPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly palette: Uint8Array;
}

export const isGraphics = (s: VgaState) => (graphics(s, 6) & 1) !== 0;

/** The row of display memory that the counter's value stands for, with the substitutions of the mode control register. */
export function memoryAddress(s: VgaState, counter: number, rowScan: number): number {
  const mode = crtc(s, 0x17);
  let at = counter;
  if ((crtc(s, 0x14) & 0x40) !== 0) at = (counter << 2) | ((counter >> 14) & 3);
  else if ((mode & 0x40) === 0) at = (counter << 1) | ((counter >> ((mode & 0x20) !== 0 ? 15 : 13)) & 1);
  if ((mode & 1) === 0) at = (at & ~0x2000) | ((rowScan & 1) << 13);
  if ((mode & 2) === 0) at = (at & ~0x4000) | ((rowScan & 2) << 13);
  return at & 0xffff;
}

/** Lines that show the same: a picture holds only one of them. */
function linesPerPixel(s: VgaState): number {
  if (!isGraphics(s)) return 1;
  const doubled = (crtc(s, 9) & 0x80) !== 0 ? 2 : 1;
  return (crtc(s, 0x17) & 3) === 3 ? doubled * ((crtc(s, 9) & 0x1f) + 1) : doubled;
}

/** Red, green, blue for each pixel. */
export interface ColourPicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/**
 * What the monitor shows of the memory as it is, and of the registers as they were when the frame began, with what has
 * changed on its lines. `start` is the address where the frame begins.
 */
export function drawPicture(
  registers: VgaState,
  planes: Int32Array,
  start: number,
  frame: number,
  changes: readonly LineChange[] = [],
): VgaPicture | ColourPicture {
  const s = registers;
  const step = linesPerPixel(s);
  const wide = (graphics(s, 5) & 0x40) !== 0 && isGraphics(s);
  const dots = isGraphics(s) ? (wide ? 4 : 8) : dotsPerCharacter(s);
  const width = shownCharacters(s) * dots;
  const height = Math.ceil(shownLines(s) / step);
  const pixels = new Uint8Array(width * height);
  if ((s[fields.attributeIndex] & 0x20) === 0 || (sequencer(s, 1) & 0x20) !== 0)
    return { width, height, pixels: pixels.fill(attribute(s, 0x11) & s[fields.dacMask]), palette: palette(s) };

  const drawRow = isGraphics(s) ? (wide ? drawWide : drawNarrow) : drawText;
  const rgb = changes.some(({ register }) => register >= fields.dac) ? new Uint8Array(width * height * 3) : undefined;
  // A character more than is shown, for what panning brings in.
  const row = new Uint8Array(width + dots);
  let look: Look | undefined = lookOf(s);
  let rowAddress = start + ((crtc(s, 8) >> 5) & 3);
  let rowScan = crtc(s, 8) & 0x1f;
  let isSplit = false;
  let next = 0;
  for (let line = 0; line < height * step; line++) {
    for (let change = changes[next]; change !== undefined && change.line <= line; change = changes[++next]) {
      setRegister(s, change.register, change.after);
      look = undefined;
    }
    if (line % step === 0) {
      look ??= lookOf(s);
      drawRow(s, planes, row, rowAddress, rowScan, look.colours, frame);
      const pan = isSplit && (attribute(s, 0x10) & 0x20) !== 0 ? 0 : panning(s, dots);
      const out = (line / step) * width;
      for (let x = 0; x < width; x++) pixels[out + x] = row[x + pan] & look.mask;
      if (rgb !== undefined) paint(rgb, pixels, out, width, look.palette);
    }
    if (line === lineCompare(s)) {
      rowAddress = 0;
      rowScan = 0;
      isSplit = true;
      continue;
    }
    if ((crtc(s, 9) & 0x80) !== 0 && (line & 1) === 0) continue;
    if (++rowScan <= (crtc(s, 9) & 0x1f)) continue;
    rowScan = 0;
    rowAddress += crtc(s, 0x13) * 2;
  }
  return rgb === undefined ? { width, height, pixels, palette: palette(s) } : { width, height, rgb };
}

interface Look {
  readonly colours: Uint8Array;
  readonly mask: number;
  readonly palette: Uint8Array;
}

function lookOf(s: VgaState): Look {
  return { colours: attributeColours(s), mask: s[fields.dacMask], palette: palette(s) };
}

function paint(rgb: Uint8Array, pixels: Uint8Array, from: number, count: number, colours: Uint8Array): void {
  for (let i = from; i < from + count; i++) {
    const colour = pixels[i] * 3;
    for (let part = 0; part < 3; part++) rgb[i * 3 + part] = colours[colour + part];
  }
}

/** Pixels to the left; nine-dot characters count from 8. */
function panning(s: VgaState, dots: number): number {
  const pan = attribute(s, 0x13) & 15;
  if (dots === 9) return pan >= 8 ? 0 : pan + 1;
  return dots === 4 ? (pan & 7) >> 1 : pan & 7;
}

type DrawRow = (
  s: VgaState,
  planes: Int32Array,
  row: Uint8Array,
  address: number,
  rowScan: number,
  colours: Uint8Array,
  frame: number,
) => void;

/** 256 colours: the four bytes of an address are four pixels. */
const drawWide: DrawRow = (s, planes, row, address, rowScan) => {
  for (let x = 0, counter = address; x < row.length; x += 4, counter++) {
    const bytes = planes[memoryAddress(s, counter & 0xffff, rowScan)];
    row[x] = bytes;
    row[x + 1] = bytes >> 8;
    row[x + 2] = bytes >> 16;
    row[x + 3] = bytes >> 24;
  }
};

/** 16 colours: a bit of each plane is a pixel; or, interleaved as on the CGA, two bits of planes 0 and 2, then 1 and 3. */
const drawNarrow: DrawRow = (s, planes, row, address, rowScan, colours) => {
  const interleaved = (graphics(s, 5) & 0x20) !== 0;
  for (let x = 0, counter = address; x < row.length; x += 8, counter++) {
    const bytes = planes[memoryAddress(s, counter & 0xffff, rowScan)];
    for (let bit = 7; bit >= 0; bit--) {
      let pixel: number;
      if (interleaved) {
        const half = bit > 3 ? bytes : bytes >> 8;
        const pair = (bit & 3) * 2;
        pixel = ((half >> pair) & 3) | (((half >> (16 + pair)) & 3) << 2);
      } else {
        const bits = bytes >> bit;
        pixel = (bits & 1) | ((bits >> 7) & 2) | ((bits >> 14) & 4) | ((bits >> 21) & 8);
      }
      row[x + 7 - bit] = colours[pixel];
    }
  }
};

/** Where the eight character generators lie in plane 2. */
const fontOffsets = [0x0000, 0x4000, 0x8000, 0xc000, 0x2000, 0x6000, 0xa000, 0xe000];

const drawText: DrawRow = (s, planes, row, address, rowScan, colours, frame) => {
  const dots = dotsPerCharacter(s);
  const maps = sequencer(s, 3);
  const fontA = fontOffsets[((maps >> 3) & 4) | ((maps >> 2) & 3)];
  const fontB = fontOffsets[((maps >> 2) & 4) | (maps & 3)];
  const mode = attribute(s, 0x10);
  const blinks = (mode & 8) !== 0;
  const ninth = dots === 9 && (mode & 4) !== 0;
  const cursor = cursorOnRow(s, rowScan, frame) ? ((crtc(s, 0x0e) << 8) | crtc(s, 0x0f)) & 0xffff : -1;
  const underlined = rowScan === (crtc(s, 0x14) & 0x1f);
  for (let x = 0, counter = address; x < row.length; x += dots, counter++) {
    const cell = planes[memoryAddress(s, counter & 0xffff, rowScan)];
    const code = cell & 0xff;
    const look = (cell >> 8) & 0xff;
    const font = (look & 8) !== 0 ? fontA : fontB;
    let bits = (planes[(font + code * 32 + rowScan) & 0xffff] >> 16) & 0xff;
    if (underlined && (look & 7) === 1) bits = 0xff;
    if (blinks && (look & 0x80) !== 0 && (frame & 16) !== 0) bits = 0;
    bits <<= 1;
    if (ninth && code >= 0xc0 && code < 0xe0) bits |= (bits >> 1) & 1;
    if ((counter & 0xffff) === cursor) bits = 0x1ff;
    const ink = colours[look & 15];
    const paper = colours[(look >> 4) & (blinks ? 7 : 15)];
    for (let dot = 0; dot < dots; dot++) row[x + dot] = (bits & (0x100 >> dot)) !== 0 ? ink : paper;
  }
};

/** The cursor is there for eight frames and gone for eight. */
function cursorOnRow(s: VgaState, rowScan: number, frame: number): boolean {
  if ((crtc(s, 0x0a) & 0x20) !== 0 || (frame & 8) !== 0) return false;
  return rowScan >= (crtc(s, 0x0a) & 0x1f) && rowScan <= (crtc(s, 0x0b) & 0x1f);
}

/** The sixteen colours of the attribute controller as numbers of the DAC. */
function attributeColours(s: VgaState): Uint8Array {
  const select = attribute(s, 0x14);
  const planeEnable = attribute(s, 0x12);
  return Uint8Array.from({ length: 16 }, (_, index) => {
    const colour = attribute(s, index & planeEnable);
    if ((attribute(s, 0x10) & 0x80) !== 0) return (colour & 15) | ((select & 15) << 4);
    return colour | ((select & 12) << 4);
  });
}

/** Six bits of the DAC become eight. */
export function palette(s: VgaState): Uint8Array {
  if (hasWideDac(s)) return Uint8Array.from(s.subarray(fields.dac, fields.dac + 768));
  return Uint8Array.from({ length: 768 }, (_, index) => {
    const value = s[fields.dac + index];
    return (value << 2) | (value >> 4);
  });
}
