import { describe, expect, test } from 'vitest';
import { fields } from './fields.ts';
import { TedBench } from './ted-testing.ts';

/** Text at $0C00 with its attributes at $0800, characters in RAM at $2000, display on, rows begin in line 4. */
function textBench(): TedBench {
  const bench = new TedBench();
  const { ted, memory } = bench;
  memory.fill(0x71, 0x0800, 0x0c00);
  memory.fill(1, 0x0c00, 0x1000);
  memory.set([0xf0, 0xf0, 0xf0, 0xf0, 0x0f, 0x0f, 0x0f, 0x81], 0x2008);
  for (const [register, value] of [
    [0x06, 0x1b],
    [0x07, 0x08],
    [0x0c, 0x03],
    [0x0d, 0xff],
    [0x12, 0x00],
    [0x13, 0x20],
    [0x14, 0x08],
    [0x15, 0x05],
    [0x19, 0x6e],
  ] as const)
    ted.write(register, value);
  return bench;
}

describe('who has the bus', () => {
  test('off the picture the processor has every half cycle but five of refresh', () => {
    const clocked = textBench().to(300, 0).clockedInLine(210);
    expect(clocked).toHaveLength(109);
    expect([92, 94, 96, 98, 100].filter((cycle) => clocked.includes(cycle + 1))).toEqual([]);
  });

  test('in the picture it has the even ones, and both in the right border', () => {
    const clocked = textBench().to(300, 0).clockedInLine(10);
    expect(clocked.filter((cycle) => cycle % 2 === 1)).toEqual([1, 3, ...[103, 105, 107, 109, 111, 113]]);
    expect(clocked).toHaveLength(57 + 8);
  });

  test('two lines in eight hold it up for 43 cycles', () => {
    const bench = textBench().to(300, 0);
    const [attributes, characters, plain] = [3, 4, 5].map((line) => bench.clockedInLine(line));
    expect(plain).toHaveLength(65);
    expect(attributes).toHaveLength(65 - 43);
    expect(characters).toHaveLength(65 - 43);
    expect(attributes?.find((cycle) => cycle > 4)).toBe(92);
  });

  test('bit 1 of $FF13 keeps the clock single', () => {
    const bench = textBench().to(300, 0);
    bench.ted.write(0x13, 0x22);
    expect(bench.clockedInLine(220)).toHaveLength(57);
  });

  test('without display no line is bad', () => {
    const bench = textBench().to(300, 0);
    bench.ted.write(0x06, 0x0b);
    expect(bench.clockedInLine(11)).toHaveLength(109);
  });
});

describe('the picture', () => {
  const at = 64;

  test('text: attributes give the colour, bits the shape, the border the rest', () => {
    const bench = textBench().to(300, 0).to(300, 0).to(5, 0).to(5, 113);
    expect(bench.pixels(at - 4, 16)).toEqual([
      ...Array<number>(4).fill(0x6e),
      ...Array<number>(4).fill(0x71),
      ...Array<number>(4).fill(0x05),
      ...Array<number>(4).fill(0x71),
    ]);
    expect(bench.pixels(at + 316, 8)).toEqual([...Array<number>(4).fill(0x05), ...Array<number>(4).fill(0x6e)]);
    bench.to(11, 113);
    expect(bench.pixels(at, 8)).toEqual([0x71, 5, 5, 5, 5, 5, 5, 0x71]);
    bench.to(203, 113);
    expect(bench.pixels(at, 8)).toEqual([0x71, 5, 5, 5, 5, 5, 5, 0x71]);
    bench.to(204, 113);
    expect(bench.pixels(at, 8)).toEqual(Array<number>(8).fill(0x6e));
  });

  test.each([
    ['multicolour text', 0x1b, 0x18, 0x79, [0x71, 0x71, 0x71, 0x71, 5, 5, 5, 5]],
    ['extended colour', 0x5b, 0x08, 0x71, [0x71, 0x71, 0x71, 0x71, 0x05, 0x05, 0x05, 0x05]],
    ['bitmap', 0x3b, 0x08, 0x35, [0x50, 0x50, 0x50, 0x50, 0x31, 0x31, 0x31, 0x31]],
    ['an illegal mode', 0x7b, 0x08, 0x71, Array<number>(8).fill(0)],
  ])('%s', (_, control1, control2, attribute, expected) => {
    const bench = textBench();
    const { ted, memory } = bench;
    memory.fill(attribute, 0x0800, 0x0c00);
    memory.fill(0xf0, 0x2000, 0x4000);
    ted.write(0x12, 0x08);
    ted.write(0x06, control1);
    ted.write(0x07, control2);
    bench.to(300, 0).to(300, 0).to(5, 113);
    expect(bench.pixels(at, 8)).toEqual(expected);
  });

  test('scrolls by pixels', () => {
    const bench = textBench();
    bench.ted.write(0x07, 0x0b);
    bench.to(300, 0).to(300, 0).to(5, 113);
    expect(bench.pixels(at, 12)).toEqual([5, 5, 5, 0x71, 0x71, 0x71, 0x71, 5, 5, 5, 5, 0x71]);
  });

  test('reverses by bit 7 of a code, flashes by bit 7 of an attribute, and has a cursor', () => {
    const bench = textBench();
    const { ted, memory } = bench;
    memory[0x0c00] = 0x81;
    memory[0x0801] = 0xf1;
    ted.write(0x0c, 0);
    ted.write(0x0d, 2);
    const row = () => bench.to(300, 0).to(5, 113).pixels(at, 32);
    const seen = [row(), ...Array.from({ length: 40 }, row)];
    const [plain, reversed] = [
      [0x71, 0x71, 0x71, 0x71, 5, 5, 5, 5],
      [5, 5, 5, 5, 0x71, 0x71, 0x71, 0x71],
    ];
    const [off, on] = [
      [...reversed, ...Array<number>(8).fill(5), ...plain, ...plain],
      [...reversed, ...plain, ...reversed, ...plain],
    ];
    expect(seen).toContainEqual(on);
    expect(seen).toContainEqual(off);
    const isOn = seen.slice(2).map((pixels) => JSON.stringify(pixels) === JSON.stringify(on));
    const changes = isOn.flatMap((now, index) => (index > 0 && now !== isOn[index - 1] ? [index] : []));
    expect((changes[1] ?? 0) - (changes[0] ?? 0)).toBe(16);
  });

  test('a colour that is changed shows a white pixel first', () => {
    const bench = textBench().to(300, 0).to(250, 40);
    bench.ted.write(0x19, 0x12);
    bench.to(250, 113);
    expect(bench.pixels(158, 6)).toEqual([0x6e, 0x6e, 0x7f, 0x12, 0x12, 0x12]);
  });
});

