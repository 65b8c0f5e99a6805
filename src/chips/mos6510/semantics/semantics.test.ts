import { expect, test } from 'vitest';
import { cycle } from '../cycles.generated.ts';
import { Mos6510 } from '../mos6510.ts';
import { opcodes } from '../opcodes.ts';
import { fields, type Mos6510State, stateWords } from '../registers.ts';
import type { Cpu } from './cpu.ts';
import { branches, implied, modifies, reads, stores } from './operations.ts';
import { plainCycle } from './plain-mos6510-testing.ts';

/** A small generator of numbers, the same on every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) % below;
  };
}

class Machine {
  readonly memory: Uint8Array;
  readonly state = new Int32Array(stateWords) as Mos6510State;
  readonly log: string[] = [];

  constructor(memory: Uint8Array) {
    this.memory = Uint8Array.from(memory);
    new Mos6510(this.state, this).powerUp();
  }

  read(address: number): number {
    this.log.push(`read ${address}`);
    return this.memory[address] ?? 0;
  }

  write(address: number, value: number): void {
    this.log.push(`write ${address} ${value}`);
    this.memory[address] = value;
  }
}

test.each([1, 2, 3])('the generated processor is the one that is written here, cycle by cycle (%i)', (seed) => {
  const random = numbers(seed);
  const memory = Uint8Array.from({ length: 0x10000 }, () => random(256));
  const [fast, plain] = [new Machine(memory), new Machine(memory)];
  for (let at = 0; at < 60_000; at++) {
    const [rdy, irq, nmi] = [random(8) === 0 ? 0 : 1, random(40) === 0 ? 1 : 0, random(90) === 0 ? 1 : 0];
    // A jammed processor does nothing more.
    const isFreed = fast.state[fields.jammed] === 1 && random(4) === 0;
    for (const machine of [fast, plain]) {
      machine.state[fields.rdy] = rdy;
      machine.state[fields.irqLine] = irq;
      machine.state[fields.nmiLine] = nmi;
      if (isFreed) new Mos6510(machine.state, machine).reset();
    }
    cycle(fast.state, fast);
    plainCycle(plain.state, plain);
    if (fast.log.at(-1) !== plain.log.at(-1) || Buffer.compare(bytes(fast), bytes(plain)) !== 0) {
      expect({ at, log: fast.log.slice(-4), state: [...fast.state] }).toEqual({
        at,
        log: plain.log.slice(-4),
        state: [...plain.state],
      });
    }
  }
  expect(fast.log).toEqual(plain.log);
});

const bytes = ({ state }: Machine) => new Uint8Array(state.buffer);

const cpu = (words: Partial<Cpu>): Cpu => ({
  ...(Object.fromEntries(Object.keys(fields).map((name) => [name, 0])) as Cpu),
  ...words,
});

test('each mnemonic of the table has what it does, and nothing else has', () => {
  const of = (...patterns: readonly string[]) =>
    [...new Set(opcodes.filter(({ pattern }) => patterns.includes(pattern)).map(({ mnemonic }) => mnemonic))].sort();
  const accumulator = new Set(opcodes.filter(({ mode }) => mode === 'accumulator').map(({ mnemonic }) => mnemonic));
  expect(Object.keys(reads).sort()).toEqual(of('read'));
  expect(Object.keys(branches).sort()).toEqual(of('branch'));
  expect(Object.keys(modifies).sort()).toEqual(of('modify'));
  expect(Object.keys(implied).sort()).toEqual(of('implied').filter((name) => !accumulator.has(name)));
  expect([...Object.keys(stores), 'SHA', 'SHX', 'SHY', 'TAS'].sort()).toEqual(of('write'));
});

test('every sum and difference of two decimal numbers is one', () => {
  const decimal = (value: number) => ((Math.floor(value / 10) % 10) << 4) | (value % 10);
  for (let a = 0; a < 100; a++) {
    for (let b = 0; b < 100; b++) {
      const sum = cpu({ a: decimal(a), d: 1, c: (a + b) & 1 });
      reads.ADC?.(sum, decimal(b), 0);
      const total = a + b + ((a + b) & 1);
      expect([sum.a, sum.c]).toEqual([decimal(total % 100), total > 99 ? 1 : 0]);
      const rest = cpu({ a: decimal(a), d: 1, c: 1 });
      reads.SBC?.(rest, decimal(b), 0);
      expect([rest.a, rest.c]).toEqual([decimal((a - b + 100) % 100), a >= b ? 1 : 0]);
    }
  }
});

test('binary sums have carry and overflow as signed and unsigned numbers have them', () => {
  const signed = (value: number) => (value << 24) >> 24;
  for (let a = 0; a < 256; a += 5) {
    for (let b = 0; b < 256; b++) {
      const sum = cpu({ a, c: b & 1 });
      reads.ADC?.(sum, b, 0);
      const exact = signed(a) + signed(b) + (b & 1);
      expect([sum.a, sum.c, sum.v]).toEqual([
        (a + b + (b & 1)) & 255,
        a + b + (b & 1) > 255 ? 1 : 0,
        exact > 127 || exact < -128 ? 1 : 0,
      ]);
    }
  }
});
