import { tedPalette } from '../../../chips/ted/palette.ts';
import { plus4RomSet } from '../roms/search/plus4-rom-specs.ts';

/** A `CommodoreModel`, and what suites need to know beyond. */
export const plus4Model = {
  kind: 'plus4',
  name: 'Plus/4',
  processor: 'MOS 7501',
  palette: tedPalette,
  roms: plus4RomSet,
  banks: [
    { name: 'cpu', size: 0x10000n, description: 'what the processor sees', writable: true },
    { name: 'ram', size: 0x10000n, description: 'RAM, also under ROM and chips', writable: true },
    { name: 'rom', size: 0x10000n, description: 'the ROMs that are selected, from $8000 on', writable: false },
    { name: 'io', size: 0x10000n, description: 'chips at $FD00-$FF3F and the port at $0000', writable: true },
  ],
  io: { first: 0xfd00, last: 0xff3f },
  chips: [
    { name: 'ted', first: 0xff00, last: 0xff1f, registers: 32 },
    { name: 'acia', first: 0xfd00, last: 0xfd0f, registers: 4 },
  ],
  basicStarts: [0x1001],
  warmStartVector: 0x8004,
  kernalStart: 0xd800,
  /** Function keys start nothing at a reset; a cartridge does, and that is no RAM. */
  systemCode: [{ first: 0x0473, last: 0x04e6 }],
  resetTrap: { address: 0x8007, sign: [0x43, 0x42, 0x4d] },
  cells: {
    keysWaiting: 0xef,
    keyBuffer: 0x0527,
    line: 0xc8,
    mainLoop: 0x0302,
    column: 0xca,
    row: 0xcd,
    endOfLoad: 0x9d,
    tapeBuffer: 0xb6,
  },
  screen: { columns: 40, rows: 25, pixelWidth: 1, textAt: [32, 41] },
  /** The KERNAL's keyboard buffer and the cell with the number of characters in it. */
  keyboardBuffer: { start: 0x527, count: 0xef, room: 10 },
  /** Where VICE's test programs leave their exit code. */
  exitRegister: 0xfdcf,
  /** Keys by column (bit of $FD30) and row (bit of $FF08). */
  keys: [
    ['del', 'return', '£', 'help', 'f1', 'f2', 'f3', '@'],
    ['3', 'w', 'a', '4', 'z', 's', 'e', 'lshift'],
    ['5', 'r', 'd', '6', 'c', 'f', 't', 'x'],
    ['7', 'y', 'g', '8', 'b', 'h', 'u', 'v'],
    ['9', 'i', 'j', '0', 'm', 'k', 'o', 'n'],
    ['down', 'p', 'l', 'up', '.', ':', '-', ','],
    ['left', '*', ';', 'right', 'esc', '=', '+', '/'],
    ['1', 'home', 'ctrl', '2', 'space', 'cbm', 'q', 'stop'],
  ],
  /** What other keys are called when shift is held. */
  shifted: { f4: 'f1', f5: 'f2', f6: 'f3', f7: 'help', '↑': '0', '←': '=', rshift: 'lshift' },
  controlPorts: [1, 2],
  hasAnalogueInputs: false,
} as const;
