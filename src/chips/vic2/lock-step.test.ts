import { describe, expect, test } from 'vitest';
import { fieldLengths, fields, stateWords } from './fields.ts';
import { interrupt } from './interrupts.ts';
import type { Vic2Model } from './models.ts';
import { Vic2Bench } from './vic2-testing.ts';

/** Words in which a chip that draws late may differ from one that draws at once, even when all is drawn. */
const own = new Set<number>([fields.quietUntil, fields.quietKind, fields.quietSprites, fields.freeUntil, fields.gByte]);
for (let i = 0; i < fieldLengths.gLine; i++) own.add(fields.gLine + i);

/** A small generator of numbers, the same on every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) % below;
  };
}

/** What the registers of a scene may get: quiet text, effects of all kinds, sprites. */
const scenes: Record<string, readonly number[]> = {
  'text and colours': [0x20, 0x21, 0x22, 0x23, 0x24, 0x12],
  'scrolling and modes': [0x11, 0x16, 0x16, 0x18, 0x21],
  borders: [0x11, 0x16],
  sprites: [0x00, 0x01, 0x02, 0x03, 0x0f, 0x10, 0x15, 0x17, 0x1b, 0x1c, 0x1d, 0x1e, 0x27],
  everything: Array.from({ length: 0x30 }, (_, register) => register),
};

function differences(late: Vic2Bench, eager: Vic2Bench): string[] {
  late.vic.catchUp();
  const found: string[] = [];
  for (let word = 0; word < stateWords; word++) {
    if (own.has(word) || late.state[word] === eager.state[word]) continue;
    const name = Object.entries(fields).findLast(([, index]) => index <= word)?.[0];
    found.push(`word ${word} (${name} or near): ${late.state[word]} instead of ${eager.state[word]}`);
  }
  return found;
}

describe.each(['6569', '8565', '6567'] as Vic2Model[])('%s: late drawing is exact', (model) => {
  test.each(Object.keys(scenes))('%s', (scene) => {
    const late = new Vic2Bench(model);
    const eager = new Vic2Bench(model, true);
    const random = numbers(scene.length + model.length);
    const registers = scenes[scene] ?? [];
    for (let i = 0; i < 0x4000; i++) late.ram[i] = random(256);
    for (let i = 0; i < 0x400; i++) late.color[i] = random(16);
    eager.ram.set(late.ram);
    eager.color.set(late.color);
    for (const bench of [late, eager]) bench.textScreen(0x15);

    const both = (act: (bench: Vic2Bench) => unknown): void => expect(act(late)).toEqual(act(eager));
    const { cyclesPerLine, lines } = late.vic.timing;
    let next = 1000;
    for (let cycle = 0; cycle < 4 * cyclesPerLine * lines; cycle++) {
      late.vic.tick();
      eager.vic.tick();
      if (cycle % 7 === 0 && cycle % 10_007 < 5000 && late.vic.phi1Byte() !== eager.vic.phi1Byte()) {
        throw new Error(`phi1 differs in line ${eager.get('rasterLine')}, cycle ${eager.get('cycle')}`);
      }
      if (late.state[fields.ba] !== eager.state[fields.ba] || late.state[fields.irq] !== eager.state[fields.irq]) {
        throw new Error(`BA or IRQ differ in line ${eager.get('rasterLine')}, cycle ${eager.get('cycle')}`);
      }
      if (cycle < next) continue;
      next = cycle + 1 + random(random(4) === 0 ? 4 : scene === 'borders' ? 60 : 400);
      const [what, register, value, address] = [
        random(8),
        registers[random(registers.length)] ?? 0,
        random(256),
        random(0x4000),
      ];
      if (what < 5)
        both((bench) => bench.vic.write(register, register === 0x11 ? value | (value & 3 ? 0x10 : 0) : value));
      else if (what === 5) both((bench) => bench.vic.read(register));
      else if (what === 6) both((bench) => bench.store(address, value));
      else if (random(4) === 0) both((bench) => bench.vic.setLightPen(value & 1));
      if (random(3) === 0) expect(differences(late, eager)).toEqual([]);
    }
    expect(differences(late, eager)).toEqual([]);
    expect(Buffer.compare(late.frame, eager.frame)).toBe(0);
  });
});

