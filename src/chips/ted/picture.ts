import { fields, type TedState } from './fields.ts';
import { pixelsPerLine } from './models.ts';

const SCROLL_X = fields.scrollX;
const MODE = fields.mode;
const GLITCH = fields.glitch;
const SHOWN_PIXELS = fields.shownPixels;
const BACKGROUND = fields.registers + 0x15;
const BORDER = fields.registers + 0x19;

/** Bits of `mode`. */
const multicolor = 1;
const bitmap = 2;
const extended = 4;
const plainCharacters = 8;

const white = 0x7f;
const inAll = 0x0101_0101;
const firstPixel = 0xff;

/** By four bits of graphics, the first one on the left: a mask of the four pixels, and of two pairs of them. */
const singles = Int32Array.from({ length: 16 }, (_, bits) =>
  [8, 4, 2, 1].reduce((mask, bit, pixel) => (bits & bit ? mask | (255 << (8 * pixel)) : mask), 0),
);
const leftPair = 0x0000_ffff;

/** Where pixels go, as bytes and as groups of four. */
export interface TedFrame {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
}

/** Draws the four pixels of this half cycle. `load`: the one at which the next character comes, if one does. */
export function drawFour(s: TedState, frame: TedFrame, load: number): void {
  const at = groupAt(s);
  if (s[fields.blank] !== 0) {
    frame.words[at] = 0;
    pass(s, load);
  } else if (s[fields.displayActive] === 0) {
    frame.words[at] = s[GLITCH] & 16 ? ((s[BORDER] * inAll) & ~firstPixel) | white : s[BORDER] * inAll;
    pass(s, load);
  } else if (load === 0 || ((load < 0 || load > 3) && s[SHOWN_PIXELS] === 4)) {
    if (load === 0) take(s);
    frame.words[at] = fourOf(s);
    s[SHOWN_PIXELS] += 4;
  } else drawSingly(s, frame, at << 2, load);
}

/** The shift register moves on unseen. */
function pass(s: TedState, load: number): void {
  if (load >= 0 && load < 4) {
    take(s);
    s[SHOWN_PIXELS] = 4 - load;
  } else s[SHOWN_PIXELS] += 4;
}

function take(s: TedState): void {
  s[fields.shownGraphics] = s[fields.graphics];
  s[fields.shownAttribute] = s[fields.attribute];
  s[fields.shownCharacter] = s[fields.character];
  s[fields.shownCursor] = s[fields.cursor];
  s[SHOWN_PIXELS] = 0;
}

function drawSingly(s: TedState, frame: TedFrame, at: number, load: number): void {
  for (let pixel = 0; pixel < 4; pixel += 1) {
    if (pixel === load) take(s);
    frame.bytes[at + pixel] = onePixel(s, pixel === 0 ? s[GLITCH] : 0);
    s[SHOWN_PIXELS] += 1;
  }
}

/** Four pixels of one character, its first or its last. */
function fourOf(s: TedState): number {
  if (s[GLITCH] !== 0) {
    const first = onePixel(s, s[GLITCH]);
    s[GLITCH] = 0;
    return (fourOf(s) & ~firstPixel) | first;
  }
  const bits = (graphicsOf(s) >> (4 - s[SHOWN_PIXELS])) & 15;
  return fourPixels(s, bits, s[fields.shownAttribute], s[fields.shownCharacter]);
}

/** As the present mode shows four bits. */
export function fourPixels(s: TedState, bits: number, attribute: number, character: number): number {
  switch (s[MODE] & 7) {
    case 0:
      return mix(bits, attribute & 0x7f, s[BACKGROUND]);
    case multicolor:
      if ((attribute & 8) === 0) return mix(bits, attribute & 0x7f, s[BACKGROUND]);
      return pair(bits >> 2, bits & 3, s[BACKGROUND], s[BACKGROUND + 1], s[BACKGROUND + 2], attribute & 0x77);
    case bitmap:
      return mix(bits, upperColor(attribute, character), lowerColor(attribute, character));
    case bitmap | multicolor: {
      const [upper, lower] = [upperColor(attribute, character), lowerColor(attribute, character)];
      return pair(bits >> 2, bits & 3, s[BACKGROUND], upper, lower, s[BACKGROUND + 1]);
    }
    case extended:
      return mix(bits, attribute & 0x7f, s[(BACKGROUND + (character >> 6)) as typeof BACKGROUND]);
    default:
      return 0;
  }
}

