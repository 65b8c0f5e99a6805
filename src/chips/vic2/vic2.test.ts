import { describe, expect, test } from 'vitest';
import { fields } from './fields.ts';
import type { Vic2Model } from './models.ts';
import { Vic2Bench } from './vic2-testing.ts';

const fieldAt = (name: keyof typeof fields): number => fields[name];

/** Cycles of the coming line in which a condition holds; leaves the bench at the end of that line. */
function cyclesOfLine(bench: Vic2Bench, line: number, holds: () => boolean): number[] {
  bench.runTo(line, 1);
  const found = holds() ? [1] : [];
  for (let cycle = 2; cycle <= bench.vic.timing.cyclesPerLine; cycle++) {
    bench.tick();
    if (holds()) found.push(cycle);
  }
  return found;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('timing', () => {
  test.each([
    ['6569', 63, 312],
    ['6567', 65, 263],
    ['6567R56A', 64, 262],
  ] as const)('%s has %i cycles a line and %i lines', (model, cycles, lines) => {
    const bench = new Vic2Bench(model);
    bench.runTo(0, 2);
    bench.runTo(0, 2);
    const frame = bench.get('frameCount');
    let count = 0;
    do {
      bench.tick();
      count++;
    } while (bench.get('frameCount') === frame);
    expect(count).toBe(cycles * lines);
  });

  test('the raster counter changes in cycle 1, for line 0 in cycle 2', () => {
    const bench = new Vic2Bench();
    bench.runTo(310, 63);
    bench.tick();
    expect(bench.get('rasterLine')).toBe(311);
    bench.tick(63);
    expect([bench.get('cycle'), bench.get('rasterLine')]).toEqual([1, 311]);
    bench.tick();
    expect([bench.get('cycle'), bench.get('rasterLine')]).toEqual([2, 0]);
  });
});

describe('accesses', () => {
  test('a bad line: refresh, c- and g-accesses, sprite pointers in their cycles', () => {
    const bench = new Vic2Bench('6569', true).textScreen();
    for (let i = 0; i < 40; i++) bench.ram[0x400 + i] = i + 1;
    bench.runTo(0x33, 10);
    const log: number[][] = [];
    for (let cycle = 11; cycle <= 63; cycle++) {
      bench.tick();
      log.push(bench.fetched);
    }
    const refresh = 0xff - 5 * 0x33;
    expect(log[0]).toEqual([0x3f00 | (refresh & 0xff)]);
    expect(log[4]).toEqual([0x3f00 | ((refresh - 4) & 0xff), 0x400]);
    expect(log[5]).toEqual([0x2008, 0x401]);
    expect(log[43]).toEqual([0x2000 + 39 * 8, 0x427]);
    expect(log[44]).toEqual([0x2000 + 40 * 8]);
    expect(log[45]).toEqual([0x3fff]);
    expect(log[47]).toEqual([0x7f8]);
    expect(log[49]).toEqual([0x7f9]);
  });

  test('BA falls three cycles before the first c-access and AEC with it', () => {
    const bench = new Vic2Bench().textScreen();
    expect(cyclesOfLine(bench, 0x33, () => bench.get('ba') === 0)).toEqual(range(12, 54));
    expect(cyclesOfLine(bench, 0x3b, () => bench.get('aec') === 0)).toEqual(range(15, 54));
  });

  test('c-accesses before the bus is free see $FF and the low nibble of the CPU byte', () => {
    const bench = new Vic2Bench().textScreen();
    bench.cpuByte = 0xa7;
    bench.write([0x11, 0x1c]);
    bench.runTo(0x33, 20);
    bench.write([0x11, 0x1b]);
    bench.tick(4);
    const at = (name: 'matrixLine' | 'colorLine', i: number) => bench.state[fieldAt(name) + i];
    expect([at('matrixLine', 0), at('matrixLine', 2), at('colorLine', 2), at('matrixLine', 3)]).toEqual([
      0xff, 0xff, 7, 0,
    ]);
  });

  test('DEN anywhere in line $30 allows bad lines; later it does not', () => {
    const bench = new Vic2Bench().textScreen();
    bench.write([0x11, 0x0b]);
    bench.runTo(0x30, 40);
    bench.write([0x11, 0x1b]);
    bench.tick();
    bench.write([0x11, 0x0b]);
    expect(cyclesOfLine(bench, 0x33, () => bench.get('ba') === 0)).toHaveLength(43);
    bench.runTo(0x31, 2);
    bench.write([0x11, 0x1b]);
    expect(cyclesOfLine(bench, 0x33, () => bench.get('ba') === 0)).toHaveLength(0);
  });
});

test('the idle access in the cycle in which a bad line begins reads elsewhere', () => {
  const addressAt = (model: '6569' | '8565'): number | undefined => {
    const bench = new Vic2Bench(model, true).textScreen();
    bench.set([0x11, 0x1c]);
    bench.runTo(0x32, 40);
    bench.write([0x11, 0x1a]);
    bench.tick();
    return bench.fetched[0];
  };
  expect([addressAt('6569'), addressAt('8565')]).toEqual([0x38ff, 0x3807]);
});

describe('interrupts', () => {
  test('raster compare is an edge, also when the register is written', () => {
    const bench = new Vic2Bench().textScreen();
    bench.write([0x12, 100], [0x1a, 1]);
    bench.runTo(100, 1);
    expect(bench.get('irq')).toBe(1);
    expect(bench.vic.read(0x19)).toBe(0xf1);
    bench.write([0x19, 1]);
    expect(bench.get('irq')).toBe(0);
    bench.tick(20);
    expect(bench.vic.peek(0x19)).toBe(0x70);
    bench.write([0x12, 99]);
    bench.tick();
    bench.write([0x12, 100]);
    bench.tick();
    expect(bench.vic.peek(0x19)).toBe(0xf1);
  });

  test('line 0 matches in cycle 2', () => {
    const bench = new Vic2Bench();
    bench.runTo(311, 5);
    bench.write([0x12, 0], [0x11, 0], [0x19, 0xff]);
    while (bench.get('irqStatus') === 0) bench.tick();
    expect([bench.get('rasterLine'), bench.get('cycle')]).toEqual([0, 2]);
  });

  test('$D019 latches without the mask; the mask alone moves the pin', () => {
    const bench = new Vic2Bench();
    bench.write([0x12, 50]);
    bench.runTo(50, 1);
    expect([bench.vic.peek(0x19), bench.get('irq')]).toEqual([0x71, 0]);
    bench.write([0x1a, 0xff]);
    expect([bench.vic.peek(0x19), bench.vic.peek(0x1a), bench.get('irq')]).toEqual([0xf1, 0xff, 1]);
  });
});

describe('registers', () => {
  test('unused bits read as ones, $D02F-$D03F as $FF', () => {
    const bench = new Vic2Bench();
    const values = [0x16, 0x18, 0x19, 0x1a, 0x20, 0x2e, 0x2f, 0x3f].map((register) => bench.vic.read(register));
    expect(values).toEqual([0xc0, 0x01, 0x70 | (values[2] ?? 0), 0xf0, 0xf0, 0xf0, 0xff, 0xff]);
  });

  test('peek leaves collisions alone, read clears them a cycle later', () => {
    const bench = spriteBench();
    for (const register of [0x1e, 0x1f]) {
      bench.runTo(120, 1);
      expect(bench.vic.peek(register)).not.toBe(0);
      expect(bench.vic.peek(register)).toBe(bench.vic.read(register));
      expect(bench.vic.peek(register)).not.toBe(0);
      bench.tick();
      expect(bench.vic.peek(register)).toBe(0);
    }
  });
});

/** Two sprites of solid lines over a character of solid lines, at line 100. */
function spriteBench(model: '6569' | '8565' = '6569'): Vic2Bench {
  const bench = new Vic2Bench(model).textScreen();
  bench.ram.fill(0xff, 0x2000, 0x2800);
  bench.ram.fill(0xff, 0x3000, 0x3040);
  bench.ram.fill(0xc0, 0x7f8, 0x800);
  bench.set([0x00, 100], [0x01, 99], [0x02, 110], [0x03, 99], [0x15, 3], [0x27, 1], [0x28, 2]);
  return bench;
}

describe('sprites', () => {
  test('BA is low for five cycles around the accesses of a sprite', () => {
    const bench = spriteBench();
    bench.write([0x15, 1]);
    expect(cyclesOfLine(bench, 101, () => bench.get('ba') === 0)).toEqual(range(55, 59));
    bench.write([0x15, 8], [0x07, 99]);
    bench.runTo(99, 61);
    expect(bench.get('ba')).toBe(0);
    expect(cyclesOfLine(bench, 100, () => bench.get('ba') === 0)).toEqual([1, 2, 61, 62, 63]);
  });

  test('a sprite shows 24 x 21 pixels, one line below its Y', () => {
    const bench = spriteBench();
    bench.write([0x15, 1], [0x11, 0x0b]);
    bench.runTo(200, 1);
    bench.runTo(200, 1);
    bench.write([0x11, 0x1b]);
    bench.runTo(200, 1);
    bench.runTo(200, 1);
    expect(bench.pixels(100, 99, 26)).toEqual([0, ...Array(24).fill(1), 0]);
    expect(bench.pixels(99, 100, 1)).toEqual([0]);
    expect(bench.pixels(120, 100, 1)).toEqual([1]);
    expect(bench.pixels(121, 100, 1)).toEqual([0]);
  });

  test('the lower number is in front; priority hides it behind graphics; both collide', () => {
    const bench = spriteBench();
    bench.runTo(130, 1);
    expect(bench.pixels(105, 109, 26)).toEqual([...Array(15).fill(1), ...Array(10).fill(2), 0]);
    bench.write([0x1b, 1]);
    bench.runTo(130, 1);
    expect(bench.pixels(105, 100, 25)).toEqual([...Array(24).fill(0), 2]);
    expect([bench.vic.peek(0x1e), bench.vic.peek(0x1f), bench.vic.peek(0x19) & 6]).toEqual([3, 3, 6]);
  });

  test.each([
    [136, 0],
    [139, 0],
    [140, 3],
    [143, 3],
  ])('a collision register that was just cleared takes nothing for another four pixels: X %i', (x, seen) => {
    const bench = spriteBench();
    bench.ram.fill(0, 0x3000, 0x3040);
    for (let line = 0; line < 21; line++) bench.ram[0x3000 + 3 * line] = 0x80;
    bench.set([0x00, x], [0x02, x]);
    bench.runTo(105, 30);
    bench.vic.read(0x1e);
    bench.tick(2);
    expect(bench.vic.peek(0x1e)).toBe(seen);
  });

  test('Y expansion doubles the lines, X expansion the pixels', () => {
    const bench = spriteBench();
    bench.write([0x15, 1], [0x17, 1], [0x1d, 1]);
    bench.runTo(150, 1);
    expect(bench.pixels(141, 99, 50)).toEqual([0, ...Array(48).fill(1), 0]);
    expect(bench.pixels(142, 100, 1)).toEqual([0]);
  });

  test.each([
    ['6569', 310, 5],
    ['8565', 310, 1],
    ['8565', 309, 5],
    ['8565', 314, 1],
  ] as const)(
    '%s, X %i: a pair of bits that begins where the fetch of new ones stops the register',
    (model, x, color) => {
      const bench = spriteBench(model);
      bench.set([0x00, x & 255], [0x10, 1], [0x15, 1], [0x1c, 1], [0x1d, 1], [0x26, 5]);
      bench.runTo(105, 56);
      bench.write([0x16, 0]);
      bench.tick(2);
      bench.write([0x16, 8]);
      bench.runTo(106, 10);
      expect(bench.pixels(105, 353, 4)).toEqual([5, color, color, color]);
    },
  );

  test('clearing Y expansion in cycle 15 mixes MC and MCBASE', () => {
    const bench = spriteBench();
    bench.write([0x15, 1], [0x17, 1]);
    bench.runTo(102, 15);
    expect([bench.state[fieldAt('mcBase')], bench.state[fieldAt('mc')]]).toEqual([3, 6]);
    bench.write([0x17, 0]);
    bench.tick();
    expect(bench.state[fieldAt('mcBase')]).toBe((0x2a & 3 & 6) | (0x15 & (3 | 6)));
  });

  test('invalid modes are black, but their foreground collides', () => {
    const bench = spriteBench();
    bench.write([0x11, 0x5b], [0x16, 0x18], [0x15, 1], [0x1b, 1]);
    bench.runTo(130, 1);
    bench.vic.read(0x1f);
    bench.runTo(130, 1);
    expect(bench.pixels(105, 90, 40)).toEqual(Array(40).fill(0));
    expect(bench.vic.peek(0x1f)).toBe(1);
  });
});

describe('border', () => {
  test('40 and 38 columns, 25 and 24 rows', () => {
    const bench = new Vic2Bench().textScreen();
    bench.runTo(300, 1);
    expect(bench.pixels(100, 23, 2)).toEqual([14, 6]);
    expect(bench.pixels(100, 343, 2)).toEqual([6, 14]);
    expect([50, 51, 250, 251].map((line) => bench.pixels(line, 100, 1)[0])).toEqual([14, 6, 6, 14]);
    bench.write([0x16, 0], [0x11, 0x13]);
    bench.runTo(300, 1);
    expect(bench.pixels(100, 30, 2)).toEqual([14, 6]);
    expect(bench.pixels(100, 334, 2)).toEqual([6, 14]);
    expect([54, 55, 246, 247].map((line) => bench.pixels(line, 100, 1)[0])).toEqual([14, 6, 6, 14]);
  });

  test('a missed right compare leaves the side open, a missed lower compare the bottom', () => {
    const bench = new Vic2Bench().textScreen();
    bench.runTo(100, 55);
    bench.tick();
    bench.write([0x16, 0]);
    bench.tick(2);
    bench.write([0x16, 8]);
    bench.runTo(248, 1);
    bench.write([0x11, 0x13]);
    bench.runTo(252, 1);
    bench.write([0x11, 0x1b]);
    bench.runTo(300, 1);
    expect(bench.pixels(100, 350, 1)).toEqual([6]);
    expect(bench.pixels(270, 100, 1)).toEqual([6]);
    expect(bench.pixels(101, 350, 1)).toEqual([14]);
  });
});

describe('colour changes', () => {
  const around = (model: Vic2Model): number[] => {
    const bench = new Vic2Bench(model).textScreen();
    bench.runTo(20, 30);
    bench.write([0x20, 2]);
    bench.runTo(22, 1);
    const row = bench.pixels(20, 0, 400);
    const first = row.findIndex((color) => color !== 14);
    return [first % 8, ...row.slice(first, first + 2)];
  };
  test('show from the second pixel of a cycle on NMOS chips', () => expect(around('6569')).toEqual([1, 2, 2]));
  test('show from the first on HMOS chips, with a grey dot', () => expect(around('8565')).toEqual([0, 15, 2]));
  test('or without', () => expect(around('8565early')).toEqual([0, 2, 2]));
  test('or from the second', () => expect(around('8565late')).toEqual([1, 2, 2]));
});

describe('light pen', () => {
  test('latches once a frame and raises its interrupt', () => {
    const bench = new Vic2Bench();
    bench.runTo(100, 30);
    bench.vic.setLightPen(0);
    bench.tick();
    expect([bench.vic.peek(0x13), bench.vic.peek(0x14), bench.vic.peek(0x19) & 8]).toEqual([(31 - 14) * 4 + 2, 100, 8]);
    bench.vic.setLightPen(1);
    bench.tick(10);
    bench.vic.setLightPen(0);
    bench.tick(10);
    expect(bench.vic.peek(0x13)).toBe(70);
    bench.runTo(0, 2);
    expect([bench.vic.peek(0x13), bench.vic.peek(0x14)]).toEqual([0xd1, 0]);
  });

  test('the 6569R1 interrupts only when the line is low as the frame begins', () => {
    const bench = new Vic2Bench('6569R1');
    bench.runTo(100, 30);
    bench.vic.setLightPen(0);
    bench.tick();
    expect(bench.vic.peek(0x19) & 8).toBe(0);
    bench.runTo(0, 2);
    expect(bench.vic.peek(0x19) & 8).toBe(8);
  });
});

test('a copy of the state in another chip goes on exactly alike', () => {
  const one = spriteBench();
  const two = new Vic2Bench();
  one.runTo(104, 17);
  one.write([0x11, 0x7b], [0x16, 0x13], [0x20, 5]);
  two.ram.set(one.ram);
  two.state.set(one.state);
  two.frame.set(one.frame);
  for (let i = 0; i < 20_000; i++) {
    one.tick();
    two.tick();
  }
  expect(two.state).toEqual(one.state);
  expect(Buffer.compare(two.frame, one.frame)).toBe(0);
});

describe('a change of multicolour mode within a line', () => {
  /** The X at which pixels of value 1 get another colour when bit 4 of $D016 goes from `before` to `after`. */
  const changesAt = (model: Vic2Model, before: number, after: number): number => {
    const bench = new Vic2Bench(model).textScreen();
    bench.ram.fill(0x55, 0x2000, 0x2800);
    bench.color.fill(0x0f);
    bench.set([0x16, before], [0x22, 2]);
    bench.runTo(0x40, 30);
    bench.write([0x16, after]);
    bench.runTo(0x41, 1);
    const line = bench.pixels(0x40, 24, 320);
    const inMulticolor = line.map((color) => color === 2);
    return inMulticolor.findIndex((is, x) => x > 60 && x < 260 && is !== inMulticolor[x - 1]);
  };

  test('a bit that rises shows at the same pixel in all chips, one that falls a pixel later on HMOS chips', () => {
    expect(changesAt('8565', 0x18, 0x08) - changesAt('6569', 0x18, 0x08)).toBe(1);
    expect(changesAt('8565', 0x08, 0x18)).toBe(changesAt('6569', 0x08, 0x18));
    expect(changesAt('6569', 0x18, 0x08)).toBeGreaterThan(60);
  });

  /** How many pixels a mode bit shows that is set for some cycles. */
  const pulse = (model: Vic2Model, register: number, off: number, on: number, cycles: number): number => {
    const bench = new Vic2Bench(model).textScreen();
    bench.ram.fill(0x55, 0x2000, 0x2800);
    bench.ram.fill(0x22, 0x400, 0x7f8);
    bench.color.fill(0x0f);
    bench.set([0x16, 0x08], [0x22, 2]);
    bench.runTo(0x40, 20);
    bench.write([register, on]);
    bench.tick(cycles);
    bench.write([register, off]);
    bench.runTo(0x41, 1);
    return bench.pixels(0x40, 24, 320).filter((color) => color === 2).length;
  };

  test('on HMOS chips a mode that was short ends on time', () => {
    const mcm = (model: Vic2Model, cycles: number) => pulse(model, 0x16, 0x08, 0x18, cycles);
    expect(mcm('8565', 4)).toBe(mcm('6569', 4));
    expect(mcm('8565', 10)).toBe(mcm('6569', 10) + 1);
    const bmm = (cycles: number) => pulse('8565', 0x11, 0x1b, 0x3b, cycles);
    expect(bmm(10) - bmm(6)).toBe(4 * 8 + 1);
  });
});

test.each([
  ['6569', 0x2abf],
  ['6567', 0x2a07],
  ['8565', 0x3907],
] as const)('the graphics access after BMM has risen, %s', (model, address) => {
  const bench = new Vic2Bench(model, true).textScreen();
  bench.ram.fill(0x20, 0x400, 0x800);
  bench.set([0x18, 0x1c], [0x11, 0x1b]);
  bench.runTo(0x33 + 8 * 8 + 7, 38);
  bench.set([0x18, 0x16 | 8]);
  bench.write([0x11, 0x3b]);
  bench.tick();
  expect(bench.fetched[0]).toBe(address);
});

test('a sprite that leaves multicolour in the second half of a pair shows that bit, on HMOS chips too', () => {
  const bench = spriteBench('8565');
  bench.ram.fill(0, 0x2000, 0x2800);
  bench.ram.fill(0x55, 0x3000, 0x3040);
  bench.set([0x00, 101], [0x15, 1], [0x1c, 1], [0x25, 4], [0x21, 0]);
  bench.runTo(105, 26);
  bench.write([0x1c, 0]);
  bench.runTo(106, 1);
  const first = bench.pixels(105, 101, 24).findIndex((color) => color !== 4);
  expect((101 + first) % 8).toBe(6);
  expect(bench.pixels(105, 101 + first, 4)).toEqual([1, 0, 1, 0]);
});
