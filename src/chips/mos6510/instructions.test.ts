import { expect, test } from 'vitest';
import { type Asking, gateAt, runAskingInstructions } from './asking-instructions.generated.ts';
import { runInstructions } from './instructions.generated.ts';
import { Mos6510 } from './mos6510.ts';
import { runObservedInstructions } from './observed-instructions.generated.ts';
import { fields, type Mos6510State, stateWords } from './registers.ts';

const isOutside = (address: number) => address < 2 || address >> 12 === 0xd;

/** Without writes that nobody wants to see; in the zero page, read and first write of an instruction that changes a byte go together. */
function withoutUnwanted(accesses: readonly string[], isUnwanted: (address: number, value: number) => boolean) {
  const parts = accesses.map((each) => {
    const [, cycle, kind, address, value] = /^(\d+),(\w+) (\d+) ?(\d*)/.exec(each) ?? [];
    return { each, cycle: Number(cycle), kind, address: Number(address), value: Number(value) };
  });
  const isNext = (at: number, ahead: number) => {
    const [one, other] = [parts[at], parts[at + ahead]];
    return other?.kind === 'write' && other.address === one?.address && other.cycle === one.cycle + ahead;
  };
  const drops = (at: number) => {
    const { kind, address, value } = parts[at] as (typeof parts)[number];
    const of = (ahead: number) => isUnwanted(address, parts[at + ahead]?.value ?? 0);
    if (kind === 'read') return isNext(at, 1) && isNext(at, 2) && of(1) ? (of(2) ? 3 : 2) : 0;
    // Beyond the zero page that is left to the cycles.
    if (isNext(at, 1)) return 0;
    return isUnwanted(address, value) ? 1 : 0;
  };
  const wanted: string[] = [];
  for (let at = 0; at < parts.length; ) {
    const dropped = drops(at);
    const isOne = parts[at]?.kind === 'read' && isNext(at, 1) && isNext(at, 2);
    const shown = dropped === 2 && isOne ? 1 : dropped > 0 ? 0 : isOne ? 3 : isNext(at, 1) ? 2 : 1;
    const last = at + dropped + shown;
    wanted.push(...parts.slice(at + dropped, last).map(({ each }) => each));
    at = last;
  }
  return wanted;
}

/** A small generator of numbers, the same on every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) % below;
  };
}

/** Memory that counts as plain, except the port and $D000-$DFFF, whose accesses are noted with their cycle. */
class Machine {
  readonly memory: Uint8Array;
  readonly state = new Int32Array(stateWords) as Mos6510State;
  readonly cpu: Mos6510;
  readonly log: string[] = [];
  cycle = 0;

  constructor(memory: Uint8Array) {
    this.memory = Uint8Array.from(memory);
    this.cpu = new Mos6510(this.state, this);
    this.cpu.powerUp();
  }

  read(address: number): number {
    if (isOutside(address)) this.log.push(`${this.cycle}: read ${address}`);
    return this.memory[address] ?? 0;
  }

  write(address: number, value: number): void {
    if (isOutside(address)) this.log.push(`${this.cycle}: write ${address} ${value}`);
    else this.memory[address] = value;
  }

  tick(): void {
    this.cycle += 1;
    this.cpu.tick();
  }
}

const table = Int32Array.from({ length: 256 }, (_, page) => (page === 0 || page >> 4 === 0xd ? -1 : 0));

const everySeed = [1, 2, 3, 4];

