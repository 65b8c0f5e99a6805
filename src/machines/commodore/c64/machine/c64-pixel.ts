import { type Vic2State, fields as vic } from '../../../../chips/vic2/fields.ts';
import type { DrawnPixel, PixelSource } from '../../trace/board-probe.ts';
import type { C64Board } from '../c64-board.ts';

/** Where in the raster the first of the 40 columns begins, without scroll; sprites have 24 there. */
const firstColumn = 136;
const spriteOrigin = firstColumn - 24;
/** Codes of colours that are registers begin here; below it they are colours themselves. */
const firstRegister = 0x20;
const firstSpriteColor = 0x25;
const ownSpriteColor = 0x27;

const modes = ['text', 'multicolour text', 'bitmap', 'multicolour bitmap', 'extended colour text'];

/** What the VIC-II has drawn in the cycle that was just run, if this place of the raster was in it. */
export function c64Pixel(board: C64Board, video: Vic2State, x: number, y: number): DrawnPixel | undefined {
  const width = board.vic.timing.cyclesPerLine * 8;
  const place = y * width + x;
  // What is drawn in a cycle goes to the frame in the next one.
  if (video[vic.framePosition] !== (place >> 3) * 2) return undefined;
  const codes = (x & 4) === 0 ? video[vic.render0] : video[vic.render1];
  const code = (codes >> (8 * (x & 3))) & 0xff;
  const register = (index: number, what: string): PixelSource => ({
    what,
    register: index,
    value: board.vic.peek(index),
  });
  if (code === firstRegister) {
    const sources = [
      register(0x20, 'colour of the border'),
      register(0x11, 'rows, display on'),
      register(0x16, 'columns'),
    ];
    return { element: 'border', sources };
  }
  if (code >= firstSpriteColor) return spritePixel(board, video, code, x, register);
  return graphicsPixel(board, video, code, x, register);
}

type Registers = (index: number, what: string) => PixelSource;

function spritePixel(board: C64Board, video: Vic2State, code: number, x: number, register: Registers): DrawnPixel {
  const sprite = code >= ownSpriteColor ? code - ownSpriteColor : frontSprite(video);
  const own = register(code, code >= ownSpriteColor ? `colour of sprite ${sprite}` : 'colour that sprites share');
  const pointerAt = ((video[vic.d018] & 0xf0) << 6) | 0x3f8 | sprite;
  const pointer = video[vic.spritePointer + sprite] ?? 0;
  const wide = ((video[vic.d01d] >> sprite) & 1) + 1;
  const column = Math.floor((x - spriteOrigin - (video[vic.spriteXLatched + sprite] ?? 0)) / wide) >> 3;
  // The counter has gone past the three bytes of this line.
  const row = (video[vic.mc + sprite] ?? 3) - 3;
  const data = (pointer << 6) + Math.max(0, row) + Math.min(2, Math.max(0, column));
  return {
    element: `sprite ${sprite}`,
    sources: [
      own,
      register(2 * sprite, `X of sprite ${sprite}`),
      register(2 * sprite + 1, `Y of sprite ${sprite}`),
      register(0x10, 'bit 8 of X'),
      register(0x15, 'sprites that are on'),
      memory(board, pointerAt, `pointer of sprite ${sprite}`),
      memory(board, data, `pixels of sprite ${sprite}`),
    ],
  };
}

/** The first of those that are being drawn and share their colours. */
function frontSprite(video: Vic2State): number {
  const drawn = [0, 1, 2, 3, 4, 5, 6, 7].filter(
    (sprite) => ((video[vic.spriteActive] & video[vic.spriteMulticolor]) >> sprite) & 1,
  );
  return drawn.find((sprite) => (video[vic.spritePixel + sprite] ?? 0) !== 0) ?? drawn[0] ?? 0;
}

function graphicsPixel(board: C64Board, video: Vic2State, code: number, x: number, register: Registers): DrawnPixel {
  const mode = ((video[vic.d011] & 0x60) >> 4) | ((video[vic.d016] & 0x10) >> 4);
  const isBitmap = (mode & 2) !== 0;
  const name = modes[mode] ?? 'invalid mode';
  const isRegister = code >= firstRegister;
  const color: PixelSource[] = isRegister ? [register(code, `background colour ${code - 0x21}`)] : [];
  const place = [register(0x18, 'addresses'), register(0x11, 'mode, Y scroll'), register(0x16, 'mode, X scroll')];
  const element = `${name} ${isRegister ? 'background' : 'foreground'}`;
  if (video[vic.idle] !== 0) {
    return { element: `${name}, idle`, sources: [...color, memory(board, 0x3fff, 'pixels'), ...place] };
  }
  const column = Math.min(39, Math.max(0, Math.floor((x - firstColumn - (video[vic.d016] & 7)) / 8)));
  const cell = ((video[vic.vcBase] ?? 0) + column) & 0x3ff;
  const line = video[vic.rc];
  const character = video[vic.matrixLine + column] ?? 0;
  const shape = (mode & 4) !== 0 ? character & 0x3f : character;
  const pixels = isBitmap
    ? ((video[vic.d018] & 8) << 10) + cell * 8 + line
    : ((video[vic.d018] & 14) << 10) + shape * 8 + line;
  const matrixAt = ((video[vic.d018] & 0xf0) << 6) | cell;
  const matrix = memory(board, matrixAt, isBitmap ? 'colours of the cell' : 'character', board.memory.vicPagesPhi2);
  const ram: PixelSource = { what: 'colour RAM', address: 0xd800 + cell, value: (board.color[cell] ?? 0) & 15 };
  return {
    element,
    sources: [...color, ...(isRegister ? [] : [ram]), matrix, memory(board, pixels, 'pixels'), ...place],
  };
}

/** A byte that the chip sees, by the processor's address if it is RAM. */
function memory(
  board: C64Board,
  address14: number,
  what: string,
  pages: Int32Array = board.memory.vicPages,
): PixelSource {
  const place = (pages[address14 >> 12] ?? 0) + (address14 & 0xfff);
  const value = board.memory.bytes[place] ?? 0;
  return place < 0x10000 ? { what, address: place, value } : { what: `${what} (ROM)`, value };
}
