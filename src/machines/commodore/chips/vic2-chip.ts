import { peptoPal } from '../../../chips/vic2/palette.ts';
import { hexByte, hexWord } from '../../../formats/hex.ts';
import type { ChipNumbers, ChipPicture } from '../../../machine/chips.ts';
import { paletteBytes } from '../palette-bytes.ts';
import { characterParts } from './character-parts.ts';
import { type Decoded, DecodedChip, flagNames } from './decoded-chip.ts';
import { vic2Registers } from './register-names.ts';
import { registersPart } from './registers-part.ts';
import { pointerAddress, spriteFields, spriteNumbers } from './vic2-sprite.ts';

const base = 0xd000;
/** With a scroll of 0. */
const firstBadLine = 48;
const sources = ['raster', 'sprite-background collision', 'sprite-sprite collision', 'light pen'];
const modes = [
  'standard text',
  'multicolour text',
  'standard bitmap',
  'multicolour bitmap',
  'extended colour text',
  'invalid (ECM and MCM)',
  'invalid (ECM and BMM)',
  'invalid (ECM, BMM and MCM)',
];
const colours = [
  'black',
  'white',
  'red',
  'cyan',
  'purple',
  'green',
  'blue',
  'yellow',
  'orange',
  'brown',
  'light red',
  'dark grey',
  'grey',
  'light green',
  'light blue',
  'light grey',
];

/** A colour of its own for what is transparent, after the sixteen that there are. */
const transparent = 16;
const palette = paletteBytes([...peptoPal, 0x202020]);

/** A VIC-II as it is wired. */
export interface Vic2View {
  /** A register as it would read, without side effects. */
  register(index: number): number;
  /** A byte of the 16K that it sees. */
  fetch(address14: number): number;
  isCharacterRom(address14: number): boolean;
  /** The start of these 16K, as the processor counts. */
  bankStart(): number;
  /** Where the beam is, and the line that the raster interrupt waits for. */
  beam(): { readonly line: number; readonly cycle: number; readonly irqLine: number };
}

/** The video chip: its registers, sprites and characters as it would fetch them now. */
export function vic2Chip(view: Vic2View): DecodedChip {
  return new DecodedChip('vic2', 'VIC-II, video', [
    registersPart({
      ...{ base, names: vic2Registers, rows: 0x2f },
      description: 'mode, addresses, raster, interrupts, colours',
      register: (index) => view.register(index),
      overview: () => overview(view),
      numbers: () => numbersOf(view),
    }),
    {
      name: 'sprite',
      count: 8,
      description: 'position, flags and 24x21 pixels',
      hasPicture: true,
      decode: (index) => sprite(view, index),
      fields: (index) => spriteFields(view, index),
    },
    ...characterParts({
      ...{ pixels: '8x8', all: 'all 256 characters' },
      character: (code) => character(view, code),
      charset: () => charset(view),
    }),
  ]);
}

function overview(view: Vic2View): Record<string, string | number | boolean> {
  const [d011, d016, d018] = [view.register(0x11), view.register(0x16), view.register(0x18)];
  const bank = view.bankStart();
  const { line, cycle, irqLine } = view.beam();
  const colour = (index: number) => `${view.register(index) & 15} ${colours[view.register(index) & 15]}`;
  const isBitmap = (d011 & 0x20) !== 0;
  return {
    mode: modes[((d011 >> 4) & 6) | ((d016 >> 4) & 1)] ?? '',
    display: (d011 & 0x10) !== 0,
    size: `${d016 & 8 ? 40 : 38} columns, ${d011 & 8 ? 25 : 24} rows`,
    scroll: `x ${d016 & 7}, y ${d011 & 7}`,
    bank: hexWord(bank),
    screen: hexWord(bank + ((d018 & 0xf0) << 6)),
    [isBitmap ? 'bitmap' : 'characters']: charsetPlace(view, d018, isBitmap),
    raster: `line ${line}, cycle ${cycle}`,
    raster_irq_line: irqLine,
    irq_pending: flagNames(sources, view.register(0x19) & 15),
    irq_enabled: flagNames(sources, view.register(0x1a) & 15),
    border: colour(0x20),
    background: [0x21, 0x22, 0x23, 0x24].map(colour).join(', '),
    sprites_on: flagNames(['0', '1', '2', '3', '4', '5', '6', '7'], view.register(0x15)),
    light_pen: `x ${view.register(0x13)}, y ${view.register(0x14)}`,
  };
}

