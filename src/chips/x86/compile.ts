import { quick } from '../x87/quick.ts';
import type { Core } from './core.ts';
import { emit, flagsIn, flagsOut, type Naming, offsetText } from './emit.ts';
import { evenParity } from './flags.ts';
import { Block, type Edge } from './graph/block.ts';
import { type Instruction, isRepeated, takenByReturn } from './instruction.ts';
import { codePage } from './memory.ts';
import { operationOf } from './operations/index.ts';
import { outcome } from './operations/operation.ts';
import { fields } from './registers.ts';
import type { X86Engine } from './x86-engine.ts';

/** V8 never optimises a function of more than 61,440 bytes of bytecode. */
const mostBlocks = 64;
const mostInstructions = 320;
/** V8 takes functions of the same text for one, and code that many machines share knows nothing of their memory: no two texts are the same. */
let functionsMade = 0;
const toItself = 'continue S;';
/** A write to memory that is nothing but memory gives no reason to look up. */
const storeAndLook = /(\{ (?:ram|D)[^{}]*) \} else (\(X = [^;]*;)([^{}]*)return A\[0\] === 0 \? 0 : 6;/g;

/** How a region came to its end. */
export interface RegionEnd {
  block: Block;
  /** The block before it, if it was come to from another. */
  from: Block | null;
  index: number;
  code: number;
  error: unknown;
}

export function takeError(end: RegionEnd): unknown {
  const { error } = end;
  end.error = null;
  return error;
}

/** Hot blocks turned into one JavaScript function, with the arithmetic flags in its locals. */
export interface Region {
  readonly blocks: readonly Block[];
  /** Runs from one of its blocks, up to `budget` instructions; gives how many it was and fills `end`. */
  run(budget: number, base: number, slot: number, end: RegionEnd): number;
}

/** A region's function, with the text and the objects it was made of. */
export interface Written {
  readonly text: string;
  readonly objects: readonly unknown[];
  readonly run: Region['run'];
}

/** Compiles the blocks around one. The text comes from the semantics table, as the handlers' does. */
export function compileRegion(engine: X86Engine, first: Block): Region {
  const blocks = inChains(blocksAround(engine, first));
  first.written = new RegionWriter(engine, blocks).compile(first.written);
  const region: Region = { blocks, run: first.written.run };
  blocks.forEach((block, slot) => {
    block.region = region;
    block.slot = slot;
  });
  return region;
}

/** From now on the blocks are interpreted again. */
export function dissolve({ region }: Block): void {
  if (!region) return;
  for (const block of region.blocks) {
    if (block.region !== region) continue;
    block.region = null;
    block.heat = 0;
  }
}

/** True for blocks that can be compiled: no bytes and operands that change, no breakpoints. */
export function canCompile(engine: X86Engine, block: Block): boolean {
  return (
    block.alive &&
    !block.guarded &&
    block.nodes.every(
      ({ wild, linear }) =>
        wild.length === 0 && !engine.breakpoints.addresses.has(linear) && !engine.core.debug.hasCodeAt(linear),
    )
  );
}

function blocksAround(engine: X86Engine, first: Block): Block[] {
  const blocks = [first];
  let size = first.nodes.length;
  for (let index = 0; index < blocks.length; index += 1) {
    const { next, taken, returned } = blocks[index] as Block;
    for (const edge of [next, taken, returned]) {
      const target = edge?.target;
      if (!target || blocks.includes(target) || target.region || edge.count < engine.compileAfter / 10) continue;
      if (!canCompile(engine, target)) continue;
      if (blocks.length === mostBlocks || size + target.nodes.length > mostInstructions) continue;
      blocks.push(target);
      size += target.nodes.length;
    }
  }
  return blocks;
}

/** Each block before the one that it most often leads to, as far as that can be: the way there needs no jump then. */
function inChains(blocks: readonly Block[]): Block[] {
  const left = new Set(blocks);
  const chains: Block[] = [];
  for (const first of blocks) {
    for (let block: Block | undefined = first; block && left.delete(block); block = usualNext(block, left)) {
      chains.push(block);
    }
  }
  return chains;
}

function usualNext({ next, taken }: Block, among: ReadonlySet<Block>): Block | undefined {
  const ways = [next, taken].filter((edge) => edge?.target && among.has(edge.target));
  return ways.sort((a, b) => (b?.count ?? 0) - (a?.count ?? 0))[0]?.target ?? undefined;
}

/** The key of the place that execution has been sent to. */
function keyOfNext({ space }: Instruction): string {
  return space.keyText(`R[${fields.cs}]`, `R[${fields.eip}]`);
}

function pushCall(edge: string, { space, cs, next }: Instruction): string {
  const key = space.keyOf(cs, space.wrap(next));
  // As wide as it was written: a processor waits for a write before it reads more than that.
  const offset = space.plain ? `R16[${fields.esp * 2}]` : `(R[${fields.esp}] & R[${fields.stackMask}])`;
  return `calls.push(${edge}, ${key}, R[${fields.ssBase}] + ${offset});`;
}

/** True where a return to `k` goes back to the innermost call, by the way it last came back; leads to `to` then. */
function isKnownReturn(block: string): string {
  const known = `(call = calls.returningTo(k)) !== null && (way = call.back) !== null && way.from === ${block} && way.key === k && (to = way.target) !== null`;
  return `${known} && to.alive && !to.guarded && (back = call.from.returned) !== null && back.to === to`;
}

/** A return to `k` as a jump; what follows is done where it is none that is known. In other modes the stack may be another one now. */
function jumpByReturn(block: string, node: Instruction): string {
  if (!node.space.plain) return '';
  const before = `R[${fields.ssBase}] + (R16[${fields.esp * 2}] - ${takenByReturn(node)} & 65535)`;
  return `if ((to = G.tracker.jumpByReturn(${block}, k, ${before})) === null)`;
}

const countReturn = 'calls.depth--; call.returns++; back.count++; way.count++;';

/** As 32 bits, so that V8 checks neither kind nor size of the count. */
function pass(instructions: number | string): string {
  return `spent = spent + ${instructions} | 0;`;
}

const storesOnStack = `(wf[(t = (R[${fields.ssBase}] + o) | 0) >>> 8] === 0 || `;
/** What a call would find out, for up to two bytes. */
const isBesideCode = `wf[t >>> 8] === ${codePage} && (CB[t] | CB[t + 1]) === 0`;

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

class RegionWriter {
  readonly #engine: X86Engine;
  readonly #core: Core;
  readonly #slots: Map<Block, number>;
  /** There is code on the page of the stack. */
  readonly #stackHasCode: boolean;
  /** Of the block that is written. */
  #slot = 0;
  /** Objects the text refers to, by name. */
  readonly #constants = new Map<string, unknown>();

  constructor(engine: X86Engine, blocks: readonly Block[]) {
    this.#engine = engine;
    this.#core = engine.core;
    const { memory, stackTop } = engine.core;
    this.#stackHasCode = memory.writeFlags[stackTop >>> 8] === codePage;
    this.#slots = new Map(blocks.map((block, slot) => [block, slot]));
  }

  /** Code that was written over and is what it was again gets the function it had, which V8 may have optimised. */
  compile(before: Written | null): Written {
    const core = this.#core;
    const cases = [...this.#slots].map(([block, slot]) => this.#block(block, slot));
    const surroundings: [string, unknown][] = [
      ['c', core],
      ['R', core.words],
      ['R16', core.halves],
      ['R8', core.bytes],
      ['ram', core.memory.ram],
      ['D', core.memory.view],
      ['rf', core.memory.readFlags],
      ['wf', core.memory.writeFlags],
      ['CB', core.memory.codeBytes],
      ['L', core.readLimits],
      ['W', core.writeLimits],
      ['A', core.attention],
      ['P', evenParity],
      ['K', this.#engine.clock],
      ['G', this.#engine],
      ['F', core.coprocessor?.state],
      ['Q', quick],
      ['BLOCKS', [...this.#slots.keys()]],
      ...this.#constants,
    ];
    const text = `return (budget, base, first, end) => {
      const most = budget | 0;
      let slot = first | 0;
      let fr = R[${fields.result}], fx = R[${fields.auxiliary}], fc = R[${fields.carry}], fo = R[${fields.overflow}];
      let a = 0, b = 0, k = 0, r = 0, q = 0, o = 0, t = 0, X = 0, spent = 0, code = 0, held = true, to = null, p = -1, call = null, way = null, back = null;
      let calls = G.tracker.current.calls;
      try {
        L: for (;;) switch (slot) {
          ${cases.join('\n')}
        }
      } catch (error) {
        end.error = error;
        ${pass('X')}
      }
      if (held) { ${flagsOut} }
      end.from = p < 0 ? null : BLOCKS[p]; end.block = to === null ? BLOCKS[slot] : to; end.index = X; end.code = code;
      return spent;
    }`;
    const objects = [...this.#slots.keys(), ...this.#constants.values()];
    if (before?.text === text && isSameList(before.objects, objects)) return before;
    functionsMade += 1;
    const own = text.replace('{', `{ // ${functionsMade}`);
    const make = new Function(...surroundings.map(([name]) => name), own);
    return { text, objects, run: make(...surroundings.map(([, value]) => value)) };
  }

  #block(block: Block, slot: number): string {
    const length = block.nodes.length;
    this.#slot = slot;
    const lines = block.nodes.map((node, index) =>
      index < length - 1 ? this.#inner(node, index, length) : this.#last(block, node, index),
    );
    const body = `{ if ((spent + ${length} | 0) > most) { X = 0; break L; } p = ${slot}; ${lines.join('\n')} }`;
    return `case ${slot}: Z: ${body.includes(toItself) ? 'S: for (;;) ' : ''}${body}`;
  }

  /** An instruction with others after it. */
  #inner(node: Instruction, index: number, length: number): string {
    const leave = `{ X = ${index + 1}; ${pass(index + 1)} code = ${outcome.look}; break L; }`;
    const looks = `if (A[0] !== 0) ${leave}`;
    const late = isRepeated(node) ? ` || (spent + ${length} | 0) > most` : '';
    const text = this.#text(node, index)
      .replace(/return (CALL\d+\(.*\));/g, (_, call) =>
        this.#calling(node, index, `code = ${call};`, `if (code !== 0${late}) ${leave}`),
      )
      .replace(storeAndLook, (_, store, slowly, rest) => `${store} ${rest} } else { ${slowly} ${rest} ${looks} }`)
      .replace(/return A\[0\] === 0 \? 0 : 6;/g, looks)
      .replace(/return 6;/g, leave)
      .replace(/return 0;/g, '');
    return text;
  }

  /** The instruction that decides where to go. */
  #last(block: Block, node: Instruction, index: number): string {
    const length = index + 1;
    const out = (code: number | string) => `{ X = ${length}; ${pass(length)} code = ${code}; break L; }`;
    const looks = `if (A[0] !== 0) ${out(outcome.look)}`;
    const next = `{ ${this.#way(block.next, length, out(outcome.next), '')} }`;
    const text = this.#text(node, index)
      .replace(/return (CALL\d+\(.*\));/g, (_, call) => {
        const leave = `{ X = ${length}; ${pass(length)} break L; }`;
        const usual = `${this.#callKnown(block, node, length)} ${this.#endKnown(block, node, length)}`;
        const checked = `if (A[0] !== 0 || code === ${outcome.look}) ${leave} if (code !== 0) { ${usual} ${this.#goOn(block, length)} } ${next}`;
        return this.#calling(node, index, `code = ${call};`, checked);
      })
      .replace(/return A\[0\] === 0 \? 0 : 6;/g, `${looks} ${next}`)
      .replace(/return 6;/g, out(outcome.look))
      .replace(/return 1;/g, () => this.#way(block.taken, length, out(outcome.taken), ''))
      .replace(/return 3;/g, () => this.#callOut(block, node, length, out(outcome.call)))
      .replace(/return 5;/g, () => this.#return(block, node, length, out(outcome.return)))
      .replace(/return 4;/g, () =>
        node.form.mnemonic === 'callf'
          ? this.#callOut(block, node, length, out(outcome.callTo))
          : this.#callBy(block, node, length, out(outcome.callTo)),
      )
      .replace(/return 2;/g, () => this.#follow(block, outcome.jump, length, out(outcome.jump)))
      .replace(/return 0;/g, next);
    return `${text} ${out(outcome.next)}`;
  }

  /** Along a known edge; elsewhere when there is none. */
  #way(edge: Edge | null, length: number, otherwise: string, before: string): string {
    if (!edge) return otherwise;
    const name = this.#constant('E', edge);
    const slot = edge.to instanceof Block ? this.#slots.get(edge.to) : undefined;
    if (slot !== undefined) return `${pass(length)} ${name}.count++; ${before} ${this.#go(slot)}`;
    const leave = `${pass(length)} ${name}.count++; ${before} X = 0; break L;`;
    return `to = ${name}.target; if (to !== null && (!to.guarded || G.graph.isCurrent(to))) { ${leave} } to = null; ${otherwise}`;
  }

  /** From the block that is written to one of the region: down to the next one, or by the switch. */
  #go(slot: number): string {
    if (slot === this.#slot) return toItself;
    return `slot = ${slot}; ${slot === this.#slot + 1 ? 'break Z;' : 'continue L;'}`;
  }

  #callOut(block: Block, node: Instruction, length: number, otherwise: string): string {
    if (!block.taken) return otherwise;
    const push = pushCall(this.#constant('E', block.taken), node);
    return `if (A[0] !== 0) ${otherwise} ${this.#way(block.taken, length, otherwise, push)}`;
  }

  /** By a vector or a pointer that leads where it led before. */
  #callKnown({ taken }: Block, node: Instruction, length: number, before = `code === ${outcome.callTo} && `): string {
    if (taken?.type !== 'call') return '';
    const edge = this.#constant('E', taken);
    const isThere = `${before}${edge}.key === (${keyOfNext(node)})`;
    return `if (${isThere}) { ${this.#way(taken, length, '', `code = 0; ${pushCall(edge, node)}`)} }`;
  }

  #callBy(block: Block, node: Instruction, length: number, otherwise: string): string {
    const known = this.#callKnown(block, node, length, '');
    return `if (A[0] !== 0) ${otherwise} ${known} ${this.#follow(block, outcome.callTo, length, otherwise)}`;
  }

  /** An IRET that is the return of a known call. In other modes it may lead to another stack. */
  #endKnown(block: Block, node: Instruction, length: number): string {
    if (node.form.mnemonic !== 'iret' || !node.space.plain) return '';
    const name = this.#constant('B', block);
    return `k = ${keyOfNext(node)}; if (${isKnownReturn(name)}) { ${countReturn} code = 0; ${this.#arrive(name, length)} }`;
  }

  /** Where a call of ours says: it may have ended an interrupt, and go on in the middle of a block. */
  #goOn(block: Block, length: number): string {
    const name = this.#constant('B', block);
    const leave = `to = G.follow(${name}, code); code = 0; calls = G.tracker.current.calls; ${pass(length)} X = G.resumeAt; G.resumeAt = 0;`;
    return `${leave} if (X === 0 && to.region === ${name}.region && to.region !== null) { slot = to.slot | 0; to = null; continue L; } break L;`;
  }

  /** Back to a call that has come back this way before; as any return otherwise. */
  #return(block: Block, node: Instruction, length: number, otherwise: string): string {
    if (node.form.mnemonic === 'iret') {
      const known = this.#endKnown(block, node, length);
      return `if (A[0] !== 0) ${otherwise} ${known} code = ${outcome.return}; ${this.#goOn(block, length)}`;
    }
    const name = this.#constant('B', block);
    return `if (A[0] !== 0) ${otherwise}
      k = ${node.space.keyText(node.form.mnemonic === 'ret' ? String(node.cs) : `R[${fields.cs}]`, 'r')};
      if (${isKnownReturn(name)}) { ${countReturn} } else ${jumpByReturn(name, node)} to = G.follow(${name}, ${outcome.return});
      ${this.#arrive(name, length)}`;
  }

  /** On in `to`. */
  #arrive(name: string, length: number): string {
    return `${pass(length)} if (to.region === ${name}.region && to.region !== null) { slot = to.slot | 0; to = null; continue L; } X = 0; break L;`;
  }

  /** Jumps, calls and returns to where registers or memory say. */
  #follow(block: Block, code: number, length: number, otherwise: string): string {
    const name = this.#constant('B', block);
    return `if (A[0] !== 0) ${otherwise} to = G.follow(${name}, ${code}); ${this.#arrive(name, length)}`;
  }

  /** Calls work on the flags in the state. */
  #calling(node: Instruction, index: number, call: string, rest: string): string {
    const { flagsRead = '', flagsWritten = '' } = operationOf(node);
    const touches = flagsRead !== '' || flagsWritten !== '';
    const before = touches ? `${flagsOut} held = false;` : '';
    const after = touches ? `${flagsIn} held = true;` : '';
    return `X = ${index}; K[0] = base + spent + ${index}; ${before} ${call} ${after} ${this.#afterRounds(node, index)} ${rest}`;
  }

  /** Rounds have taken time, which may be over. */
  #afterRounds(node: Instruction, index: number): string {
    if (!isRepeated(node)) return '';
    return `spent = K[0] - base - ${index} | 0; if (code === ${outcome.again}) { ${pass(index)} break L; }`;
  }

  /** The semantics with everything filled in that is known. */
  #text(node: Instruction, index: number): string {
    const literal: Naming = (name) => `${node[name]}`;
    const { call, control, quick: usual } = operationOf(node);
    let text = emit(node, this.#core.rules.generation, literal).replace(/- -(\d)/g, '+ $1');
    text = text.replace(/\bc\.(\w+)\(/g, `(X = ${index}, K[0] = base + spent + ${index}, c).$1(`);
    if (call) {
      const [named, instruction] = [this.#constant('CALL', call), this.#constant('N', node)];
      text = text.replace(/call\(c, n,/g, `${named}(c, ${instruction},`);
      if (!control) {
        text = text.replace(/r = (CALL\d+\([^;]*\));/g, (whole) => this.#calling(node, index, whole, ''));
      }
    }
    text = text.replace(/\bn\.next\b/g, String(node.next));
    if (this.#stackHasCode) text = text.replaceAll(storesOnStack, `${storesOnStack}${isBesideCode} || `);
    const shortcut = usual?.(node, {
      rules: this.#core.rules,
      hasCoprocessor: this.#core.coprocessor !== null,
      offset: offsetText(node, literal),
    });
    if (!shortcut) return text;
    const { before, when, act } = shortcut;
    return `${before} if (${when}) { ${act} } else {\n${text}\n}`;
  }

  #constant(prefix: string, value: unknown): string {
    for (const [name, known] of this.#constants) if (known === value && name.startsWith(prefix)) return name;
    const name = `${prefix}${this.#constants.size}`;
    this.#constants.set(name, value);
    return name;
  }
}
