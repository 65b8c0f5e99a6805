import { vicPalette } from '../../../chips/mos6560/palette.ts';
import { hexByte, hexWord } from '../../../formats/hex.ts';
import type { ChipNumbers, ChipPicture } from '../../../machine/chips.ts';
import { paletteBytes } from '../palette-bytes.ts';
import { characterParts } from './character-parts.ts';
import { type Decoded, DecodedChip } from './decoded-chip.ts';
import { vic1Registers } from './register-names.ts';
import { registersPart } from './registers-part.ts';

const base = 0x9000;
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
  'light orange',
  'pink',
  'light cyan',
  'light purple',
  'light green',
  'light blue',
  'light yellow',
];
const voices = ['bass', 'alto', 'soprano', 'noise'];
/** A voice takes sixteen steps for a wave; of the count in its register each takes so many cycles. */
const cyclesPerCount = [16, 8, 4, 2];

/** A colour of its own for what is transparent, after the sixteen that there are. */
const transparent = 16;
const palette = paletteBytes([...vicPalette, 0x202020]);

/** A 6560 or 6561 as it is wired. */
export interface Vic1View {
  readonly clockHz: number;
  /** A register as it would read, without side effects. */
  register(index: number): number;
  /** A byte of the 16K that it sees. */
  fetch(address14: number): number;
  beam(): { readonly line: number; readonly cycle: number };
}

/** The VIC-20's chip for video and sound: its registers, voices, and characters as it would fetch them now. */
export function vic1Chip(view: Vic1View): DecodedChip {
  return new DecodedChip('vic', 'VIC, video and sound', [
    registersPart({
      ...{ base, names: vic1Registers, rows: 16 },
      description: 'window, addresses, raster, colours, volume, paddles, light pen',
      register: (index) => view.register(index),
      overview: () => overview(view),
      numbers: () => numbersOf(view),
    }),
    {
      name: 'voice',
      count: 4,
      description: '0 to 2 are the tones, 3 is noise: pitch and whether it sounds',
      decode: (index) => voice(view, index),
    },
    ...characterParts({
      ...{ pixels: '8x8 or 8x16', all: 'all 256 characters' },
      character: (code) => character(view, code),
      charset: () => charset(view),
    }),
  ]);
}

/** Its address 0 is the processor's $8000, and $2000 is $0000. */
function asProcessorSees(address14: number): number {
  return (address14 & 0x1fff) | (address14 & 0x2000 ? 0 : 0x8000);
}

function heightOf(view: Vic1View): 8 | 16 {
  return view.register(3) & 1 ? 16 : 8;
}

function charsetAt(view: Vic1View): number {
  return (view.register(5) & 15) << 10;
}

function overview(view: Vic1View): Record<string, string | number | boolean> {
  const register = (index: number) => view.register(index);
  const { line, cycle } = view.beam();
  const colour = (number: number) => `${number} ${colours[number]}`;
  const screen = ((register(5) & 0xf0) << 6) | ((register(2) & 0x80) << 2);
  return {
    size: `${register(2) & 0x7f} columns, ${(register(3) >> 1) & 0x3f} rows of 8x${heightOf(view)} pixels`,
    origin: `cycle ${register(0) & 0x7f}, line ${register(1) * 2}`,
    interlaced: (register(0) & 0x80) !== 0,
    screen: hexWord(asProcessorSees(screen)),
    colours: hexWord(0x9400 + (screen & 0x3ff)),
    characters: hexWord(asProcessorSees(charsetAt(view))),
    raster: `line ${line}, cycle ${cycle}`,
    raster_counter: (register(4) << 1) | (register(3) >> 7),
    background: colour(register(15) >> 4),
    border: colour(register(15) & 7),
    auxiliary: colour(register(14) >> 4),
    // The bit says that characters are not.
    reversed: (register(15) & 8) === 0,
    volume: register(14) & 15,
    light_pen: `x ${register(6)}, y ${register(7)}`,
    paddles: `x ${register(8)}, y ${register(9)}`,
  };
}

function numbersOf(view: Vic1View): ChipNumbers {
  const register = (index: number) => view.register(index);
  const { line, cycle } = view.beam();
  const screen = ((register(5) & 0xf0) << 6) | ((register(2) & 0x80) << 2);
  return {
    raster_line: line,
    raster_cycle: cycle,
    columns: register(2) & 0x7f,
    rows: (register(3) >> 1) & 0x3f,
    character_height: heightOf(view),
    origin_cycle: register(0) & 0x7f,
    origin_line: register(1) * 2,
    interlaced: (register(0) & 0x80) !== 0,
    screen: asProcessorSees(screen),
    colors: 0x9400 + (screen & 0x3ff),
    characters: asProcessorSees(charsetAt(view)),
    border: register(15) & 7,
    background: register(15) >> 4,
    auxiliary: register(14) >> 4,
    reversed: (register(15) & 8) === 0,
    volume: register(14) & 15,
  };
}

function voice(view: Vic1View, index: number): Decoded {
  const value = view.register(10 + index);
  const count = ~value & 127 || 128;
  const hertz = view.clockHz / (16 * count * (cyclesPerCount[index] ?? 1));
  return {
    numbers: {
      voice: voices[index] ?? '',
      on: (value & 0x80) !== 0,
      frequency: value & 127,
      frequency_hz: Number((index === 3 ? 16 * hertz : hertz).toFixed(2)),
      volume: view.register(14) & 15,
    },
    values: {
      voice: voices[index] ?? '',
      on: (value & 0x80) !== 0,
      frequency: `${value & 127} (${index === 3 ? `${(16 * hertz).toFixed(0)} steps a second` : `${hertz.toFixed(1)} Hz`})`,
      volume: view.register(14) & 15,
    },
  };
}

function character(view: Vic1View, index: number): Decoded {
  const height = heightOf(view);
  const pixels = new Uint8Array(8 * height);
  drawCharacter(view, index, pixels, 0, 8);
  const bytes = Array.from({ length: height }, (_, row) => hexByte(rowOf(view, index, row)).slice(1)).join(' ');
  return {
    values: { code: hexByte(index), at: hexWord(asProcessorSees(charsetAt(view) + index * height)), bytes },
    picture: picture(8, height, pixels),
  };
}

function charset(view: Vic1View): Decoded {
  const height = heightOf(view);
  const pixels = new Uint8Array(128 * 16 * height);
  for (let index = 0; index < 256; index++) {
    drawCharacter(view, index, pixels, (index >> 4) * height * 128 + (index & 15) * 8, 128);
  }
  return {
    values: { characters: hexWord(asProcessorSees(charsetAt(view))), height },
    picture: picture(128, 16 * height, pixels),
  };
}

function rowOf(view: Vic1View, index: number, row: number): number {
  return view.fetch((charsetAt(view) + index * heightOf(view) + row) & 0x3fff);
}

/** In white, whatever colour it may have on the screen. */
function drawCharacter(view: Vic1View, index: number, pixels: Uint8Array, at: number, pitch: number): void {
  for (let row = 0; row < heightOf(view); row++) {
    const byte = rowOf(view, index, row);
    for (let column = 0; column < 8; column++) {
      pixels[at + row * pitch + column] = (byte >> (7 - column)) & 1 ? 1 : transparent;
    }
  }
}

function picture(width: number, height: number, pixels: Uint8Array): ChipPicture {
  return { width, height, pixels, palette, transparent };
}
