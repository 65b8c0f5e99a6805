import { type Vic2State, fields as vic } from '../../../../../chips/vic2/fields.ts';
import { peptoPal } from '../../../../../chips/vic2/palette.ts';
import type { ChipPicture } from '../../../../../machine/chips.ts';
import type { C64Board } from '../../c64-board.ts';
import { boardWords } from '../board-words.ts';
import { type Decoded, DecodedChip, flagNames, hexByte, hexWord, registerRows } from './decoded-chip.ts';

const base = 0xd000;
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

/** A colour of its own for what is transparent, behind the sixteen that there are. */
const transparent = 16;
const palette = Uint8Array.from([...peptoPal, 0x202020].flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]));

/** The video chip: its registers, sprites and characters as it would fetch them now. */
export function vic2Chip(board: C64Board): DecodedChip {
  const state = boardWords<Vic2State>(board, 'vic');
  const register = (index: number) => board.vic.peek(index);
  return new DecodedChip('vic2', 'VIC-II, video', [
    {
      name: 'registers',
      count: 1,
      description: 'mode, addresses, raster, interrupts, colours',
      decode: () => ({ values: { ...overview(board, state), ...registerRows(base, 0x2f, register) } }),
    },
    {
      name: 'sprite',
      count: 8,
      description: 'position, flags and 24x21 pixels',
      hasPicture: true,
      decode: (index) => sprite(board, register, index),
    },
    {
      name: 'character',
      count: 256,
      description: 'the 8x8 pixels of one screen code',
      hasPicture: true,
      decode: (index) => character(board, register, index),
    },
    {
      name: 'charset',
      count: 1,
      description: 'all 256 characters, 16 to a row',
      hasPicture: true,
      decode: () => charset(board, register),
    },
  ]);
}

/** The start of the 16K it sees, as the processor counts. */
function bankStart(board: C64Board): number {
  return (~board.peek('io', 0xdd00) & 3) << 14;
}

function overview(board: C64Board, state: Vic2State): Record<string, string | number | boolean> {
  const [d011, d016, d018] = [state[vic.d011], state[vic.d016], state[vic.d018]];
  const bank = bankStart(board);
  const colour = (index: number) => `${board.vic.peek(index) & 15} ${colours[board.vic.peek(index) & 15]}`;
  const isBitmap = (d011 & 0x20) !== 0;
  return {
    mode: modes[((d011 >> 4) & 6) | ((d016 >> 4) & 1)] ?? '',
    display: (d011 & 0x10) !== 0,
    size: `${d016 & 8 ? 40 : 38} columns, ${d011 & 8 ? 25 : 24} rows`,
    scroll: `x ${d016 & 7}, y ${d011 & 7}`,
    bank: hexWord(bank),
    screen: hexWord(bank + ((d018 & 0xf0) << 6)),
    [isBitmap ? 'bitmap' : 'characters']: charsetPlace(board, d018, isBitmap),
    raster: `line ${state[vic.rasterLine]}, cycle ${state[vic.cycle]}`,
    raster_irq_line: state[vic.rasterIrqLine],
    irq_pending: flagNames(sources, state[vic.irqStatus] & 15),
    irq_enabled: flagNames(sources, state[vic.d01a]),
    border: colour(0x20),
    background: [0x21, 0x22, 0x23, 0x24].map(colour).join(', '),
    sprites_on: flagNames(['0', '1', '2', '3', '4', '5', '6', '7'], state[vic.d015]),
    light_pen: `x ${board.vic.peek(0x13)}, y ${board.vic.peek(0x14)}`,
  };
}

function charsetPlace(board: C64Board, d018: number, isBitmap: boolean): string {
  const offset = isBitmap ? (d018 & 8) << 10 : (d018 & 14) << 10;
  const isRom = !isBitmap && board.memory.isCharacterRom(offset);
  return isRom ? `character ROM + ${hexWord(offset & 0xfff)}` : hexWord(bankStart(board) + offset);
}

function sprite(board: C64Board, register: (index: number) => number, index: number): Decoded {
  const bit = 1 << index;
  const isSet = (each: number) => (register(each) & bit) !== 0;
  const pointer = board.memory.fetch(((register(0x18) & 0xf0) << 6) + 0x3f8 + index);
  const colour = register(0x27 + index) & 15;
  const isMulticolour = isSet(0x1c);
  const pixels = new Uint8Array(24 * 21).fill(transparent);
  const shades = [transparent, register(0x25) & 15, colour, register(0x26) & 15];
  for (let at = 0; at < 63; at++) {
    const byte = board.memory.fetch((pointer << 6) + at);
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
      data: hexWord(bankStart(board) + pointer * 64),
      hit_sprite: isSet(0x1e),
      hit_background: isSet(0x1f),
    },
    picture: picture(24, 21, pixels),
  };
}

function character(board: C64Board, register: (index: number) => number, index: number): Decoded {
  const pixels = new Uint8Array(64);
  drawCharacter(board, register, index, pixels, 0, 8);
  const place = ((register(0x18) & 14) << 10) + index * 8;
  const bytes = Array.from({ length: 8 }, (_, row) => hexByte(board.memory.fetch(place + row)).slice(1)).join(' ');
  return {
    values: { code: hexByte(index), characters: charsetPlace(board, register(0x18), false), bytes },
    picture: picture(8, 8, pixels),
  };
}

function charset(board: C64Board, register: (index: number) => number): Decoded {
  const pixels = new Uint8Array(128 * 128);
  for (let index = 0; index < 256; index++) {
    drawCharacter(board, register, index, pixels, (index >> 4) * 8 * 128 + (index & 15) * 8, 128);
  }
  const values = { characters: charsetPlace(board, register(0x18), false) };
  return { values, picture: picture(128, 128, pixels) };
}

/** In white, whatever colour it may have on the screen. */
function drawCharacter(
  board: C64Board,
  register: (index: number) => number,
  index: number,
  pixels: Uint8Array,
  at: number,
  pitch: number,
): void {
  const place = ((register(0x18) & 14) << 10) + index * 8;
  for (let row = 0; row < 8; row++) {
    const byte = board.memory.fetch(place + row);
    for (let column = 0; column < 8; column++) {
      pixels[at + row * pitch + column] = (byte >> (7 - column)) & 1 ? 1 : transparent;
    }
  }
}

function picture(width: number, height: number, pixels: Uint8Array): ChipPicture {
  return { width, height, pixels, palette, transparent };
}
