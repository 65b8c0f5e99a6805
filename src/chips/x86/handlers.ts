import type { Core } from './core.ts';
import { relativeTarget } from './decode.ts';
import { byInstruction, emit, flagsInState, shapeKey } from './emit.ts';
import { evenParity } from './flags.ts';
import type { Handler, Instruction } from './instruction.ts';
import { operationOf } from './operations/index.ts';
import { type Call, outcome } from './operations/operation.ts';
import { fields } from './registers.ts';

/** Makes handlers out of the semantics table, one for each shape of instruction, when it is first met. */
export class Handlers {
  readonly #core: Core;
  readonly #known = new Map<string, Handler>();

  readonly #codes: ReadonlyMap<string, number>;

  /** `codes` are the shapes that the interpreter's loop handles itself. */
  constructor(core: Core, codes: ReadonlyMap<string, number>) {
    this.#core = core;
    this.#codes = codes;
  }

  /** Gives an instruction its handler. Operands that programs change are read again each time. */
  bind(instruction: Instruction): void {
    const handler = this.of(instruction);
    const wild = instruction.wild.length > 0;
    instruction.run = wild ? this.#refreshing(handler) : handler;
    instruction.code = wild ? 0 : (this.#codes.get(shapeKey(instruction)) ?? 0);
  }

  of(instruction: Instruction): Handler {
    const key = shapeKey(instruction);
    let handler = this.#known.get(key);
    if (!handler) {
      handler = this.#make(instruction);
      this.#known.set(key, handler);
    }
    return handler;
  }

  #refreshing(handler: Handler): Handler {
    const core = this.#core;
    const { words } = core;
    const byteAt = (linear: number) => core.fetch(linear);
    return (node) => {
      refresh(node, byteAt);
      const result = handler(node);
      if (result === outcome.taken || result === outcome.call) words[fields.eip] = node.target;
      if (result === outcome.taken) return outcome.jump;
      return result === outcome.call ? outcome.callTo : result;
    };
  }

  #make(instruction: Instruction): Handler {
    const core = this.#core;
    const text = flagsInState(emit(instruction, core.rules.generation, byInstruction));
    const surroundings = {
      c: core,
      R: core.words,
      R16: core.halves,
      R8: core.bytes,
      ram: core.memory.ram,
      D: core.memory.view,
      rf: core.memory.readFlags,
      wf: core.memory.writeFlags,
      L: core.readLimits,
      W: core.writeLimits,
      A: core.attention,
      P: evenParity,
      call: operationOf(instruction).call ?? noCall,
    };
    const make = new Function(
      ...Object.keys(surroundings),
      `return (n) => { let a = 0, b = 0, k = 0, r = 0, q = 0, o = 0, t = 0; ${text} };`,
    );
    return make(...Object.values(surroundings)) as Handler;
  }
}

const noCall: Call = () => 0;

/** Reads changed operands from memory. */
export function refresh(node: Instruction, byteAt: (linear: number) => number): void {
  for (const { slot, offset, size, signed } of node.wild) {
    let value = 0;
    for (let n = 0; n < size; n += 1) {
      value |= byteAt(node.byteAddress(offset + n)) << (8 * n);
    }
    const unused = 32 - size * 8;
    if (signed) value = (value << unused) >> unused;
    if (slot === 'target' && node.operands[0]?.kind === 'target') node.target = relativeTarget(node, node.next, value);
    else if (
      slot === 'imm' &&
      signed &&
      node.operands.some(({ kind, width }) => kind === 'immediate' && width === 16)
    ) {
      node.imm = value & 0xffff;
    } else node[slot] = value;
  }
}
