import { tedPalette } from '../../../chips/ted/palette.ts';
import { hexByte, hexWord } from '../../../formats/hex.ts';
import type { ChipNumbers, ChipPicture } from '../../../machine/chips.ts';
import { paletteBytes } from '../palette-bytes.ts';
import { characterParts } from './character-parts.ts';
import { type Decoded, DecodedChip, flagNames } from './decoded-chip.ts';
import { tedRegisters } from './register-names.ts';
import { registersPart } from './registers-part.ts';

const base = 0xff00;
const hues = [
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
  'yellow-green',
  'pink',
  'blue-green',
  'light blue',
  'dark blue',
  'light green',
];
const modes = [
  'text',
  'multicolour text',
  'bitmap',
  'multicolour bitmap',
  'extended colour text',
  'blank (illegal)',
  'blank (illegal)',
  'blank (illegal)',
];
/** Of $FF09 and $FF0A. */
export const tedSources = [
  { bit: 0x02, name: 'raster' },
  { bit: 0x08, name: 'timer 1' },
  { bit: 0x10, name: 'timer 2' },
  { bit: 0x40, name: 'timer 3' },
] as const;

const ink = 0x71;
/** A colour of its own for what is transparent, after those that there are. */
const transparent = 128;
const palette = paletteBytes([...tedPalette, 0x202020]);

/** A 7360 or 8360 as it is wired. */
export interface TedView {
  /** Half cycles of the single clock in a second. */
  readonly clockHz: number;
  /** A register as it would read, without side effects. */
  register(index: number): number;
  /** A byte of graphics, as it would fetch it now. */
  fetch(address: number): number;
  beam(): { readonly line: number; readonly cycle: number };
  timers(): readonly { readonly count: number; readonly runs: boolean }[];
  /** What timer 1 starts from. */
  reload(): number;
  isSingleClock(): boolean;
}

/** The Plus/4's chip for video, sound, timers and keyboard: its registers, voices, timers, and characters as it would fetch them now. */
export function tedChip(view: TedView): DecodedChip {
  return new DecodedChip('ted', 'TED, video, sound, timers and keyboard', [
    registersPart({
      ...{ base, names: tedRegisters, rows: 32 },
      description: 'mode, addresses, raster, colours, cursor, interrupts, clock',
      register: (index) => view.register(index),
      overview: () => overview(view),
      numbers: () => numbersOf(view),
    }),
    {
      name: 'voice',
      count: 2,
      description: '0 is a tone, 1 a tone or noise: pitch and whether it sounds',
      decode: (index) => voice(view, index),
    },
    {
      name: 'timer',
      count: 3,
      description: 'count, and when it will interrupt; 0 starts again on its own',
      decode: (index) => timer(view, index),
    },
    ...characterParts({
      ...{ pixels: '8x8', all: 'all characters that there are' },
      character: (code) => character(view, code),
      charset: () => charset(view),
    }),
  ]);
}

function charsetAt(view: TedView): number {
  return (view.register(0x13) & (isWhole(view) || isExtended(view) ? 0xf8 : 0xfc)) << 8;
}

/** 256 characters, none of them reversed. */
function isWhole(view: TedView): boolean {
  return (view.register(7) & 0x80) !== 0;
}

function isExtended(view: TedView): boolean {
  return (view.register(6) & 0x40) !== 0;
}

function overview(view: TedView): Record<string, string | number | boolean> {
  const register = (index: number) => view.register(index);
  const { line, cycle } = view.beam();
  const colour = (index: number) => {
    const value = register(index) & 0x7f;
    return `${hexByte(value)} ${hues[value & 15]}, brightness ${value >> 4}`;
  };
  const attributes = (register(0x14) & 0xf8) << 8;
  const cursor = ((register(0x0c) & 3) << 8) | register(0x0d);
  const pending = (index: number) =>
    flagNames(
      tedSources.map(({ name }) => name),
      tedSources.reduce((bits, { bit }, place) => (register(index) & bit ? bits | (1 << place) : bits), 0),
    );
  return {
    mode: modes[((register(6) >> 4) & 6) | ((register(7) >> 4) & 1)] ?? '',
    display: (register(6) & 0x10) !== 0,
    size: `${register(7) & 8 ? 40 : 38} columns, ${register(6) & 8 ? 25 : 24} rows`,
    scroll: `x ${register(7) & 7}, y ${register(6) & 7}`,
    attributes: hexWord(attributes),
    screen: hexWord(attributes + 0x400),
    characters: `${hexWord(charsetAt(view))} in ${register(0x12) & 4 ? 'ROM' : 'RAM'}`,
    bitmap: hexWord((register(0x12) & 0x38) << 10),
    raster: `line ${line}, cycle ${cycle}`,
    raster_interrupt: register(0x0b) | ((register(0x0a) & 1) << 8),
    cursor: cursor < 1000 ? `column ${cursor % 40}, row ${Math.floor(cursor / 40)}` : 'off the screen',
    background: colour(0x15),
    background_1: colour(0x16),
    background_2: colour(0x17),
    background_3: colour(0x18),
    border: colour(0x19),
    processor_sees: register(0x13) & 1 ? 'ROM' : 'RAM',
    clock: view.isSingleClock() ? 'single' : 'double',
    interrupts_pending: pending(9),
    interrupts_enabled: pending(0x0a),
    volume: Math.min(register(0x11) & 15, 8),
    video: register(7) & 0x40 ? 'NTSC' : 'PAL',
  };
}