describe('registers', () => {
  test('read back with their unused bits set', () => {
    const { ted } = new TedBench();
    for (const register of [0x0a, 0x0c, 0x10, 0x12, 0x14, 0x15]) ted.write(register, 0);
    expect([0x0a, 0x0c, 0x10, 0x12, 0x14, 0x15].map((register) => ted.read(register))).toEqual([
      0xa0, 0xfc, 0xfc, 0xc0, 0x07, 0x80,
    ]);
    ted.selectRom(false);
    expect(ted.read(0x13) & 1).toBe(0);
    ted.selectRom(true);
    expect(ted.read(0x13) & 1).toBe(1);
  });

  test('the raster interrupt comes when the counter reaches its line, once', () => {
    const bench = new TedBench();
    bench.ted.write(0x0b, 0x2c);
    bench.ted.write(0x0a, 0x03);
    bench.to(299, 113);
    expect(bench.state[fields.irq]).toBe(0);
    bench.to(300, 1);
    expect([bench.state[fields.irq], bench.ted.read(9)]).toEqual([1, 0xa7]);
    bench.ted.write(9, 0x02);
    bench.to(300, 60);
    expect([bench.state[fields.irq], bench.ted.read(9)]).toEqual([0, 0x25]);
  });

  test('timer 1 starts again from its latch, the others go on from $FFFF', () => {
    const bench = new TedBench().to(0, 1);
    const { ted, state } = bench;
    for (const [register, value] of [
      [0, 100],
      [1, 0],
      [2, 50],
      [3, 0],
    ] as const)
      ted.write(register, value);
    const count = (register: number) => ted.read(register) | (ted.read(register + 1) << 8);
    for (let half = 0; half < 120; half += 1) ted.tick();
    // Started in an odd half cycle, the second one waits for the next.
    expect([count(0), count(2)]).toEqual([40, 0x10000 - 9]);
    expect(ted.read(9) & 0x58).toBe(0x10);
    for (let half = 0; half < 100; half += 1) ted.tick();
    expect(count(0)).toBe(90);
    expect(ted.read(9) & 0x58).toBe(0x18);
    expect(state[fields.irq]).toBe(0);
    ted.write(0x0a, 0x08);
    expect(state[fields.irq]).toBe(1);
    ted.write(0, 7);
    for (let half = 0; half < 20; half += 1) ted.tick();
    expect(count(0)).toBe(7);
  });

  test('the counters can be moved', () => {
    const bench = new TedBench().to(10, 20);
    bench.ted.write(0x1d, 200);
    expect(bench.ted.read(0x1d)).toBe(200);
    bench.to(201, 0);
    bench.ted.write(0x1f, 0x05);
    expect(bench.ted.read(0x1f) & 7).toBe(5);
  });

  test('has 312 lines in PAL and 262 in NTSC', () => {
    for (const [model, lines] of [
      ['pal', 312],
      ['ntsc', 262],
    ] as const) {
      const bench = new TedBench(model).to(0, 0);
      const frame = bench.state[fields.frameCount];
      let halves = 0;
      do {
        bench.ted.tick();
        halves += 1;
      } while (bench.state[fields.line] !== 0 || bench.cycle !== 0);
      expect(halves).toBe(lines * 114);
      expect(bench.state[fields.frameCount]).toBe(frame + 1);
    }
  });
});