function numbersOf(view: Vic2View): ChipNumbers {
  const [d011, d016, d018] = [view.register(0x11), view.register(0x16), view.register(0x18)];
  const { line, cycle, irqLine } = view.beam();
  const bank = view.bankStart();
  const isBitmap = (d011 & 0x20) !== 0;
  const badLines = d011 & 0x10 ? Array.from({ length: 25 }, (_, row) => firstBadLine + (d011 & 7) + 8 * row) : [];
  return {
    mode: modes[((d011 >> 4) & 6) | ((d016 >> 4) & 1)] ?? '',
    raster_line: line,
    raster_cycle: cycle,
    raster_irq_line: irqLine,
    display: (d011 & 0x10) !== 0,
    columns: d016 & 8 ? 40 : 38,
    rows: d011 & 8 ? 25 : 24,
    x_scroll: d016 & 7,
    y_scroll: d011 & 7,
    bank,
    screen: bank + ((d018 & 0xf0) << 6),
    [isBitmap ? 'bitmap' : 'characters']: bank + (isBitmap ? (d018 & 8) << 10 : (d018 & 14) << 10),
    border: view.register(0x20) & 15,
    background: [0x21, 0x22, 0x23, 0x24].map((index) => view.register(index) & 15),
    sprites_enabled: view.register(0x15),
    irq_pending: view.register(0x19) & 15,
    irq_enabled: view.register(0x1a) & 15,
    // As long as $D011 stays as it is.
    bad_lines: badLines,
  };
}

function charsetPlace(view: Vic2View, d018: number, isBitmap: boolean): string {
  const offset = isBitmap ? (d018 & 8) << 10 : (d018 & 14) << 10;
  const isRom = !isBitmap && view.isCharacterRom(offset);
  return isRom ? `character ROM + ${hexWord(offset & 0xfff)}` : hexWord(view.bankStart() + offset);
}

function sprite(view: Vic2View, index: number): Decoded {
  const register = (each: number) => view.register(each);
  const bit = 1 << index;
  const isSet = (each: number) => (register(each) & bit) !== 0;
  const pointer = view.fetch(pointerAddress(view, index));
  const colour = register(0x27 + index) & 15;
  const isMulticolour = isSet(0x1c);
  const pixels = new Uint8Array(24 * 21).fill(transparent);
  const shades = [transparent, register(0x25) & 15, colour, register(0x26) & 15];
  for (let at = 0; at < 63; at++) {
    const byte = view.fetch((pointer << 6) + at);
    for (let column = 0; column < 8; column++) {
      const pair = (byte >> (6 - (column & 6))) & 3;
      const one = (byte >> (7 - column)) & 1;
      pixels[at * 8 + column] = isMulticolour ? (shades[pair] ?? transparent) : one ? colour : transparent;
    }
  }
  return {
    values: {
      on: isSet(0x15),
      x: register(index * 2) | (isSet(0x10) ? 256 : 0),
      y: register(index * 2 + 1),
      colour: `${colour} ${colours[colour]}`,
      multicolour: isMulticolour,
      expanded: [isSet(0x1d) ? 'x' : '', isSet(0x17) ? 'y' : ''].join('') || 'no',
      behind_text: isSet(0x1b),
      pointer: hexByte(pointer),
      data: hexWord(view.bankStart() + pointer * 64),
      hit_sprite: isSet(0x1e),
      hit_background: isSet(0x1f),
    },
    numbers: spriteNumbers(view, index),
    picture: picture(24, 21, pixels),
  };
}

function character(view: Vic2View, index: number): Decoded {
  const pixels = new Uint8Array(64);
  drawCharacter(view, index, pixels, 0, 8);
  const place = ((view.register(0x18) & 14) << 10) + index * 8;
  const bytes = Array.from({ length: 8 }, (_, row) => hexByte(view.fetch(place + row)).slice(1)).join(' ');
  return {
    values: { code: hexByte(index), characters: charsetPlace(view, view.register(0x18), false), bytes },
    picture: picture(8, 8, pixels),
  };
}

function charset(view: Vic2View): Decoded {
  const pixels = new Uint8Array(128 * 128);
  for (let index = 0; index < 256; index++) {
    drawCharacter(view, index, pixels, (index >> 4) * 8 * 128 + (index & 15) * 8, 128);
  }
  const values = { characters: charsetPlace(view, view.register(0x18), false) };
  return { values, picture: picture(128, 128, pixels) };
}

/** In white, whatever colour it may have on the screen. */
function drawCharacter(view: Vic2View, index: number, pixels: Uint8Array, at: number, pitch: number): void {
  const place = ((view.register(0x18) & 14) << 10) + index * 8;
  for (let row = 0; row < 8; row++) {
    const byte = view.fetch(place + row);
    for (let column = 0; column < 8; column++) {
      pixels[at + row * pitch + column] = (byte >> (7 - column)) & 1 ? 1 : transparent;
    }
  }
}

function picture(width: number, height: number, pixels: Uint8Array): ChipPicture {
  return { width, height, pixels, palette, transparent };
}
