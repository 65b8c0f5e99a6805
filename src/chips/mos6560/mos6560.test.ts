import { describe, expect, test } from 'vitest';
import { fields } from './fields.ts';
import { VicBench } from './mos6560-testing.ts';

const firstLine = 76;
const left = 48;

/** Every character is one byte, the same in all of its lines. */
const withCharacters = (byte: number, bench = new VicBench()) => {
  bench.memory.fill(byte, 0, 0x1000);
  return bench;
};

describe('the window', () => {
  test('22 columns from pixel 48, 23 rows from line 76, in border color around', () => {
    const bench = withCharacters(0xff);
    bench.runTo(0);
    bench.runTo(0);
    expect(bench.pixels(firstLine - 1, 0, 284)).toEqual(new Array(284).fill(3));
    const line = [...new Array(left).fill(3), ...new Array(176).fill(2), ...new Array(60).fill(3)];
    expect(bench.pixels(firstLine, 0, 284)).toEqual(line);
    expect(bench.pixels(firstLine + 23 * 8 - 1, 0, 284)).toEqual(line);
    expect(bench.pixels(firstLine + 23 * 8, 0, 284)).toEqual(new Array(284).fill(3));
  });

  test('the matrix goes on row by row', () => {
    const bench = new VicBench();
    for (let character = 0; character < 256; character += 1) bench.memory[character * 8 + 3] = character;
    bench.runTo(0);
    bench.runTo(0);
    const bits = (row: number, column: number) =>
      Number.parseInt(
        bench
          .pixels(firstLine + row * 8 + 3, left + column * 8, 8)
          .map((color) => (color === 2 ? 1 : 0))
          .join(''),
        2,
      );
    expect([bits(0, 0), bits(0, 21), bits(1, 0), bits(5, 7)]).toEqual([0, 21, 22, 117]);
  });

  test('characters of sixteen lines take their bytes from twice the place', () => {
    const bench = new VicBench();
    bench.chip.write(3, 0x2f);
    bench.memory[0x3c00] = 5;
    bench.memory[5 * 16 + 11] = 0x81;
    bench.runTo(0);
    bench.runTo(0);
    expect(bench.pixels(firstLine + 11, left, 8)).toEqual([2, 1, 1, 1, 1, 1, 1, 2]);
  });

  test('the columns of a line are those of its first cycle, the rows those of the frame', () => {
    const bench = withCharacters(0xff);
    bench.runTo(0);
    bench.runTo(100, 3);
    bench.chip.write(2, 10);
    bench.chip.write(3, 4);
    bench.runTo(103);
    expect(bench.pixels(100, left + 175, 2)).toEqual([2, 3]);
    expect(bench.pixels(101, left + 79, 2)).toEqual([2, 3]);
    bench.runTo(firstLine + 100);
    expect(bench.pixels(firstLine + 99, left, 1)).toEqual([2]);
  });
});

describe('colors', () => {
  test('hires with and without inversion', () => {
    const bench = withCharacters(0b1100_1010);
    bench.runTo(0);
    bench.runTo(firstLine + 1);
    expect(bench.pixels(firstLine, left, 8)).toEqual([2, 2, 1, 1, 2, 1, 2, 1]);
    bench.chip.write(15, 0x13);
    bench.runTo(firstLine + 3);
    expect(bench.pixels(firstLine + 2, left, 8)).toEqual([1, 1, 2, 2, 1, 2, 1, 2]);
  });

  test('multicolor: background, border, color, auxiliary; no inversion', () => {
    const bench = withCharacters(0b0001_1011);
    bench.color.fill(8 | 5);
    bench.chip.write(14, 0x70);
    bench.chip.write(15, 0x13);
    bench.runTo(0);
    bench.runTo(firstLine + 1);
    expect(bench.pixels(firstLine, left, 8)).toEqual([1, 1, 3, 3, 5, 5, 7, 7]);
  });

  test('a write shows six cycles and a pixel later, of the inversion three pixels', () => {
    const bench = withCharacters(0xff);
    bench.runTo(0);
    bench.runTo(50, 30);
    bench.chip.write(15, 0x1c);
    bench.runTo(52);
    const change = (30 - 6) * 4 + 1;
    expect(bench.pixels(50, change - 1, 2)).toEqual([3, 4]);
    bench.runTo(100, 30);
    bench.chip.write(15, 0x24);
    bench.runTo(102);
    expect(bench.pixels(100, change - 1, 5)).toEqual([2, 2, 2, 2, 2]);
    expect(bench.pixels(101, left, 2)).toEqual([2, 2]);
    bench.color.fill(6);
    bench.runTo(110, 30);
    bench.chip.write(15, 0x2c);
    bench.runTo(112);
    // Inverted, ones are background; three pixels later they are foreground.
    expect(bench.pixels(110, change - 1, 5)).toEqual([2, 2, 2, 6, 6]);
  });
});