test.for(everySeed)('whole instructions do what their cycles do, bus and time included (%i)', (seed) => {
  const random = numbers(seed);
  const memory = Uint8Array.from({ length: 0x10000 }, () => random(256));
  const whole = new Machine(memory);
  const single = new Machine(memory);
  let wholeCycles = 0;
  let steadyReads = 0;
  for (let round = 0; round < 1500; round += 1) {
    const registers = [random(0x10000), ...Array.from({ length: 4 }, () => random(256))];
    for (const { cpu, state } of [whole, single]) {
      cpu.jump(registers[0] ?? 0);
      for (const [index, field] of [fields.a, fields.x, fields.y, fields.s].entries())
        state[field] = registers[index + 1] ?? 0;
      state[fields.i] = 1;
    }
    const budget = 1 + random(60);
    const start = whole.cycle;
    const bus = {
      isTimed: false,
      readAt(address: number, cycle: number) {
        // After some reads the run goes on.
        this.isTimed = address % 4 === 0;
        if (!this.isTimed) steadyReads += 1;
        whole.cycle = start + cycle;
        return whole.read(address);
      },
      writeAt(address: number, value: number, cycle: number) {
        this.isTimed = true;
        whole.cycle = start + cycle;
        whole.write(address, value);
      },
    };
    const ran = runInstructions(whole.state, whole.memory, table, table, budget, bus);
    whole.cycle = start + ran;
    wholeCycles += ran;
    expect(ran).toBeLessThanOrEqual(budget);
    for (let cycle = 0; cycle < ran; cycle += 1) single.tick();
    for (const { cpu } of [whole, single]) cpu.forget();
    // The zero page's first two places are read in vain by indexed modes, which disturbs nothing and is left out.
    expect(whole.log).toEqual(single.log.filter((line) => !/: read [01]$/.test(line) || whole.log.includes(line)));
    expect([...whole.state]).toEqual([...single.state]);
    expect(Buffer.compare(whole.memory, single.memory)).toBe(0);
    whole.log.length = 0;
    single.log.length = 0;
  }
  expect(wholeCycles).toBeGreaterThan(5_000);
  expect(steadyReads).toBeGreaterThan(5);
});

