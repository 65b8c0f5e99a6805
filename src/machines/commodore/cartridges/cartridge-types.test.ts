import { describe, expect, test } from 'vitest';
import { readCrt } from '../../../formats/commodore/media/crt.ts';
import { banks, type ChipSpec, crtFile } from '../../../formats/commodore/media/crt-testing.ts';
import type { Cartridge } from './cartridge.ts';
import { cartridgeOf } from './cartridge-types.ts';

/** Chips of 16K; the upper half of bank 0 cannot be told from the lower one, which is as it is on a real one. */
const wide = (count: number): ChipSpec[] =>
  Array.from({ length: count }, (_, bank) => ({ bank, address: 0x8000, fill: bank + 1, size: 0x4000 }));

const plug = (hardware: number, chips: readonly ChipSpec[], exrom = 0, game = 1, revision = 0) =>
  cartridgeOf({ ...readCrt(crtFile(hardware, exrom, game, chips)), revision });

/** Which bank lies at $8000 and at $A000, and the mode; 0 is RAM that was never written. */
function shown({ mapping: { roml, romh, exrom, game } }: Cartridge): string {
  const mode = ['16K', '8K', 'ultimax', 'off'][(exrom << 1) | game];
  return `${roml?.[0] ?? '-'} ${romh?.[0] ?? '-'} ${mode}`;
}

type Step = readonly [access: 'w' | 'r', address: number, value: number, then: string];