describe('the raster counter', () => {
  test('PAL: 312 lines of 71 cycles', () => {
    const bench = new VicBench();
    bench.runTo(0);
    const start = bench.state[fields.frameCount];
    bench.run(71 * 311);
    expect([bench.chip.read(4), bench.chip.read(3) >> 7]).toEqual([155, 1]);
    bench.run(70);
    expect(bench.state[fields.frameCount]).toBe(start);
    bench.run(1);
    expect([bench.state[fields.frameCount] - start, bench.chip.read(4)]).toEqual([1, 0]);
  });

  test('NTSC: 261 lines of 65 cycles; line 0 is half a line long and the last one the other half', () => {
    const bench = new VicBench('6560');
    bench.runTo(0);
    const lines: number[] = [];
    for (let cycle = 0; cycle < 65 * 261; cycle += 1) {
      lines.push((bench.chip.read(4) << 1) | (bench.chip.read(3) >> 7));
      bench.chip.tick();
    }
    const lengthOf = (line: number) => lines.filter((each) => each === line).length;
    expect([lengthOf(0), lengthOf(1), lengthOf(260), lengthOf(261)]).toEqual([32, 65, 65, 33]);
  });

  test('NTSC interlaced: fields of 263 and 262 lines', () => {
    const bench = new VicBench('6560');
    bench.chip.write(0, 0x85);
    bench.runTo(0);
    bench.runTo(0);
    const lengths = [0, 1, 2, 3].map(() => {
      const frame = bench.state[fields.frameCount];
      let cycles = 0;
      for (; bench.state[fields.frameCount] === frame; cycles += 1) bench.chip.tick();
      return cycles / 65;
    });
    expect([...lengths].sort()).toEqual([262, 262, 263, 263]);
    expect(lengths[0]).not.toBe(lengths[1]);
  });
});

describe('light pen', () => {
  test('keeps the place of the beam, once a frame', () => {
    const bench = new VicBench();
    bench.runTo(0);
    bench.runTo(100, 20);
    bench.chip.setLightPen(0);
    bench.chip.tick();
    expect([bench.chip.read(6), bench.chip.read(7)]).toEqual([2 * 22 + 1, 50]);
    bench.chip.setLightPen(1);
    bench.runTo(120, 20);
    bench.chip.setLightPen(0);
    bench.run(100);
    expect(bench.chip.read(7)).toBe(50);
    // Still low when the next frame begins.
    bench.runTo(1);
    expect([bench.chip.read(6), bench.chip.read(7)]).toEqual([2 * 3 + 1, 0]);
  });
});

test('paddles are read at registers 8 and 9', () => {
  const bench = new VicBench();
  expect([bench.chip.read(8), bench.chip.read(9)]).toEqual([255, 255]);
  bench.state[fields.potX] = 12;
  bench.state[fields.potY] = 34;
  expect([bench.chip.read(8), bench.chip.read(9)]).toEqual([12, 34]);
});

describe('where nobody answers', () => {
  test('a fetch finds what the processor left on the bus, as far as the color lines let it', () => {
    const bench = new VicBench();
    bench.pages.fill(-1, 0, 16);
    bench.chip.write(5, 0xf0);
    bench.color.fill(0x0f);
    bench.runTo(firstLine);
    for (let cycle = 0; cycle < 71; cycle += 1) {
      bench.chip.tick();
      // The processor reads $5A, beside which color RAM has a 3.
      bench.state[fields.busByte] = 0x5a;
      bench.state[fields.busAddress] = 0x1234;
      bench.color[0x234] = 3;
    }
    expect(bench.state[fields.graphics + 4]).toBe(0x5a & 0xf3);
    // Left alone, it finds what it fetched itself: the character's code.
    bench.color.fill(0x0f);
    bench.runTo(firstLine + 3);
    expect(Array.from(bench.state.subarray(fields.graphics, fields.graphics + 4))).toEqual([0, 1, 2, 3]);
  });
});

test('ticking lazily makes the same picture and state as doing everything in its cycle', () => {
  for (const model of ['6560', '6561'] as const) {
    const [lazy, eager] = [new VicBench(model), new VicBench(model, true)];
    let seed = 7;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return (seed >> 8) % below;
    };
    for (let round = 0; round < 3000; round += 1) {
      const [register, value, cycles] = [random(16), random(256), 1 + random(200)];
      const pen = random(40) === 0 ? random(2) : undefined;
      const [address, byte] = [random(0x4000), random(256)];
      for (const bench of [lazy, eager]) {
        bench.run(cycles);
        bench.chip.catchUpFetches();
        bench.memory[address] = byte;
        bench.color[address & 0x3ff] = byte & 15;
        bench.chip.write(register, register === 0 ? value & 0x9f : value);
        if (pen !== undefined) bench.chip.setLightPen(pen);
      }
      for (const bench of [lazy, eager]) bench.chip.catchUp();
      const words = ({ state }: VicBench) =>
        state.filter((_, at) => at !== fields.freeUntil && at !== fields.fetchedTo);
      expect(words(lazy).join()).toBe(words(eager).join());
    }
    expect(lazy.frame.every((color, at) => color === eager.frame[at])).toBe(true);
  }
});
