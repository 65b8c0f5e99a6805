import { AddressSet } from './address-set.ts';
import type { Core } from './core.ts';
import type { Instruction } from './instruction.ts';
import { fields } from './registers.ts';

/** Thrown by the handler that stands in for an instruction with a breakpoint. */
export class BreakpointReached {}
const breakpointReached = new BreakpointReached();

/** Linear addresses before which a run stops. */
export class CodeBreakpoints {
  addresses = new AddressSet([]);
  /** Asked before each instruction at one of them: false lets it run. */
  stopsAt: (linear: number) => boolean = () => true;
  readonly #core: Core;
  #isPassed = false;

  constructor(core: Core) {
    this.#core = core;
  }

  /** A run begins at this address; `isPassed` gets it past a breakpoint there. */
  begin(linear: number, isPassed: boolean): void {
    this.#isPassed = isPassed && this.addresses.has(linear);
  }

  /** Has an instruction ask first, if there is a breakpoint. */
  guard(node: Instruction): void {
    if (!this.addresses.has(node.linear)) return;
    const { run } = node;
    node.code = 0;
    node.run = (instruction) => {
      const isPassed = this.#isPassed;
      this.#isPassed = false;
      this.#core.words[fields.eip] = instruction.ip;
      if (this.stopsAt(instruction.linear) && !isPassed) throw breakpointReached;
      return run(instruction);
    };
  }
}
