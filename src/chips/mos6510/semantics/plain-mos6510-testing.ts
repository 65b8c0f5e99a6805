import { opcodes } from '../opcodes.ts';
import { fields, type Mos6510State } from '../registers.ts';
import type { Cpu } from './cpu.ts';
import { act, type Cycle, cyclesByRow, fetch } from './cycles.ts';

const rows = cyclesByRow(opcodes);
const clearInterruptMask = (0x58 << 3) | 1;
const setInterruptMask = (0x78 << 3) | 1;

interface Bus {
  read(address: number): number;
  write(address: number, value: number): void;
}

/** The cycle that a micro-op is. */
const cycleAt = (u: number): Cycle => rows.get(u >> 3)?.[u & 7] ?? fetch;

/** One cycle of the processor as its semantics have it, slowly and without generated code: what that is compared with. */
export function plainCycle(state: Mos6510State, bus: Bus): void {
  const cpu = named(state);
  const u = cpu.step;
  if (cpu.nmiLine !== cpu.nmiSeen) {
    cpu.nmiSeen = cpu.nmiLine;
    if (cpu.nmiLine === 1) cpu.nmiLatch = 1;
  }
  const before = cpu.pipe;
  // Each line moves on by a place: seen now, in the cycle before, and in the one before that.
  const moved = (before << 1) & 0b110_0000_0110;
  const sampled = moved | (cpu.i === 0 ? cpu.irqLine : 0) | (cpu.nmiLatch << 8);
  const cycle = cycleAt(u);
  const isRead = 'from' in cycle;
  if (isRead && cpu.rdy === 0) {
    cpu.stalled = u;
    const isFetch = (u & 7) === 0;
    if (u === clearInterruptMask) cpu.pipe = sampled | cpu.irqLine;
    else if (u === setInterruptMask) cpu.pipe = (sampled & 0x700) | (before & 7);
    else if (!isFetch) cpu.pipe = sampled;
    return;
  }
  let d = 0;
  if (isRead) d = bus.read(cpu[cycle.from]);
  cpu.pipe = sampled;
  cpu.step = u + 1;
  if (!isRead) bus.write(cycle.to(cpu), cycle.value(cpu));
  act(cpu, cycle, d, u);
}

const views = new WeakMap<Mos6510State, Cpu>();

/** The state's words by name. */
function named(state: Mos6510State): Cpu {
  const known = views.get(state);
  if (known) return known;
  const view = {} as Cpu;
  for (const [name, index] of Object.entries(fields)) {
    Object.defineProperty(view, name, {
      get: () => state[index],
      set: (value: number) => {
        state[index] = value;
      },
    });
  }
  views.set(state, view);
  return view;
}