function mix(bits: number, one: number, zero: number): number {
  const mask = singles[bits];
  return (mask & (one * inAll)) | (~mask & (zero * inAll));
}

function pair(left: number, right: number, c0: number, c1: number, c2: number, c3: number): number {
  const first = left === 0 ? c0 : left === 1 ? c1 : left === 2 ? c2 : c3;
  const second = right === 0 ? c0 : right === 1 ? c1 : right === 2 ? c2 : c3;
  return ((first * inAll) & leftPair) | ((second * inAll) & ~leftPair);
}

/** `glitch`: the colour registers that show white. */
function onePixel(s: TedState, glitch: number): number {
  const pixel = s[SHOWN_PIXELS];
  const graphics = graphicsOf(s);
  const bit = pixel > 7 ? 0 : (graphics >> (7 - pixel)) & 1;
  const two = pixel > 7 ? 0 : (graphics >> (6 - (pixel & 6))) & 3;
  const attribute = s[fields.shownAttribute];
  const character = s[fields.shownCharacter];
  const register = (number: number) => ((glitch >> number) & 1 ? white : s[(BACKGROUND + number) as typeof BACKGROUND]);
  switch (s[MODE] & 7) {
    case 0:
      return bit ? attribute & 0x7f : register(0);
    case multicolor:
      if ((attribute & 8) === 0) return bit ? attribute & 0x7f : register(0);
      return two === 3 ? attribute & 0x77 : register(two);
    case bitmap:
      return bit ? upperColor(attribute, character) : lowerColor(attribute, character);
    case bitmap | multicolor:
      if (two === 1) return upperColor(attribute, character);
      return two === 2 ? lowerColor(attribute, character) : register(two === 0 ? 0 : 1);
    case extended:
      return bit ? attribute & 0x7f : register(character >> 6);
    default:
      return 0;
  }
}

function graphicsOf(s: TedState): number {
  return shownAs(s, s[fields.shownGraphics], s[fields.shownAttribute], s[fields.shownCharacter], s[fields.shownCursor]);
}

/** In text the chip flashes, reverses and shows its cursor. */
export function shownAs(s: TedState, fetched: number, attribute: number, character: number, cursor: number): number {
  if ((s[MODE] & 7) !== 0) return fetched;
  let graphics = fetched;
  if ((attribute & 0x80) !== 0 && cursor === 0) graphics &= s[fields.flash];
  if ((s[MODE] & plainCharacters) === 0 && (character & 0x80) !== 0) graphics ^= 0xff;
  return cursor === 0 ? graphics : graphics ^ s[fields.flash];
}

/** Of a bitmap: attributes have the brightness of both colours, characters the colours. */
function upperColor(attribute: number, character: number): number {
  return ((attribute & 7) << 4) | (character >> 4);
}

function lowerColor(attribute: number, character: number): number {
  return (attribute & 0x70) | (character & 15);
}

/** Where in the frame the four pixels of this half cycle are, in groups of four. */
export function groupAt(s: TedState): number {
  const h = s[fields.horizontal];
  return (s[fields.row] * pixelsPerLine + (h >= 98 ? h - 98 : h + 16) * 4) >> 2;
}

/** The pixel of this half cycle at which the next character comes, below 0 or above 3 if it is in the other half. */
export function loadInEven(s: TedState): number {
  return s[SCROLL_X];
}

export function loadInOdd(s: TedState): number {
  return s[SCROLL_X] - 4;
}
