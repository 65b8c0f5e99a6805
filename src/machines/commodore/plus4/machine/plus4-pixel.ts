import { fields as f, type TedState } from '../../../../chips/ted/fields.ts';
import { shownAs } from '../../../../chips/ted/picture.ts';
import type { DrawnPixel, PixelSource } from '../../trace/board-probe.ts';
import type { Plus4Board } from '../plus4-board.ts';

const multicolor = 1;
const bitmap = 2;
const extended = 4;
const plainCharacters = 8;
/** In the raster: where 40 columns begin. */
const firstColumnX = 64;
/** The half cycle in which the count of characters stops, and what it has counted by then. */
const lastCount = 74;
const countedAtLast = 39;

/** One of the eight pixels that a character or a byte of the bitmap has in a line. */
interface Cell {
  readonly graphics: number;
  readonly attribute: number;
  readonly character: number;
  readonly pixel: number;
}

/** What the TED draws at this place of the raster in a half cycle, by its state before that. */
export function plus4Pixel(board: Plus4Board, before: TedState, x: number, row: number): DrawnPixel | undefined {
  const half = before[f.horizontal];
  const group = half >= 98 ? half - 98 : half + 16;
  if (before[f.row] !== row || group !== x >> 2) return undefined;
  const register = (index: number, what: string): PixelSource => ({
    what,
    register: index,
    value: before[f.registers + index] as number,
  });
  const window = [register(6, 'mode, rows, Y scroll'), register(7, 'mode, columns, X scroll')];
  if (before[f.blank] !== 0) return { element: 'blanking', sources: window };
  if (before[f.displayActive] === 0) {
    return { element: 'border', sources: [register(0x19, 'colour of the border'), ...window] };
  }
  const cell = cellAt(before, half, x & 3);
  const { element, sources } = colourOf(before, cell, register);
  return { element, sources: [...sources, ...memoryOf(board, before, cell, x), ...window] };
}

/** The next one may begin within these four pixels. */
function cellAt(s: TedState, half: number, pixel: number): Cell {
  const load = (half & 1) === 0 ? s[f.scrollX] : s[f.scrollX] - 4;
  const isNew = load >= 0 && load < 4 && pixel >= load;
  const [fetched, attribute, character, cursor] = isNew
    ? [s[f.graphics], s[f.attribute], s[f.character], s[f.cursor]]
    : [s[f.shownGraphics], s[f.shownAttribute], s[f.shownCharacter], s[f.shownCursor]];
  return {
    graphics: shownAs(s, fetched, attribute, character, cursor),
    attribute,
    character,
    pixel: isNew ? pixel - load : s[f.shownPixels] + pixel,
  };
}

interface Coloured {
  readonly element: string;
  readonly sources: readonly PixelSource[];
}

function colourOf(s: TedState, cell: Cell, register: (index: number, what: string) => PixelSource): Coloured {
  const { graphics, character, attribute, pixel } = cell;
  const isSet = pixel < 8 && ((graphics >> (7 - pixel)) & 1) !== 0;
  const pair = pixel < 8 ? (graphics >> (6 - (pixel & 6))) & 3 : 0;
  const background = (number: number) => [register(0x15 + number, `background colour ${number}`)];
  const mode = s[f.mode] & 7;
  switch (mode) {
    case bitmap:
      return { element: isSet ? 'bitmap foreground' : 'bitmap background', sources: [] };
    case bitmap | multicolor: {
      const element = `multicolour bitmap, bits ${pair.toString(2).padStart(2, '0')}`;
      return { element, sources: pair === 0 || pair === 3 ? background(pair === 0 ? 0 : 1) : [] };
    }
    case extended:
      if (isSet) return { element: 'text foreground', sources: [] };
      return { element: 'text background', sources: background(character >> 6) };
    case multicolor:
      if ((attribute & 8) !== 0) {
        const element = `multicolour text, bits ${pair.toString(2).padStart(2, '0')}`;
        return { element, sources: pair === 3 ? [] : background(pair) };
      }
      return { element: isSet ? 'text foreground' : 'text background', sources: isSet ? [] : background(0) };
    case 0:
      return { element: isSet ? 'text foreground' : 'text background', sources: isSet ? [] : background(0) };
    default:
      return { element: 'blank (illegal mode)', sources: [] };
  }
}

/** The bytes that the chip has fetched for it, as the processor calls their places. */
function memoryOf(board: Plus4Board, s: TedState, cell: Cell, x: number): readonly PixelSource[] {
  const column = (x - firstColumnX - s[f.scrollX]) >> 3;
  const place = (rowStart(s) + column) & 0x3ff;
  const matrix = ((s[f.registers + 0x14] as number) & 0xf8) << 8;
  const isRom = ((s[f.registers + 0x12] as number) & 4) !== 0;
  const graphics = graphicsAddress(s, cell.character, place);
  const pixels = board.peek(isRom ? 'rom' : 'ram', graphics);
  return [
    { what: 'colour and brightness', address: matrix | place, value: cell.attribute },
    {
      what: (s[f.mode] & bitmap) === 0 ? 'character' : 'colours',
      address: matrix | 0x400 | place,
      value: cell.character,
    },
    isRom ? { what: 'pixels (ROM)', value: pixels } : { what: 'pixels', address: graphics, value: pixels },
  ];
}

/** Where the row of characters begins that this line shows. */
function rowStart(s: TedState): number {
  const half = s[f.horizontal];
  if (half >= 112) return s[f.position] - 1;
  if (half >= 110) return s[f.position];
  return s[f.position] - (half < lastCount ? (half >> 1) + 2 : countedAtLast);
}

function graphicsAddress(s: TedState, character: number, place: number): number {
  const line = s[f.rowLine] & 7;
  if ((s[f.mode] & bitmap) !== 0) return (((s[f.registers + 0x12] as number) & 0x38) << 10) | (place << 3) | line;
  const isExtended = (s[f.mode] & extended) !== 0;
  const isPlain = (s[f.mode] & plainCharacters) !== 0;
  const base = ((s[f.registers + 0x13] as number) & (isExtended || isPlain ? 0xf8 : 0xfc)) << 8;
  return base | ((character & (isExtended ? 0x3f : isPlain ? 0xff : 0x7f)) << 3) | line;
}
