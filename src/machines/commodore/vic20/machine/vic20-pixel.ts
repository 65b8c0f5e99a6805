import { fields, type Mos6560State } from '../../../../chips/mos6560/fields.ts';
import { pixelsPerCycle } from '../../../../chips/mos6560/models.ts';
import type { DrawnPixel, PixelSource } from '../../trace/board-probe.ts';
import type { Vic20Board } from '../vic20-board.ts';

/** A pixel leaves the chip so many of them after its cycle has begun. */
const delay = 23;

/** What the VIC draws at this place of the raster, in the cycle in which it leaves the chip. */
export function vic20Pixel(board: Vic20Board, video: Mos6560State, x: number, y: number): DrawnPixel | undefined {
  const last = board.vic.timing.cyclesPerLine - 1;
  const cycle = Math.min(last, Math.floor((x + delay) / pixelsPerCycle));
  if (video[fields.line] !== y || video[fields.cycle] !== cycle) return undefined;
  board.catchUp();
  const register = (index: number, what: string): PixelSource => ({
    what,
    register: index,
    value: board.vic.peek(index),
  });
  const window = [
    register(0, 'left edge'),
    register(1, 'top edge'),
    register(2, 'columns'),
    register(3, 'rows'),
    register(5, 'addresses'),
  ];
  const left = video[fields.windowStart] * pixelsPerCycle;
  const column = (x - left) >> 3;
  const isBorder = video[fields.isBlank] !== 0 || x < left || column >= video[fields.columns];
  if (isBorder) return { element: 'border', sources: [register(15, 'colour of the border'), ...window] };
  return graphics(
    board,
    video,
    column,
    (x - left) & 7,
    [register(15, 'colours'), register(14, 'auxiliary colour')],
    window,
  );
}

function graphics(
  board: Vic20Board,
  video: Mos6560State,
  column: number,
  pixel: number,
  [colors, auxiliary]: readonly [PixelSource, PixelSource],
  window: readonly PixelSource[],
): DrawnPixel {
  const color = video[fields.colors + column] ?? 0;
  const bits = video[fields.graphics + column] ?? 0;
  const isMulti = (color & 8) !== 0;
  const pair = (bits >> (6 - (pixel & 6))) & 3;
  const isSet = (((bits >> (7 - pixel)) & 1) ^ video[fields.reverse]) !== 0;
  const element = isMulti
    ? ['background', 'border colour', 'character colour', 'auxiliary colour'][pair]
    : isSet
      ? 'text foreground'
      : 'text background';
  const height = 8 << (video[fields.cr3] & 1);
  const matrix = ((video[fields.cr5] & 0xf0) << 6) | ((video[fields.cr2] & 0x80) << 2);
  const cell = matrix + video[fields.matrixCounter] + column;
  const character = board.peek('vic', cell & 0x3fff);
  const shape = ((video[fields.cr5] & 15) << 10) + character * height + (video[fields.rowLine] & (height - 1));
  const ram: PixelSource = { what: 'colour RAM', address: 0x9400 + (cell & 0x3ff), value: color };
  const isOwnColor = isMulti ? pair === 2 : isSet;
  const first = isOwnColor ? [ram, colors] : isMulti && pair === 3 ? [auxiliary, ram] : [colors, ram];
  return {
    element: element ?? '',
    sources: [...first, memory(board, cell, 'character'), memory(board, shape, 'pixels'), ...window],
  };
}

/** The chip's address 0 is the processor's $8000, where ROM is; $2000 is $0000. */
function memory(board: Vic20Board, address14: number, what: string): PixelSource {
  const address = address14 & 0x3fff;
  const value = board.peek('vic', address);
  return (address & 0x2000) !== 0 ? { what, address: address & 0x1fff, value } : { what: `${what} (ROM)`, value };
}