const sequences: readonly (readonly [
  name: string,
  hardware: number,
  chips: ChipSpec[],
  start: string,
  steps: readonly Step[],
])[] = [
  [
    'Fun Play',
    7,
    banks(16),
    '1 - 8K',
    [
      ['w', 0xde00, 0x39, '16 - 8K'],
      ['w', 0xde00, 0x86, '1 - off'],
    ],
  ],
  [
    'Super Games',
    8,
    wide(4),
    '1 1 8K',
    [
      ['w', 0xdf00, 2, '3 3 16K'],
      ['w', 0xdf00, 0xc, '1 1 off'],
      ['w', 0xdf00, 1, '1 1 off'],
    ],
  ],
  ['Westermann', 11, wide(1), '1 1 8K', [['r', 0xdf00, 0, '1 1 8K']]],
  [
    'Rex Utility',
    12,
    banks(1),
    '1 - 8K',
    [
      ['r', 0xdf00, 0, '1 - off'],
      ['r', 0xdfc0, 0, '1 - 8K'],
    ],
  ],
  [
    'Final Cartridge I',
    13,
    wide(1),
    '1 1 16K',
    [
      ['r', 0xde00, 0, '1 1 off'],
      ['w', 0xdf00, 0, '1 1 16K'],
    ],
  ],
  [
    'Game System',
    15,
    banks(64),
    '1 - 8K',
    [
      ['w', 0xde07, 0, '8 - 8K'],
      ['r', 0xde3f, 0, '64 - 8K'],
    ],
  ],
  [
    'Warp Speed',
    16,
    wide(1),
    '1 1 8K',
    [
      ['w', 0xdf00, 0, '1 1 off'],
      ['w', 0xde00, 0, '1 1 16K'],
    ],
  ],
  [
    'Dinamic',
    17,
    banks(16),
    '1 - 8K',
    [
      ['r', 0xde05, 0, '6 - 8K'],
      ['r', 0xde15, 0, '6 - 8K'],
    ],
  ],
  [
    'Magic Desk',
    19,
    banks(8),
    '1 - 8K',
    [
      ['w', 0xde00, 3, '4 - 8K'],
      ['w', 0xde00, 0x80, '1 - off'],
    ],
  ],
  [
    'Comal 80',
    21,
    wide(4),
    '1 1 16K',
    [
      ['w', 0xde00, 0x82, '3 3 16K'],
      ['w', 0xde00, 0x43, '4 4 8K'],
      ['w', 0xde00, 0x60, '1 1 off'],
    ],
  ],
  [
    'Structured BASIC',
    22,
    banks(2),
    '1 - 8K',
    [
      ['r', 0xde02, 0, '2 - 8K'],
      ['w', 0xde03, 0, '2 - off'],
      ['w', 0xde00, 0, '1 - 8K'],
    ],
  ],
  [
    'Ross',
    23,
    wide(2),
    '1 1 8K',
    [
      ['r', 0xde00, 0, '2 2 8K'],
      ['r', 0xdf00, 0, '2 2 off'],
    ],
  ],
  [
    'Dela EP64',
    24,
    banks(9),
    '1 - 8K',
    [
      ['w', 0xde00, 0x21, '4 - 8K'],
      ['w', 0xde00, 0x80, '1 - off'],
    ],
  ],
  [
    'Dela EP7x8',
    25,
    banks(8),
    '1 - 8K',
    [
      ['w', 0xde00, 0xfb, '3 - 8K'],
      ['w', 0xde00, 0xff, '3 - off'],
    ],
  ],
  [
    'Dela EP256',
    26,
    banks(33),
    '1 - 8K',
    [
      ['w', 0xde00, 0x31, '3 - 8K'],
      ['w', 0xde00, 0x00, '26 - 8K'],
    ],
  ],
  [
    'Prophet64',
    43,
    banks(32),
    '1 - 8K',
    [
      ['w', 0xdf00, 5, '6 - 8K'],
      ['w', 0xdf00, 0x20, '1 - off'],
    ],
  ],
  [
    'MACH 5',
    51,
    banks(1),
    '1 - 8K',
    [
      ['w', 0xdf00, 0, '1 - off'],
      ['w', 0xde00, 0, '1 - 8K'],
    ],
  ],
  [
    'Silverrock',
    55,
    banks(16),
    '1 - 8K',
    [
      ['w', 0xde00, 0x80, '2 - 8K'],
      ['w', 0xde00, 0x10, '3 - 8K'],
    ],
  ],
  [
    'RGCD',
    57,
    banks(8),
    '1 - 8K',
    [
      ['w', 0xde00, 6, '7 - 8K'],
      ['w', 0xde00, 8, '1 - off'],
      ['w', 0xde00, 1, '2 - off'],
    ],
  ],
  [
    'Magic Desk 16',
    85,
    wide(4),
    '1 1 16K',
    [
      ['w', 0xde00, 2, '3 3 16K'],
      ['w', 0xde00, 0x80, '1 1 off'],
    ],
  ],
  [
    'Action Replay 3',
    35,
    banks(2),
    '2 2 8K',
    [
      ['w', 0xde00, 0x08, '1 1 8K'],
      ['w', 0xde00, 0x04, '1 1 off'],
      ['w', 0xde00, 0x08, '1 1 off'],
    ],
  ],
  [
    'Action Replay 4',
    30,
    banks(4),
    '2 2 8K',
    [
      ['w', 0xde00, 0x1b, '4 4 8K'],
      ['w', 0xde00, 0x08, '1 1 16K'],
    ],
  ],
];

test.for(sequences)('%s', ([, hardware, chips, start, steps]) => {
  const cartridge = plug(hardware, chips);
  expect(shown(cartridge)).toBe(start);
  for (const [access, address, value, then] of steps) {
    if (access === 'w') cartridge.write(address, value);
    else cartridge.read(address);
    expect(shown(cartridge)).toBe(then);
  }
  cartridge.reset();
  expect(shown(cartridge)).toBe(start);
});

