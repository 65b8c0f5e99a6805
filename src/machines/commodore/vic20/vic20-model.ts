import type { Mos6560Model } from '../../../chips/mos6560/models.ts';
import { vicPalette } from '../../../chips/mos6560/palette.ts';
import { usualCells } from '../machine/commodore-model.ts';
import { vic20RomSet } from '../roms/search/vic20-rom-specs.ts';

/** A `CommodoreModel`, and what suites need to know beyond. */
export const vic20Model = {
  kind: 'vic20',
  name: 'VIC-20',
  processor: 'MOS 6502',
  video: { pal: '6561', ntsc: '6560' } as const satisfies Readonly<Record<string, Mos6560Model>>,
  palette: vicPalette,
  roms: vic20RomSet,
  banks: [
    { name: 'cpu', size: 0x10000n, description: 'what the processor sees', writable: true },
    { name: 'ram', size: 0x10000n, description: 'RAM at its addresses, also where none is plugged in', writable: true },
    { name: 'rom', size: 0x10000n, description: 'character set, BASIC, KERNAL and cartridge', writable: false },
    { name: 'io', size: 0x10000n, description: 'chips and colour RAM at $9000-$97FF', writable: true },
    { name: 'color', size: 0x400n, description: 'colour RAM ($9400) from 0', writable: true },
    {
      name: 'vic',
      size: 0x4000n,
      description: 'the 16K that the VIC sees: 0 is $8000, $2000 is $0000',
      writable: false,
    },
  ],
  io: { first: 0x9000, last: 0x9fff },
  chips: [
    { name: 'vic', first: 0x9000, last: 0x90ff, registers: 16 },
    { name: 'via1', first: 0x9110, last: 0x911f, registers: 16 },
    { name: 'via2', first: 0x9120, last: 0x912f, registers: 16 },
  ],
  /** Where BASIC programs begin: on the bare machine, with 3 KiB more, with 8 KiB and more. */
  basicStart: { none: 0x1001, '3k': 0x0401, large: 0x1201 },
  basicStarts: [0x1001, 0x0401, 0x1201],
  warmStartVector: 0xc002,
  kernalStart: 0xe500,
  /** A0CBM */
  resetTrap: { address: 0xa004, sign: [0x41, 0x30, 0xc3, 0xc2, 0xcd] },
  screen: { columns: 22, rows: 23, pixelWidth: 2, textAt: [48, 48] },
  /** The page of the screen is in this cell. */
  screenPageCell: 0x288,
  /** The KERNAL's keyboard buffer and the cell with the number of characters in it. */
  keyboardBuffer: { start: 0x277, count: 0xc6, room: 10 },
  /** Where VICE's test programs leave their exit code. */
  exitRegister: 0x910f,
  /** Keys by column (bit of VIA 2's port B) and row (bit of port A). RESTORE is not among them. */
  keys: [
    ['1', '3', '5', '7', '9', '+', '£', 'del'],
    ['←', 'w', 'r', 'y', 'i', 'p', '*', 'return'],
    ['ctrl', 'a', 'd', 'g', 'j', 'l', ';', 'right'],
    ['stop', 'lshift', 'x', 'v', 'n', ',', '/', 'down'],
    ['space', 'z', 'c', 'b', 'm', '.', 'rshift', 'f1'],
    ['cbm', 's', 'f', 'h', 'k', ':', '=', 'f3'],
    ['q', 'e', 't', 'u', 'o', '@', '↑', 'f5'],
    ['2', '4', '6', '8', '0', '-', 'home', 'f7'],
  ],
  /** One for a joystick and two paddles. */
  controlPorts: [1],
  hasAnalogueInputs: true,
  cells: usualCells,
} as const;