test('a side border opened in the line before the lower border begins', () => {
  const late = new Vic2Bench().textScreen();
  const eager = new Vic2Bench('6569', true).textScreen();
  for (const bench of [late, eager]) {
    bench.runTo(250, 56);
    bench.write([0x16, 0]);
    bench.tick(2);
    bench.write([0x16, 8]);
    bench.runTo(40, 1);
  }
  expect(differences(late, eager)).toEqual([]);
  expect(Buffer.compare(late.frame, eager.frame)).toBe(0);
});

test('sprites that begin beside the columns, where the side border is open and where it is not', () => {
  for (let x = 0x130; x < 0x1f8; x += 3) {
    const late = new Vic2Bench().textScreen();
    const eager = new Vic2Bench('6569', true).textScreen();
    for (const bench of [late, eager]) {
      bench.ram.fill(0xe7);
      for (let sprite = 0; sprite < 8; sprite++) {
        bench.write([2 * sprite, (x + sprite) & 0xff], [2 * sprite + 1, 60 + 4 * sprite]);
      }
      bench.write([0x10, 0xff], [0x15, x & 1 ? 0xff : 0xe0]);
      for (let line = 59; line < 110; line++) {
        bench.runTo(line, 56);
        if (line % 3 === 0) continue;
        bench.write([0x16, 0]);
        bench.runTo(line + 1, 10 + (line & 1));
        bench.write([0x16, 8]);
      }
      bench.runTo(120, 1);
    }
    expect(differences(late, eager)).toEqual([]);
    expect(Buffer.compare(late.frame, eager.frame)).toBe(0);
  }
});

test('a chip that was elsewhere when it got the state of another goes on as that one', () => {
  const [one, other] = [new Vic2Bench().textScreen(), new Vic2Bench().textScreen()];
  for (const { vic } of [one, other]) {
    vic.write(0x0e, 100);
    vic.write(0x0f, 70);
    vic.write(0x00, 100);
    vic.write(0x01, 70);
    vic.write(0x15, 0x81);
  }
  const tick = (bench: Vic2Bench, cycles: number) => {
    for (let cycle = 0; cycle < cycles; cycle++) bench.vic.tick();
  };
  const { cyclesPerLine } = one.vic.timing;
  tick(one, 72 * cyclesPerLine);
  tick(other, 72 * cyclesPerLine);
  for (let round = 0; round < 40 * cyclesPerLine; round++) {
    // The other is led astray, then brought up to date and given the state; the bus has just been asked for, or has not.
    tick(other, (round * 7) % cyclesPerLine);
    other.vic.settle();
    tick(one, 1);
    one.vic.settle();
    other.state.set(one.state);
    const ahead = 1 + (round % 5);
    const before = one.state.slice();
    tick(one, ahead);
    tick(other, ahead);
    one.vic.settle();
    other.vic.settle();
    expect([other.get('aec'), other.get('busDelay'), other.get('ba')]).toEqual([
      one.get('aec'),
      one.get('busDelay'),
      one.get('ba'),
    ]);
    one.state.set(before);
  }
});

