import { fields, type Mos6510State } from '../../../chips/mos6510/registers.ts';
import type { CallFrame } from '../../../machine/cpu.ts';
import { canReach } from './code-flow.ts';
import { type StackOrigin, StackOrigins } from './stack-origins.ts';

const jsrOpcode = 0x20;
/** How much of the past is run again: what most calls need, then what is still no effort. */
const recentFrames = 1;
const olderFrames = 10;

/** What a call stack is read from. */
export interface StackedMachine {
  readonly state: Mos6510State;
  /** What the processor sees. */
  peek(address: number): number;
  /** A byte of the stack, by the low half of its address. */
  stacked(slot: number): number;
  /** Shows the last frames again; `visit` is called before each instruction. */
  replay(frames: number, visit: () => void): void;
  /** The same in pieces, between which others have their turn. `present` is called at its end, before the machine goes on. */
  revisit(frames: number, visit: () => void, present: () => void): Promise<void>;
}

type Origins = readonly (StackOrigin | undefined)[];

/**
 * Who called whom, innermost first. What was pushed of late is known, because the past can be run again; older return
 * addresses are those that follow a JSR, of two that overlap the one whose JSR can lead to the call inside it.
 */
export async function callStack(machine: StackedMachine): Promise<readonly CallFrame[]> {
  const recent = recentOrigins(machine);
  if (recent.slice(machine.state[fields.s] + 1).every((origin) => origin !== undefined)) return walk(machine, recent);
  const recorder = recorderOf(machine);
  let frames: readonly CallFrame[] = [];
  await machine.revisit(
    olderFrames,
    () => recorder.look(),
    () => {
      recorder.look();
      frames = walk(machine, recorder.origins);
    },
  );
  return frames;
}

/** The same at less cost: of what happened more than a frame ago only as much as the stack tells. */
export function recentCallStack(machine: StackedMachine): readonly CallFrame[] {
  return walk(machine, recentOrigins(machine));
}

function recentOrigins(machine: StackedMachine): Origins {
  const recorder = recorderOf(machine);
  machine.replay(recentFrames, () => recorder.look());
  recorder.look();
  return recorder.origins;
}

function recorderOf(machine: StackedMachine): StackOrigins {
  return new StackOrigins(machine.state, (address) => machine.peek(address));
}

function walk(machine: StackedMachine, origins: Origins): readonly CallFrame[] {
  const frames: CallFrame[] = [];
  const word = (slot: number) => machine.stacked(slot) | (machine.stacked(slot + 1) << 8);
  let inside: number = machine.state[fields.pc];
  let at = machine.state[fields.s] + 1;
  while (at < 0xff) {
    const origin = origins[at];
    const size = origin === undefined ? 2 : { call: 2, interrupt: 3, data: 1 }[origin.kind];
    const isWhole = origins.slice(at, at + size).every((other) => other === origin) && at + size <= 0x100;
    const returns = origin?.kind === 'interrupt' ? word(at + 1) : (word(at) + 1) & 0xffff;
    const from = origin?.from ?? (returns - 3) & 0xffff;
    const isFrame = isWhole && (origin ? origin.kind !== 'data' : isCall(machine, origins, at, inside));
    if (isFrame) {
      const kind = origin?.kind === 'interrupt' ? 'interrupt' : 'call';
      frames.push({ from: BigInt(from), returnsTo: BigInt(returns), kind });
      inside = from;
    }
    at += isFrame ? size : 1;
  }
  return frames;
}

/** Of bytes whose origin is not known: whether a JSR can have left them. */
function isCall(machine: StackedMachine, origins: Origins, slot: number, inside: number): boolean {
  const peek = (address: number) => machine.peek(address & 0xffff);
  const caller = (at: number) => (machine.stacked(at) | (machine.stacked(at + 1) << 8)) - 2;
  const isJsr = (at: number) => at < 0xff && origins[at + 1] === undefined && peek(caller(at)) === jsrOpcode;
  const leads = (at: number) => canReach(peek(caller(at) + 1) | (peek(caller(at) + 2) << 8), inside, peek);
  if (!isJsr(slot)) return false;
  return leads(slot) || !isJsr(slot + 1) || !leads(slot + 1);
}