describe('where the address matters', () => {
  test('Zaxxon selects its upper bank by the half that is read', () => {
    const chips = [{ bank: 0, address: 0x8000, fill: 1, size: 0x1000 }, ...banks(2, 0xa000)];
    const cartridge = plug(18, chips, 0, 0);
    expect([cartridge.readLow(0x1234, 0), shown(cartridge)]).toEqual([1, '- 2 16K']);
    cartridge.readLow(0x0234, 0);
    expect(shown(cartridge)).toBe('- 1 16K');
  });

  test('Epyx FastLoad goes away 512 cycles after it was last looked at', () => {
    const cartridge = plug(10, banks(1));
    let cycle = 0;
    cartridge.now = () => cycle;
    cartridge.reset();
    cycle = 500;
    expect(cartridge.readLow(0, 0x77)).toBe(1);
    cycle = 1013;
    expect([cartridge.readLow(0, 0x77), cartridge.read(0xdf05)]).toEqual([0x77, 1]);
    cartridge.read(0xde00);
    expect(cartridge.readLow(0, 0x77)).toBe(1);
  });

  test('EasyCalc and Kingsoft', () => {
    const calc = plug(59, [...banks(1), ...banks(2, 0xa000)], 0, 0);
    calc.write(0xde01, 0);
    expect(shown(calc)).toBe('1 2 16K');
    const kingsoft = plug(54, banks(3), 0, 0);
    expect(shown(kingsoft)).toBe('1 2 16K');
    kingsoft.write(0xde00, 0);
    expect(shown(kingsoft)).toBe('1 3 ultimax');
    kingsoft.read(0xde00);
    expect(shown(kingsoft)).toBe('1 2 16K');
  });

  test('Mikro Assembler shows its last pages in I/O; EXOS lies in place of the KERNAL', () => {
    expect(plug(28, banks(1)).read(0xde10)).toBe(1);
    expect(plug(44, [{ bank: 0, address: 0xe000, fill: 9 }]).mapping).toMatchObject({ exrom: 1, game: 1 });
    expect(plug(44, [{ bank: 0, address: 0xe000, fill: 9 }]).mapping.kernal?.[0]).toBe(9);
  });

  test('Pagefox: ROM, RAM, nothing, off', () => {
    const cartridge = plug(53, wide(4), 0, 0);
    cartridge.write(0xde80, 2);
    expect(shown(cartridge)).toBe('2 2 16K');
    cartridge.write(0xde80, 0x0a);
    cartridge.writeLow(0, 0x55);
    cartridge.writeHigh(0, 0x66);
    expect(shown(cartridge)).toBe('85 102 16K');
    cartridge.write(0xde80, 0x08);
    expect(shown(cartridge)).toBe('0 0 16K');
    cartridge.write(0xde80, 0x0c);
    expect(shown(cartridge)).toBe('- - 16K');
    cartridge.write(0xdeff, 0xff);
    expect(shown(cartridge)).toBe('- - off');
    expect(cartridge.write(0xde7f, 0)).toBe(false);
  });
});

describe('freezers', () => {
  test.for([
    [1, banks(4), '0 1 ultimax'],
    [2, wide(1), '1 1 ultimax'],
    [3, wide(4), '1 1 ultimax'],
    [9, banks(4), '0 1 ultimax'],
    [13, wide(1), '1 1 ultimax'],
    [20, wide(4), '0 1 ultimax'],
    [30, banks(4), '1 1 ultimax'],
    [35, banks(2), '1 1 ultimax'],
    [36, banks(8), '- 1 ultimax'],
  ] as const)('type %i takes over', ([hardware, chips, frozen]) => {
    const cartridge = plug(hardware, chips);
    expect(cartridge.canFreeze).toBe(true);
    cartridge.freeze();
    expect(shown(cartridge)).toBe(frozen);
  });

  test('those without a button have none', () => {
    expect(plug(0, banks(1)).canFreeze).toBe(false);
  });

  test('Action Replay: reading the register writes what is on the bus', () => {
    const cartridge = plug(1, banks(4));
    cartridge.read(0xde00, 0x18);
    expect(shown(cartridge)).toBe('4 4 8K');
    cartridge.write(0xde00, 0x22);
    cartridge.writeLow(3, 0x0f);
    expect(cartridge.readLow(3, 0xf0)).toBe(0xff);
  });

  test('Atomic Power: RAM at $A000, which the C64 does not get', () => {
    const cartridge = plug(9, banks(4));
    cartridge.write(0xde00, 0x2a);
    cartridge.writeHigh(0, 0x12);
    expect(shown(cartridge)).toBe('2 18 16K');
    expect(cartridge.mapping.keepsHigh).toBe(true);
    cartridge.write(0xdf01, 0x34);
    expect(cartridge.read(0xdf01)).toBe(0x34);
  });

  test('Final Cartridge III pulls NMI with bit 6', () => {
    const cartridge = plug(3, wide(4), 1, 1);
    expect(cartridge.mapping.nmi).toBe(false);
    cartridge.write(0xdfff, 0x10);
    expect(cartridge.mapping.nmi).toBe(true);
  });

  test('KCS Power: modes by the address, RAM, and the lines read back', () => {
    const cartridge = plug(2, wide(1));
    expect(shown(cartridge)).toBe('1 1 16K');
    cartridge.write(0xde02, 0);
    expect([shown(cartridge), cartridge.read(0xdf80, 0xff)]).toEqual(['1 1 ultimax', 0xbf]);
    cartridge.read(0xde00);
    expect(shown(cartridge)).toBe('1 1 8K');
    cartridge.write(0xdf10, 0x42);
    expect(cartridge.read(0xdf10)).toBe(0x42);
  });

  test('Super Snapshot 5: banks, RAM and off', () => {
    const cartridge = plug(20, wide(4));
    expect(shown(cartridge)).toBe('0 1 ultimax');
    cartridge.writeLow(0, 0x21);
    cartridge.write(0xde00, 0x16);
    expect(shown(cartridge)).toBe('4 4 16K');
    cartridge.write(0xde00, 0x0b);
    expect(cartridge.write(0xde00, 0)).toBe(false);
    expect(cartridge.peek(0xde00)).toBeUndefined();
  });
});