test.each(['6569', '6567', '6567R56A'] as Vic2Model[])(
  '%s: collisions of sprites side by side are told in their cycle',
  (model) => {
    const random = numbers(11);
    const benches = [new Vic2Bench(model), new Vic2Bench(model, true)];
    const told = benches.map((bench) => {
      const log: string[] = [];
      bench.textScreen().set([0x15, 0x03], [0x1b, 0x03]);
      bench.ram.fill(0xff, 0x1000, 0x1040);
      bench.ram.fill(0x40, 0x7f8, 0x800);
      bench.vic.watchCollisions((type, sprites) => {
        log.push(`round ${round}, line ${bench.get('rasterLine')}, cycle ${bench.get('cycle')}: ${type} ${sprites}`);
      }, interrupt.spriteSprite);
      return log;
    });
    let round = 0;
    let near = 0;
    for (; round < 400; round++) {
      const line = 50 + (round % 6) * 30;
      const x = random(512);
      const apart = random(8) === 0 ? random(512) : 16 + random(48);
      if (apart >= 24 && apart < 40) near += 1;
      const otherX = (x + apart) & 511;
      const high = (x >> 8) | ((otherX >> 8) << 1);
      const expanded = random(3) === 0 ? 1 + random(3) : 0;
      for (const bench of benches) {
        while (bench.get('rasterLine') !== line) bench.vic.tick();
        bench.vic.read(0x1e);
        bench.write(
          [0x00, x & 255],
          [0x02, otherX & 255],
          [0x10, high],
          [0x1d, expanded],
          [0x01, line + 1],
          [0x03, line + 1],
        );
        for (let cycles = 24 * bench.vic.timing.cyclesPerLine; cycles > 0; cycles--) bench.vic.tick();
      }
    }
    const [late = [], eager = []] = told.map((log) => log.filter((text) => text.includes('sprite_sprite')));
    expect(late).toEqual(eager);
    expect(eager.length).toBeGreaterThan(50);
    expect(near).toBeGreaterThan(50);
  },
);

test.each(['6569', '8565', '6567', '6567R56A'] as Vic2Model[])(
  '%s: sprites that are moved or resized while they are drawn collide where they are, and are told in their cycle',
  (model) => {
    const random = numbers(23);
    const benches = [new Vic2Bench(model), new Vic2Bench(model, true)];
    let round = 0;
    const told = benches.map((bench) => {
      const log: string[] = [];
      bench.textScreen().set([0x15, 0x07], [0x17, 0x07]);
      bench.ram.fill(0xff, 0x1000, 0x1040);
      bench.ram.fill(0x40, 0x7f8, 0x800);
      bench.vic.watchCollisions((type, sprites) => {
        const place = `line ${bench.get('rasterLine')}, cycle ${bench.get('cycle')}`;
        if (type === 'sprite_sprite') log.push(`round ${round}, ${place}: ${sprites}`);
      }, interrupt.spriteSprite);
      return log;
    });
    for (; round < 2000; round++) {
      const line = 62 + 2 * (round % 80);
      const y = 60 + 43 * Math.ceil((line - 60) / 43);
      const x = [random(504), random(504), random(504)];
      if (random(3) > 0) x[1] = ((x[0] ?? 0) + 10 + random(44)) % 504;
      const high = x.reduce((bits, each, sprite) => bits | ((each >> 8) << sprite), 0);
      const [size, modes] = [random(8), random(4) === 0 ? random(8) : 0];
      const cycle = 12 + random(46);
      const [register, value] = [[0x00, 0x02, 0x04, 0x10, 0x1d, 0x1c][random(6)] ?? 0, random(256)];
      for (const bench of benches) {
        const runTo = (toLine: number, toCycle: number) => {
          while (bench.get('rasterLine') !== toLine || bench.get('cycle') !== toCycle) bench.vic.tick();
        };
        runTo(line - 1, 56);
        bench.write([0x00, (x[0] ?? 0) & 255], [0x02, (x[1] ?? 0) & 255], [0x04, (x[2] ?? 0) & 255], [0x10, high]);
        bench.write([0x1c, modes], [0x1d, size], [0x01, y], [0x03, y], [0x05, y]);
        runTo(line, 10);
        bench.vic.read(0x1e);
        runTo(line, cycle);
        bench.write([register, value]);
        runTo(line + 1, 9);
      }
    }
    const [late, eager] = told;
    expect(late).toEqual(eager);
    expect(eager?.length).toBeGreaterThan(300);
  },
);
