import { fetch, fields, type Mos6560State } from './fields.ts';

const FETCH = fields.fetch;
const FETCHED_TO = fields.fetchedTo;
const COLUMN = fields.column;
const COLUMNS = fields.columns;
const CHARACTER = fields.character;
const FETCHED = fields.fetched;
const FETCHED_COLOR = fields.fetchedColor;
const BUS_BYTE = fields.busByte;
const BUS_ADDRESS = fields.busAddress;
const SEES_OPEN_BUS = fields.seesOpenBus;
const MATRIX_STEP = fields.matrixStep;
const GRAPHICS = fields.graphics;
const COLORS = fields.colors;
const ROW_LINE = fields.rowLine;
const CR2 = fields.cr2;
const CR3 = fields.cr3;
const CR5 = fields.cr5;

/** What the chip is soldered to. */
export interface Mos6560Wires {
  /** All memory, and where in it each 256 bytes of the chip's 16 KiB lie: -1 where nobody answers. */
  readonly memory: Uint8Array;
  readonly pages: Int32Array;
  /** The 1024 nibbles that come with every byte, on lines of their own. */
  readonly color: Uint8Array;
  /** One palette index a pixel, line by line. Its length is a multiple of four. */
  readonly frame: Uint8Array;
}

/** Lines of a character: 8 or 16. */
export function characterHeight(s: Mos6560State): number {
  return 8 << (s[CR3] & 1);
}

/** Where the first character of the matrix lies, in the chip's addresses. */
function matrixAddress(s: Mos6560State): number {
  return ((s[CR5] & 0xf0) << 6) | ((s[CR2] & 0x80) << 2);
}

function graphicsAddress(s: Mos6560State): number {
  return (s[CR5] & 15) << 10;
}

/** The pages of 256 bytes that the chip can see with its registers as they are. */
export function pagesSeen(s: Mos6560State): readonly number[] {
  const spans = [
    { start: matrixAddress(s), pages: 4 },
    { start: graphicsAddress(s), pages: characterHeight(s) },
  ];
  return spans.flatMap(({ start, pages }) => Array.from({ length: pages }, (_, page) => ((start >> 8) + page) & 63));
}

/** Makes the accesses that are due up to and including this cycle. True if there are no more in this line. */
export function fetchTo(s: Mos6560State, wires: Mos6560Wires, cycle: number): boolean {
  const matrix = matrixAddress(s) + s[fields.matrixCounter];
  const height = characterHeight(s);
  const graphics = graphicsAddress(s) + (s[ROW_LINE] & (height - 1));
  if (s[FETCH] === fetch.graphics && s[FETCHED_TO] < cycle) {
    fetchGraphics(s, wires, graphics + s[CHARACTER] * height, height);
    s[FETCHED_TO] += 1;
  }
  const columns = Math.min(s[COLUMNS] - s[COLUMN], (cycle - s[FETCHED_TO]) >> 1);
  if (columns > 0 && s[FETCH] === fetch.matrix) {
    if (s[SEES_OPEN_BUS] === 0) fetchColumns(s, wires, matrix, graphics, height, columns);
    else {
      for (let left = columns; left > 0; left -= 1) {
        fetchMatrix(s, wires, matrix + s[COLUMN]);
        fetchGraphics(s, wires, graphics + s[CHARACTER] * height, height);
      }
    }
    s[FETCHED_TO] += columns * 2;
  }
  if (s[FETCH] === fetch.matrix && s[FETCHED_TO] < cycle) fetchMatrix(s, wires, matrix + s[COLUMN]);
  s[FETCHED_TO] = cycle;
  return s[FETCH] === fetch.right;
}

/** Whole columns, where somebody answers everywhere. */
function fetchColumns(
  s: Mos6560State,
  { memory, pages, color }: Mos6560Wires,
  matrix: number,
  graphics: number,
  height: number,
  columns: number,
): void {
  const end = s[COLUMN] + columns;
  let address = 0;
  let byte = 0;
  for (let column = s[COLUMN]; column < end; column += 1) {
    address = matrix + column;
    const character = memory[pages[(address >> 8) & 63] + (address & 255)];
    s[COLORS + column] = color[address & 0x3ff];
    address = graphics + character * height;
    byte = memory[pages[(address >> 8) & 63] + (address & 255)];
    s[GRAPHICS + column] = byte;
    s[CHARACTER] = character;
  }
  s[FETCHED] = byte;
  s[FETCHED_COLOR] = color[address & 0x3ff];
  s[COLUMN] = end;
  if (s[ROW_LINE] === height - 1) s[MATRIX_STEP] = end;
  if (end >= s[COLUMNS]) s[FETCH] = fetch.right;
}

function fetchMatrix(s: Mos6560State, wires: Mos6560Wires, address: number): void {
  s[CHARACTER] = access(s, wires, address);
  s[COLORS + s[COLUMN]] = wires.color[address & 0x3ff];
  s[FETCH] = fetch.graphics;
}

function fetchGraphics(s: Mos6560State, wires: Mos6560Wires, address: number, height: number): void {
  s[GRAPHICS + s[COLUMN]] = access(s, wires, address);
  s[COLUMN] += 1;
  if (s[ROW_LINE] === height - 1) s[MATRIX_STEP] = s[COLUMN];
  s[FETCH] = s[COLUMN] < s[COLUMNS] ? fetch.matrix : fetch.right;
}

function access(s: Mos6560State, { memory, pages, color }: Mos6560Wires, address: number): number {
  const base = pages[(address >> 8) & 63];
  let byte: number;
  if (base >= 0) byte = memory[base + (address & 255)];
  else {
    // Where nobody drives the bus it still carries what came last.
    const left = s[BUS_BYTE] < 0 ? s[FETCHED] : s[BUS_BYTE];
    const nibble = s[BUS_ADDRESS] < 0 ? s[FETCHED_COLOR] : color[s[BUS_ADDRESS] & 0x3ff];
    byte = left & (0xf0 | nibble);
  }
  s[FETCHED] = byte;
  s[FETCHED_COLOR] = color[address & 0x3ff];
  if (s[SEES_OPEN_BUS] !== 0) {
    s[BUS_BYTE] = -1;
    s[BUS_ADDRESS] = -1;
  }
  return byte;
}
