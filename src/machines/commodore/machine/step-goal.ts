import { fields, type Mos6510State } from '../../../chips/mos6510/registers.ts';
import type { StepRequest } from '../../../machine/control.ts';

const jsrOpcode = 0x20;
const returns = [0x40, 0x60];

/** A 6502 that is being stepped. */
export interface SteppedProcessor {
  readonly state: Mos6510State;
  /** Of the next instruction. */
  pc(): number;
  peek(address: number): number;
}

/** Where a step from here ends. */
export interface StepGoal {
  /** After a single instruction. */
  readonly isOne: boolean;
  /** Told before each instruction on the way. */
  pass(): void;
  isThere(): boolean;
}

export function stepGoal(kind: StepRequest['kind'], { state, pc, peek }: SteppedProcessor): StepGoal {
  const before = state[fields.s];
  const calls = peek(pc()) === jsrOpcode;
  const returnTo = (pc() + 3) & 0xffff;
  let isReturn = false;
  // The stack pointer wraps, so its way is measured as a signed byte.
  const risen = () => ((state[fields.s] - before) << 24) >> 24;
  return {
    isOne: kind === 'into' || (kind === 'over' && !calls),
    pass: () => {
      isReturn = returns.includes(peek(pc()));
    },
    // What is pulled from the stack before the return is no return.
    isThere: () => (kind === 'over' ? pc() === returnTo && risen() >= 0 : isReturn && risen() > 0),
  };
}
