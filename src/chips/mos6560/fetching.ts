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
  /** One palette index a pixel, line by line. */
  readonly frame: Uint8Array;
}

/** Lines of a character: 8 or 16. */
export function characterHeight(s: Mos6560State): number {
  return 8 << (s[CR3] & 1);
}

/** Where the first character of the matrix lies, in the chip's addresses. */
export function matrixAddress(s: Mos6560State): number {
  return ((s[CR5] & 0xf0) << 6) | ((s[CR2] & 0x80) << 2);
}

export function graphicsAddress(s: Mos6560State): number {
  return (s[CR5] & 15) << 10;
}

/** Whether anything that these registers let the chip fetch lies where nobody answers. */
export function seesOpenBus(s: Mos6560State, pages: Int32Array): boolean {
  const isOpen = (from: number, bytes: number) => {
    for (let at = from; at < from + bytes; at += 256) if ((pages[(at >> 8) & 63] as number) < 0) return true;
    return false;
  };
  return isOpen(matrixAddress(s), 0x400) || isOpen(graphicsAddress(s), 256 * characterHeight(s));
}

/** Makes the accesses that are due up to and including this cycle. True if there are no more in this line. */
export function fetchTo(s: Mos6560State, wires: Mos6560Wires, cycle: number): boolean {
  const { color } = wires;
  const matrix = matrixAddress(s) + s[fields.matrixCounter];
  const height = characterHeight(s);
  const graphics = graphicsAddress(s) + (s[ROW_LINE] & (height - 1));
  for (let at = s[FETCHED_TO]; at < cycle; at += 1) {
    const column = s[COLUMN];
    if (s[FETCH] === fetch.matrix) {
      const address = matrix + column;
      s[CHARACTER] = access(s, wires, address);
      s[COLORS + column] = (color[address & 0x3ff] as number) & 15;
      s[FETCH] = fetch.graphics;
    } else if (s[FETCH] === fetch.graphics) {
      s[GRAPHICS + column] = access(s, wires, graphics + s[CHARACTER] * height);
      s[COLUMN] = column + 1;
      if (s[ROW_LINE] === height - 1) s[fields.matrixStep] = column + 1;
      s[FETCH] = column + 1 < s[COLUMNS] ? fetch.matrix : fetch.right;
    } else break;
  }
  s[FETCHED_TO] = cycle;
  return s[FETCH] === fetch.right;
}

function access(s: Mos6560State, { memory, pages, color }: Mos6560Wires, address: number): number {
  const base = pages[(address >> 8) & 63] as number;
  let byte: number;
  if (base >= 0) byte = memory[base + (address & 255)] as number;
  else {
    // Where nobody drives the bus it still carries what came last.
    const left = s[BUS_BYTE] < 0 ? s[FETCHED] : s[BUS_BYTE];
    const nibble = s[BUS_ADDRESS] < 0 ? s[FETCHED_COLOR] : (color[s[BUS_ADDRESS] & 0x3ff] as number);
    byte = left & (0xf0 | nibble);
  }
  s[FETCHED] = byte;
  s[FETCHED_COLOR] = (color[address & 0x3ff] as number) & 15;
  if (s[fields.seesOpenBus] !== 0) {
    s[BUS_BYTE] = -1;
    s[BUS_ADDRESS] = -1;
  }
  return byte;
}