function numbersOf(view: TedView): ChipNumbers {
  const register = (index: number) => view.register(index);
  const { line, cycle } = view.beam();
  const attributes = (register(0x14) & 0xf8) << 8;
  return {
    raster_line: line,
    raster_cycle: cycle,
    raster_interrupt: register(0x0b) | ((register(0x0a) & 1) << 8),
    display: (register(6) & 0x10) !== 0,
    columns: register(7) & 8 ? 40 : 38,
    rows: register(6) & 8 ? 25 : 24,
    scroll_x: register(7) & 7,
    scroll_y: register(6) & 7,
    bitmap_mode: (register(6) & 0x20) !== 0,
    extended_color: isExtended(view),
    multicolor: (register(7) & 0x10) !== 0,
    colors: attributes,
    screen: attributes + 0x400,
    characters: charsetAt(view),
    bitmap: (register(0x12) & 0x38) << 10,
    border: register(0x19) & 0x7f,
    background: register(0x15) & 0x7f,
    volume: Math.min(register(0x11) & 15, 8),
    single_clock: view.isSingleClock(),
  };
}

function voice(view: TedView, index: number): Decoded {
  const control = view.register(0x11);
  const frequency =
    index === 0
      ? view.register(0x0e) | ((view.register(0x12) & 3) << 8)
      : view.register(0x0f) | ((view.register(0x10) & 3) << 8);
  const hertz = view.clockHz / 16 / (0x400 - ((frequency + 1) & 0x3ff));
  const isTone = (control & (index === 0 ? 0x10 : 0x20)) !== 0;
  const isNoise = index === 1 && !isTone && (control & 0x40) !== 0;
  return {
    numbers: {
      voice: index + 1,
      on: isTone || isNoise,
      noise: isNoise,
      hertz: Number(hertz.toFixed(1)),
      volume: Math.min(control & 15, 8),
    },
    values: {
      on: isTone || isNoise,
      sound: control & 0x80 ? 'a level (samples)' : isNoise ? 'noise' : 'square',
      frequency: `${frequency} (${hertz.toFixed(1)} Hz)`,
      volume: Math.min(control & 15, 8),
    },
  };
}

function timer(view: TedView, index: number): Decoded {
  const { count, runs } = view.timers()[index] ?? { count: 0, runs: false };
  const milliseconds = ((count || 0x10000) * 2000) / view.clockHz;
  const bit = tedSources[index + 1]?.bit ?? 0;
  return {
    numbers: {
      timer: index + 1,
      counter: count,
      running: runs,
      ...(index === 0 && { latch: view.reload() }),
      interrupt_enabled: (view.register(0x0a) & bit) !== 0,
      interrupt_pending: (view.register(9) & bit) !== 0,
    },
    values: {
      count: hexWord(count),
      ...(index === 0 && { starts_from: hexWord(view.reload()) }),
      running: runs,
      ...(runs && { interrupt_in: `${milliseconds.toFixed(3)} ms` }),
      interrupt_enabled: (view.register(0x0a) & bit) !== 0,
      interrupt_pending: (view.register(9) & bit) !== 0,
    },
  };
}

function character(view: TedView, index: number): Decoded {
  const pixels = new Uint8Array(64);
  drawCharacter(view, index, pixels, 0, 8);
  const bytes = Array.from({ length: 8 }, (_, row) => hexByte(rowOf(view, index, row)).slice(1)).join(' ');
  return {
    values: { code: hexByte(index), at: hexWord(charsetAt(view) + codeMask(view, index) * 8), bytes },
    picture: picture(8, 8, pixels),
  };
}

function charset(view: TedView): Decoded {
  const pixels = new Uint8Array(128 * 128);
  for (let index = 0; index < 256; index++)
    drawCharacter(view, index, pixels, (index >> 4) * 1024 + (index & 15) * 8, 128);
  return { values: { characters: hexWord(charsetAt(view)) }, picture: picture(128, 128, pixels) };
}

/** The character whose graphics a code shows. */
function codeMask(view: TedView, index: number): number {
  return index & (isExtended(view) ? 0x3f : isWhole(view) ? 0xff : 0x7f);
}

function rowOf(view: TedView, index: number, row: number): number {
  const bits = view.fetch(charsetAt(view) + codeMask(view, index) * 8 + row);
  const isReversed = index > 0x7f && !isWhole(view) && !isExtended(view);
  return isReversed ? bits ^ 0xff : bits;
}

/** In white, whatever colour it may have on the screen. */
function drawCharacter(view: TedView, index: number, pixels: Uint8Array, at: number, pitch: number): void {
  for (let row = 0; row < 8; row++) {
    const bits = rowOf(view, index, row);
    for (let column = 0; column < 8; column++) {
      pixels[at + row * pitch + column] = (bits >> (7 - column)) & 1 ? ink : transparent;
    }
  }
}

function picture(width: number, height: number, pixels: Uint8Array): ChipPicture {
  return { width, height, pixels, palette, transparent };
}
