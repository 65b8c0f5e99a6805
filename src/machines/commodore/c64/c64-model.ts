import { type CommodoreModel, usualCells } from '../machine/commodore-model.ts';
import { c64RomSet } from '../roms/search/c64-rom-specs.ts';

export const c64Model = {
  kind: 'c64',
  name: 'C64',
  processor: 'MOS 6510',
  roms: c64RomSet,
  banks: [
    { name: 'cpu', size: 0x10000n, description: 'what the processor sees now', writable: true },
    { name: 'ram', size: 0x10000n, description: 'RAM under everything', writable: true },
    { name: 'rom', size: 0x10000n, description: 'BASIC and KERNAL whatever is switched in', writable: false },
    { name: 'io', size: 0x10000n, description: 'chips at $D000-$DFFF whatever is switched in', writable: true },
    { name: 'color', size: 0x400n, description: 'colour RAM from 0', writable: true },
    { name: 'vic', size: 0x4000n, description: 'the 16K that the VIC-II sees', writable: false },
  ],
  io: { first: 0xd000, last: 0xdfff },
  chips: [
    { name: 'vic2', first: 0xd000, last: 0xd3ff, registers: 64 },
    { name: 'sid', first: 0xd400, last: 0xd7ff, registers: 32 },
    { name: 'cia1', first: 0xdc00, last: 0xdcff, registers: 16 },
    { name: 'cia2', first: 0xdd00, last: 0xddff, registers: 16 },
  ],
  basicStarts: [0x0801],
  warmStartVector: 0xa002,
  kernalStart: 0xe500,
  /** CBM80 */
  resetTrap: { address: 0x8004, sign: [0xc3, 0xc2, 0xcd, 0x38, 0x30] },
  screen: { columns: 40, rows: 25, pixelWidth: 1, textAt: [32, 35] },
  /** Columns are the bits of CIA 1's port A, rows those of its port B. */
  keys: [
    ['del', 'return', 'right', 'f7', 'f1', 'f3', 'f5', 'down'],
    ['3', 'w', 'a', '4', 'z', 's', 'e', 'lshift'],
    ['5', 'r', 'd', '6', 'c', 'f', 't', 'x'],
    ['7', 'y', 'g', '8', 'b', 'h', 'u', 'v'],
    ['9', 'i', 'j', '0', 'm', 'k', 'o', 'n'],
    ['+', 'p', 'l', '-', '.', ':', '@', ','],
    ['£', '*', ';', 'home', 'rshift', '=', '↑', '/'],
    ['1', '←', 'ctrl', '2', 'space', 'cbm', 'q', 'stop'],
  ],
  controlPorts: [1, 2],
  hasAnalogueInputs: true,
  cells: usualCells,
  exitRegister: 0xd7ff,
} as const satisfies CommodoreModel;