describe('Retro Replay', () => {
  test('banks, RAM where it lies, and the page in I/O', () => {
    const cartridge = plug(36, banks(8));
    cartridge.write(0xde00, 0x98);
    expect(shown(cartridge)).toBe('8 8 8K');
    expect([cartridge.peek(0xde00), cartridge.peek(0xdf00)]).toEqual([0x98, 8]);
    cartridge.write(0xde00, 0x23);
    cartridge.writeLow(5, 0x55);
    cartridge.write(0xdf00, 0x66);
    expect([cartridge.mapping.roml?.[5], cartridge.mapping.roml?.[0x1f00]]).toEqual([0x55, 0x66]);
    cartridge.write(0xde00, 0x20);
    cartridge.writeLow(5, 0x99);
    expect(cartridge.mapping.roml?.[5]).toBe(0x55);
  });

  test('$DE01 is written once, but for the bank; the map for REUs moves the page', () => {
    const cartridge = plug(36, banks(8));
    cartridge.write(0xde01, 0x42);
    cartridge.write(0xde01, 0x08);
    expect(cartridge.peek(0xde01)).toBe(0x4a);
    expect([cartridge.peek(0xde02), cartridge.peek(0xdf02)]).toEqual([2, undefined]);
    cartridge.write(0xde00, 0x04);
    expect([shown(cartridge).slice(-3), cartridge.peek(0xde00)]).toEqual(['off', undefined]);
  });

  test('freezing lasts until bit 6 is written', () => {
    const cartridge = plug(36, banks(8));
    cartridge.freeze();
    cartridge.write(0xde00, 0x08);
    expect(shown(cartridge)).toBe('- 2 ultimax');
    cartridge.write(0xde00, 0x48);
    expect(shown(cartridge)).toBe('2 2 8K');
  });

  test('the Nordic one has RAM at $A000 too', () => {
    const cartridge = plug(36, banks(8), 0, 1, 1);
    cartridge.write(0xde00, 0x22);
    cartridge.writeHigh(0, 0x31);
    expect(shown(cartridge)).toBe('1 49 16K');
    const retro = plug(36, banks(8));
    retro.write(0xde00, 0x22);
    expect(shown(retro).slice(-3)).toBe('off');
  });
});

test('what is not emulated is refused by name, with the reason where there is one', () => {
  expect(() => plug(37, banks(1))).toThrow('type 37 (MMC64), whose hardware is not emulated: it needs an SD card');
  expect(() => plug(41, banks(1))).toThrow('IEEE-488 bus');
  expect(() => plug(99, banks(1))).toThrow('type 99');
});
