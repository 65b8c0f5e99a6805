import { fields, type VgaState } from './fields.ts';

const LATCH = fields.latch;
const PLANE_BANK = fields.planeBank;
const SEQUENCER = fields.sequencer;
const GRAPHICS = fields.graphics;

const sequencer = (s: VgaState, index: number): number => s[SEQUENCER + index];
const graphics = (s: VgaState, index: number): number => s[GRAPHICS + index];

/** A byte for each plane whose bit is set. */
const planeBytes = Int32Array.from({ length: 16 }, (_, planes) =>
  [0, 1, 2, 3].reduce((word, plane) => word | ((planes >> plane) & 1 ? 0xff << (plane * 8) : 0), 0),
);

const repeated = (byte: number) => Math.imul(byte & 0xff, 0x01010101);
const spread = (planes: number) => planeBytes[planes & 15];

/** Where the processor's address lies in the window that the graphics controller opens; -1 outside. */
function windowOffset(s: VgaState, address: number): number {
  switch ((graphics(s, 6) >> 2) & 3) {
    case 0:
      return address - 0xa0000;
    case 1:
      return address < 0xb0000 ? address - 0xa0000 : -1;
    case 2:
      return address >= 0xb0000 && address < 0xb8000 ? address - 0xb0000 : -1;
    default:
      return address >= 0xb8000 ? address - 0xb8000 : -1;
  }
}

/** A byte as the processor reads it: fills the latches. `planes` has a word for each address. */
export function readPlanes(s: VgaState, planes: Int32Array, address: number): number {
  const offset = windowOffset(s, address);
  if (offset < 0) return 0xff;
  const chained = (sequencer(s, 4) & 8) !== 0;
  const oddEven = (graphics(s, 5) & 0x10) !== 0;
  const at = ((chained ? offset & ~3 : oddEven ? offset & ~1 : offset) & 0xffff) + s[PLANE_BANK];
  const latch = planes[at];
  s[LATCH] = latch;
  if ((graphics(s, 5) & 8) !== 0) {
    // Read mode 1: a bit is set where the planes that matter hold the compared colour.
    const different = (latch ^ spread(graphics(s, 2))) & spread(graphics(s, 7));
    return ~(different | (different >>> 8) | (different >>> 16) | (different >>> 24)) & 0xff;
  }
  const select = graphics(s, 4);
  const plane = chained ? offset & 3 : oddEven ? (select & 2) | (offset & 1) : select;
  return (latch >>> (plane * 8)) & 0xff;
}

/** A byte as the processor writes it, through rotator, set/reset, function, bit mask and map mask. */
export function writePlanes(s: VgaState, planes: Int32Array, address: number, value: number): void {
  const offset = windowOffset(s, address);
  if (offset < 0) return;
  const memoryMode = sequencer(s, 4);
  let at = offset;
  let enabled = sequencer(s, 2);
  if ((memoryMode & 8) !== 0) {
    enabled &= 1 << (offset & 3);
    at &= ~3;
  } else if ((memoryMode & 4) === 0) {
    enabled &= (offset & 1) !== 0 ? 0b1010 : 0b0101;
    at &= ~1;
  }
  at = (at & 0xffff) + s[PLANE_BANK];
  const map = spread(enabled);
  planes[at] = (planes[at] & ~map) | (written(s, value) & map);
}

/** Many bytes as the processor writes them, one after the other. */
export function writeManyPlanes(s: VgaState, planes: Int32Array, address: number, bytes: Uint8Array): void {
  const first = windowOffset(s, address);
  const isWhole = first >= 0 && windowOffset(s, address + bytes.length - 1) === first + bytes.length - 1;
  if (!isWhole || !writesPlainly(s)) {
    for (let index = 0; index < bytes.length; index++) writePlanes(s, planes, address + index, bytes[index]);
    return;
  }
  const memoryMode = sequencer(s, 4);
  const chained = (memoryMode & 8) !== 0;
  const oddEven = !chained && (memoryMode & 4) === 0;
  const inside = chained ? 0xfffc : oddEven ? 0xfffe : 0xffff;
  const maps = [0, 1, 2, 3].map((lane) =>
    spread(sequencer(s, 2) & (chained ? 1 << lane : oddEven ? ((lane & 1) !== 0 ? 0b1010 : 0b0101) : 0b1111)),
  );
  const bank = s[PLANE_BANK];
  for (let index = 0; index < bytes.length; index++) {
    const offset = first + index;
    const map = maps[offset & 3];
    const at = (offset & inside) + bank;
    planes[at] = (planes[at] & ~map) | (repeated(bytes[index]) & map);
  }
}

/** Whether the processor's byte comes to the planes as it is: nothing rotates it, nothing is mixed into it. */
function writesPlainly(s: VgaState): boolean {
  const isMixed = (graphics(s, 1) & 15) | graphics(s, 3) | (graphics(s, 5) & 3);
  return isMixed === 0 && graphics(s, 8) === 0xff;
}

function written(s: VgaState, value: number): number {
  const latch = s[LATCH];
  const mode = graphics(s, 5) & 3;
  if (mode === 1) return latch;
  const rotation = graphics(s, 3) & 7;
  const rotated = ((value >> rotation) | (value << (8 - rotation))) & 0xff;
  let bitMask = graphics(s, 8);
  let data: number;
  if (mode === 2) data = spread(value);
  else if (mode === 3) {
    data = spread(graphics(s, 0));
    bitMask &= rotated;
  } else {
    const enabled = spread(graphics(s, 1));
    data = (repeated(rotated) & ~enabled) | (spread(graphics(s, 0)) & enabled);
  }
  switch ((graphics(s, 3) >> 3) & 3) {
    case 1:
      data &= latch;
      break;
    case 2:
      data |= latch;
      break;
    case 3:
      data ^= latch;
      break;
  }
  const mask = repeated(bitMask);
  return (data & mask) | (latch & ~mask);
}
