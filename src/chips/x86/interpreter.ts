import type { RegionEnd } from './compile.ts';
import type { Core } from './core.ts';
import { Decoder } from './decode.ts';
import { byInstruction, emit, flagsIn, flagsOut, shapeKey } from './emit.ts';
import { evenParity } from './flags.ts';
import type { Block } from './graph/block.ts';
import type { Instruction } from './instruction.ts';
import { type Model, rulesOf } from './models.ts';
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

/** Encodings that stand for the shapes worth a case of their own; all others are done by calling their handlers. */
function commonEncodings(): number[][] {
  const encodings: number[][] = [];
  const both = (...bytes: number[]) => {
    // The same with a register and with memory at [bx].
    const modrm = bytes[1];
    encodings.push(bytes.with(1, modrm | 0xc3), bytes.with(1, modrm | 0x07));
  };
  for (let operation = 0; operation < 64; operation += 8) {
    for (const kind of [0, 1, 2, 3]) both(operation | kind, 0);
    encodings.push([operation | 4], [operation | 5]);
    for (const opcode of [0x80, 0x81, 0x83]) both(opcode, operation);
  }
  for (const opcode of [0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b]) both(opcode, 0);
  for (const group of [0, 8]) for (const opcode of [0xfe, 0xff]) both(opcode, group);
  for (const opcode of [0xd0, 0xd1])
    for (const group of [0x00, 0x08, 0x10, 0x18, 0x20, 0x28, 0x38]) encodings.push([opcode, 0xc3 | group]);
  for (const opcode of [0xf6, 0xf7]) for (const group of [0, 0x10, 0x18]) encodings.push([opcode, 0xc3 | group]);
  for (const opcode of [0xc6, 0xc7, 0x8d]) encodings.push([opcode, 0x07]);
  for (let condition = 0x70; condition < 0x80; condition += 1) encodings.push([condition]);
  const single = [0x40, 0x48, 0x50, 0x58, 0x91, 0xb0, 0xb8, 0xa0, 0xa1, 0xa2, 0xa3, 0xa8, 0xa9, 0x90, 0x98, 0x99];
  const others = [
    0xe0, 0xe1, 0xe2, 0xe3, 0xe8, 0xe9, 0xeb, 0xc3, 0xc2, 0xf8, 0xf9, 0xf5, 0xfc, 0xfd, 0x06, 0x1e, 0x07, 0x1f,
  ];
  for (const opcode of [...single, ...others]) encodings.push([opcode]);
  return [...encodings, [0x8e, 0xd8], [0x8e, 0xc0], [0x8c, 0xd8], [0x8c, 0xc0]];
}

const ask = `if (due !== 0) { K[0] = base + spent + index; R[${fields.eip}] = n.ip; ${flagsOut}
          if (H(n) !== 0) { A[0] |= ${attention.stop}; G.endedBefore = true; break; } }`;
/** Whether what it may have changed is what the question depends on. */
const note = `due = n.touches; if (due < 0) due = T(n); due &= on;`;

const knownShapes = new Map<Model, CommonShapes>();

/** The shapes the loop handles, with the numbers of their cases and the text of these. */
export class CommonShapes {
  readonly codes = new Map<string, number>();
  readonly cases: string[] = [];

  static of(model: Model): CommonShapes {
    const shapes = knownShapes.get(model) ?? new CommonShapes(model);
    knownShapes.set(model, shapes);
    return shapes;
  }

  constructor(model: Model) {
    const { generation } = rulesOf(model);
    for (const bytes of commonEncodings()) {
      const decoder = new Decoder(model, (linear) => bytes[linear] ?? 0);
      const instruction = decoder.decode(0, 0);
      const key = shapeKey(instruction);
      if (this.codes.has(key) || instruction.form.mnemonic === 'invalid') continue;
      const code = this.codes.size + 1;
      this.codes.set(key, code);
      this.cases.push(`case ${code}: { ${inLoop(emit(instruction, generation, byInstruction))} }`);
    }
  }
}

/** A handler's text as part of the loop. */
function inLoop(text: string): string {
  return text
    .replace(/c\.(read8|read16|read32|write8|write16|write32|fault)\(/g, '(K[0] = base + spent + index, c).$1(')
    .replace(/return A\[0\] === 0 \? 0 : 6;/g, `if (A[0] !== 0) code = ${outcome.look}; break S;`)
    .replace(/return 0;/g, 'break S;')
    .replace(/return (\d);/g, '{ code = $1; break S; }');
}

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

/** Writes the loop. The flags live in locals as long as it runs. Only the `fast` one makes blocks hot, and leaves hot ones to their regions. */
export function makeInterpreter(core: Core, engine: X86Engine, shapes: CommonShapes, care: Care): Interpreter {
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
            ${shapes.cases.join('\n')}
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