test.for(everySeed)('observed instructions are the same, show what is watched and stop at marks (%i)', (seed) => {
  const random = numbers(seed);
  const memory = Uint8Array.from({ length: 0x10000 }, () => random(256));
  const observed = new Machine(memory);
  const single = new Machine(memory);
  let cycles = 0;
  let seen = 0;
  let marks = 0;
  let unwanted = 0;
  let unwantedBeyond = 0;
  for (let round = 0; round < 3000; round += 1) {
    const code = new Uint8Array(0x10000);
    for (let count = 0; count < 6000; count += 1) code[random(0x10000)] = 1;
    const low = new Uint8Array(256).fill(1, 0, 2);
    for (let count = random(40); count > 0; count -= 1) low[random(256)] = 1;
    const salt = random(4);
    const isUnwanted = (address: number, value: number) =>
      !isOutside(address) && ((address ^ (value >> 3)) & 3) !== salt;
    const isStackWatched = random(2) === 0;
    const hidden = () => {
      const pages = Uint8Array.from({ length: 256 }, () => (random(8) === 0 ? 1 : 0));
      pages[1] = isStackWatched ? 1 : 0;
      return Int32Array.from(table, (base, page) => (pages[page] === 0 ? base : -1));
    };
    const tables = { read: hidden(), write: hidden() };
    const isWatched = (kind: 'read' | 'write', address: number) =>
      address < 0x100 ? low[address] !== 0 : (tables[kind][address >> 8] as number) < 0;
    const registers = [random(0x10000), ...Array.from({ length: 4 }, () => random(256))];
    for (const { cpu, state } of [observed, single]) {
      cpu.jump(registers[0] ?? 0);
      for (const [index, field] of [fields.a, fields.x, fields.y, fields.s].entries())
        state[field] = registers[index + 1] ?? 0;
      state[fields.i] = 1;
    }
    const budget = 1 + random(60);
    const start = observed.cycle;
    const accesses: string[] = [];
    const shown: string[] = [];
    const note = (list: string[], { cycle, state }: Machine, what: string) =>
      list.push([cycle, what, state[fields.a], state[fields.x], state[fields.s], state[fields.instructionPc]].join());
    const bus = {
      readAt(address: number, cycle: number) {
        observed.cycle = start + cycle;
        if (isWatched('read', address)) note(shown, observed, `read ${address}`);
        return observed.read(address);
      },
      writeAt(address: number, value: number, cycle: number) {
        observed.cycle = start + cycle;
        if (isWatched('write', address)) note(shown, observed, `write ${address} ${value}`);
        observed.write(address, value);
      },
      readBackAt(address: number, cycle: number) {
        const value = this.readAt(address, cycle - 2);
        this.writeAt(address, value, cycle - 1);
        return value;
      },
      writeAfter(address: number, value: number) {
        this.writeAt(address, value, observed.cycle - start + 1);
      },
      baseOfUnwanted: (address: number, value: number) => (isUnwanted(address, value) ? 0 : -1),
      passTo(cycle: number) {
        observed.cycle = start + cycle;
      },
    };
    const wanted = random(256);
    const isAsked = ({ state }: Machine) => ((state[fields.a] ^ state[fields.pc]) & 0x1f) === (wanted & 0x1f);
    const kind = random(3);
    const asks = kind === 1 ? () => isAsked(observed) : undefined;
    // Gates that are open nearly everywhere if something is asked after them, and shut nearly everywhere if not.
    const gate = Uint8Array.from({ length: gateAt.cycle + 0x100 }, () => Number(kind === 1 || random(3) > 0));
    const [firstCycle, byteAt, onlyPc] = [random(60), 2 + random(0xc000), -1];
    const isOpen = ({ state, memory }: Machine, cycle: number) =>
      gate[state[fields.a]] !== 0 &&
      gate[state[fields.x] + gateAt.x] !== 0 &&
      gate[state[fields.y] + gateAt.y] !== 0 &&
      gate[state[fields.s] + gateAt.s] !== 0 &&
      gate[(memory[byteAt] as number) + gateAt.byte] !== 0 &&
      gate[firstCycle + cycle + gateAt.cycle] !== 0;
    const isWanted = (machine: Machine, cycle: number) =>
      kind === 1 ? isAsked(machine) : kind === 2 && isOpen(machine, cycle);
    let asked = observed;
    const passes = random(2) === 0 ? undefined : (pc: number) => ((pc ^ asked.state[fields.x]) & 1) === 0;
    const isStop = ({ state }: Machine) => code[state[fields.pc]] !== 0 && passes?.(state[fields.pc]) !== true;
    const watched = { code, low, isStackWatched, passes };
    const lead = random(3) as Asking['lead'];
    const asking = { ...watched, asks, gate, lead, firstCycle, byteAt, onlyPc };
    const { state, memory: own } = observed;
    const ran =
      kind === 0
        ? runObservedInstructions(state, own, tables.read, tables.write, budget, bus, watched)
        : runAskingInstructions(state, own, tables.read, tables.write, budget, bus, asking);
    observed.cycle = start + ran;
    cycles += ran;
    seen += shown.length;
    const { read, write } = single;
    single.read = (address) => {
      if (isWatched('read', address)) note(accesses, single, `read ${address}`);
      return read.call(single, address);
    };
    single.write = (address, value) => {
      if (isWatched('write', address)) note(accesses, single, `write ${address} ${value}`);
      write.call(single, address, value);
    };
    asked = single;
    for (let cycle = 0; cycle < ran; cycle += 1) {
      // Never past a mark, and never before one that is the first.
      if (cycle > 0 && single.cpu.atInstruction) {
        expect(isStop(single)).toBe(false);
        expect(isWanted(single, cycle)).toBe(false);
      }
      single.tick();
    }
    Object.assign(single, { read, write });
    for (const { cpu } of [observed, single]) cpu.forget();
    if (isStop(observed)) marks += 1;
    // With registers as they are then, in this order, and nothing that is watched is missed.
    const wantedOnes = withoutUnwanted(accesses, isUnwanted);
    unwanted += accesses.length - wantedOnes.length;
    const isBeyond = (each: string) => Number(/write (\d+)/.exec(each)?.[1] ?? 0) > 0xff && !wantedOnes.includes(each);
    unwantedBeyond += accesses.filter(isBeyond).length;
    expect(shown).toEqual(wantedOnes);
    expect([...observed.state]).toEqual([...single.state]);
    expect(Buffer.compare(observed.memory, single.memory)).toBe(0);
    observed.log.length = 0;
    single.log.length = 0;
  }
  expect(cycles).toBeGreaterThan(5_000);
  expect(seen).toBeGreaterThan(100);
  expect(marks).toBeGreaterThan(100);
  expect(unwanted).toBeGreaterThan(10);
  expect(unwantedBeyond).toBeGreaterThan(2);
});
