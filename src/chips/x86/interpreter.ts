import type { RegionEnd } from './compile.ts';
import type { Core } from './core.ts';
import { flagsIn, flagsOut } from './emit.ts';
import { evenParity } from './flags.ts';
import type { Block } from './graph/block.ts';
import type { Instruction } from './instruction.ts';
import { attention, outcome } from './operations/operation.ts';
import { fields } from './registers.ts';
import { touchesOf } from './touches.ts';
import type { X86Engine } from './x86-engine.ts';

/**
 * Runs blocks from `index` of one until the budget is spent or an edge has to be looked for. Gives the instructions
 * spent before the last block, and fills `end`.
 */
export type Interpreter = (
  block: Block,
  index: number,
  spent: number,
  budget: number,
  base: number,
  end: RegionEnd,
) => number;

const ask = `if (due !== 0) { K[0] = base + spent + index; R[${fields.eip}] = n.ip; ${flagsOut}
          if (H(n) !== 0) { A[0] |= ${attention.stop}; G.endedBefore = true; break; } }`;
/** Whether what it may have changed is what the question depends on. */
const note = `due = n.touches; if (due < 0) due = T(n); due &= on;`;

/** Before an instruction, with everything in its place; not 0 ends the run there. */
export type BeforeEach = (instruction: Instruction) => number;

export interface Question {
  readonly ask: BeforeEach;
  /** What the answer depends on, as `dependsOn` has it: it is asked again when that may have changed. */
  readonly about: number;
}

/**
 * Which instructions may end a run. `fast`: those that store, jump or look themselves, which is all that matters where no
 * reads are watched. `attentive`: all of them. `asking`: all of them, and `engine.question` is put about the first, and
 * after each that may have changed what the answer depends on.
 */
export type Care = 'fast' | 'attentive' | 'asking';

/** Writes the loop that has these cases. The flags live in locals as long as it runs. Only the `fast` one makes blocks hot, and leaves hot ones to their regions. */
export function makeInterpreter(core: Core, engine: X86Engine, cases: readonly string[], care: Care): Interpreter {
  const asks = care === 'asking';
  const leavesHot = care === 'fast';
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
    K: engine.clock,
    G: engine,
    T: (node: Instruction) => {
      node.touches = touchesOf(node, core.rules.generation);
      return node.touches;
    },
    hot: engine.compileAfter - 1,
  };
  const text = `return (block, index, spent, budget, base, end) => {
    let fr = 0, fx = 0, fc = 0, fo = 0;
    ${flagsIn}
    let a = 0, b = 0, k = 0, r = 0, q = 0, o = 0, t = 0, code = 0, held = true, from = null;
    ${asks ? 'const { ask: H, about: on } = G.question; let due = G.goesOn ? 0 : -1;' : ''}
    let calls = G.tracker.current.calls;
    try {
      for (;;) {
        const nodes = block.nodes;
        const length = nodes.length;
        let stop = budget - spent < length ? budget - spent : length;
        code = 0;
        W: while (index < stop) {
          const n = nodes[index];
          ${asks ? ask : ''}
          S: switch (n.code) {
            ${cases.join('\n')}
            default:
              K[0] = base + spent + index;
              ${flagsOut} held = false;
              code = n.run(n);
              ${flagsIn} held = true;
              if (n.repeat !== 0) {
                spent = (K[0] - base - index) | 0;
                if (code === ${outcome.again}) break W;
                if (budget - spent < length) stop = budget - spent;
              }
          }
          index++;
          ${asks ? note : ''}
          if (code !== 0${leavesHot ? '' : ' || A[0] !== 0'}) break;
        }
        if (A[0] !== 0 || index !== length) break;
        if (code === ${outcome.jump} || code === ${outcome.callTo} || code === ${outcome.return}) {
          from = block;
          block = G.follow(block, code);
          calls = G.tracker.current.calls;
          index = G.resumeAt;
          G.resumeAt = 0;
          spent += length - index;
          code = 0;
          if (${leavesHot ? 'block.region !== null || block.heat === hot || ' : ''}spent + index >= budget) break;
          ${leavesHot ? 'block.heat++;' : ''}
          continue;
        }
        const edge = code === 0 ? block.next : code === ${outcome.taken} || code === ${outcome.call} ? block.taken : null;
        if (edge === null) break;
        const to = edge.target;
        if (to === null || (to.guarded && !G.graph.isCurrent(to))) break;
        edge.count++;
        if (code === ${outcome.call}) calls.push(edge, block.returnKey, R[${fields.ssBase}] + (R[${fields.esp}] & R[${fields.stackMask}]));
        spent += length;
        from = block;
        block = to;
        index = 0;
        code = 0;
        if (${leavesHot ? 'to.region !== null || to.heat === hot || ' : ''}spent >= budget) break;
        ${leavesHot ? 'to.heat++;' : ''}
      }
    } catch (error) {
      end.error = error;
    }
    if (held) { ${flagsOut} }
    end.from = from; end.block = block; end.index = index; end.code = code;
    return spent;
  }`;
  return new Function(...Object.keys(surroundings), text)(...Object.values(surroundings)) as Interpreter;
}
