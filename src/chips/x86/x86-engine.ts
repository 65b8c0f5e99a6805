import { BreakpointReached, CodeBreakpoints } from './code-breakpoints.ts';
import { CodeChanges } from './code-changes.ts';
import { canCompile, compileRegion, dissolve, type Region, type RegionEnd, takeError } from './compile.ts';
import { type Core, CpuFault, Unsupported } from './core.ts';
import { Decoder } from './decode.ts';
import { Block } from './graph/block.ts';
import { CodeGraph, type Position } from './graph/code-graph.ts';
import { type GraphMoment, restoreMoment, saveMoment } from './graph/moment.ts';
import { restoreGraph, type SavedGraph, saveGraph } from './graph/save.ts';
import { basesIn } from './graph/segment-bases.ts';
import { Tracker } from './graph/tracker.ts';
import { Handlers } from './handlers.ts';
import { type Instruction, prefixesOf, takenByReturn } from './instruction.ts';
import { CommonShapes, type Question } from './interpreter.ts';
import { Interpreters } from './interpreters.ts';
import { deliverFault } from './operations/deliver-fault.ts';
import { enterInterrupt } from './operations/far.ts';
import { outcome } from './operations/operation.ts';
import { fields } from './registers.ts';

/** Why execution stopped before its time. */
export type EngineStop =
  | { readonly reason: 'breakpoint' }
  | { readonly reason: 'shutdown' }
  | { readonly reason: 'unsupported'; readonly what: string };

/** What it costs to compile a region, in rounds of a string instruction. */
const compileRounds = 50_000;
const mostEdges = 65_536;

/** Runs blocks of the graph and keeps it as it goes. */
export class X86Engine {
  readonly core: Core;
  readonly graph: CodeGraph;
  readonly tracker: Tracker;
  readonly handlers: Handlers;
  readonly decoder: Decoder;
  /** Instructions executed, up to date whenever something outside is called. */
  readonly clock: Float64Array;
  readonly breakpoints: CodeBreakpoints;
  /** Runs of a block before it is compiled. */
  readonly compileAfter: number;
  /** Asked before instructions while it is set: not 0 ends the run there, which `endedBefore` tells. */
  question: Question | null = null;
  endedBefore = false;
  readonly #interpreters: Interpreters;
  readonly #changes: CodeChanges;
  /** There were too many edges when they were last counted. */
  #isCrowded = false;
  /** Another one for each graph. */
  #graphName = {};
  #block: Block | null = null;
  #index = 0;
  #after: Instruction | null = null;
  /** Bytes of the error code that was pushed last. */
  #codeBytes = 0;
  /** The instruction that last gave reason to look up. */
  lookedAt: Instruction | null = null;
  readonly end: RegionEnd = { block: new Block([]), from: null, index: 0, code: 0, error: null };
  /** The instruction that ran last, as far as that is known. */
  lastExecuted: Instruction | null = null;
  /** The last instruction raised a fault, and was not completed. */
  hasFailed = false;
  /** The first instruction that runs has begun before: nobody is asked about it again. */
  goesOn = false;
  /** Where to go on in the block that an interrupt's end leads back to. */
  resumeAt = 0;

  constructor(core: Core, compileAfter: number) {
    this.core = core;
    this.clock = core.clock;
    this.compileAfter = compileAfter;
    this.breakpoints = new CodeBreakpoints(core);
    const { memory } = core;
    const byteAt = (linear: number, asUser?: boolean) => core.fetch(linear, asUser);
    this.decoder = new Decoder(core.rules.model, byteAt);
    const shapes = CommonShapes.of(core.rules.model);
    this.handlers = new Handlers(core, shapes.codes);
    this.graph = new CodeGraph({
      decoder: this.decoder,
      memory,
      space: () => core.space,
      byteAt,
      physical: (linear, asUser) => core.peekPhysical(linear, asUser),
      hold: (linear) => core.holdPhysical(linear),
      bind: (node) => this.bind(node),
      positions: () => this.#positions(),
      now: () => this.clock[0],
      bases: () => basesIn(core.words),
      tire: (rounds) => core.tire(rounds),
    });
    this.tracker = new Tracker(this.graph);
    this.#interpreters = new Interpreters(core, this, shapes);
    this.#changes = new CodeChanges(core);
    core.debug.onCode = (before, after) => {
      for (const { nodes } of this.graph.blocks) {
        for (const node of nodes) if (before.has(node.linear) !== after.has(node.linear)) this.bind(node);
      }
    };
  }

  /** The instruction that comes next, where the graph has it. */
  get next(): Instruction | null {
    return this.#block?.nodes[this.#index] ?? null;
  }

  /** Gives an instruction its handler, or the one that stops. */
  bind(node: Instruction): void {
    this.handlers.bind(node);
    if (node.block) dissolve(node.block);
    this.core.debug.guard(node);
    this.breakpoints.guard(node);
  }

  /** Forgets the graph and begins a new one where the processor is. */
  forget(): void {
    this.#graphName = {};
    this.#isCrowded = false;
    this.lastExecuted = null;
    this.#block = null;
    this.#after = null;
    this.#index = 0;
    this.#changes.forget();
    this.graph.clear();
    this.core.spaces.clear();
    this.core.refreshSpace();
    this.tracker.restore([]);
  }

  save(): SavedGraph {
    this.settle();
    const here = this.#block ? { block: this.#block, after: this.#after } : null;
    return saveGraph(this.graph, this.tracker, this.core.spaces, here);
  }

  restore(saved: SavedGraph): void {
    this.forget();
    this.core.spaces.clear();
    const here = restoreGraph(saved, this.core.rules.model, this.graph, this.tracker, this.core.spaces);
    this.core.refresh();
    this.#stand(here);
  }

  /** What was counted so far. */
  saveMoment(): GraphMoment {
    this.settle();
    const here = this.#block ? { block: this.#block, after: this.#after } : null;
    const moment = saveMoment(this.#graphName, this.graph, this.tracker, here);
    this.#isCrowded = moment.edges.length > mostEdges;
    return moment;
  }

  /** The graph has grown beyond what programs need. */
  get isFull(): boolean {
    return this.#isCrowded || this.graph.isFull || this.core.spaces.isFull;
  }

  /** Together with the state and memory of that moment. Of another graph there is nothing to restore: a new one begins. */
  restoreMoment(moment: GraphMoment): void {
    this.settle();
    if (moment.of === this.#graphName) this.#stand(restoreMoment(moment, this.graph, this.tracker));
    else this.forget();
  }

  #stand(here: Position | null): void {
    this.#block = here?.after?.block ?? here?.block ?? null;
    this.#after = here?.after ?? null;
    this.lastExecuted = this.#after;
    this.#index = this.#after ? this.#after.position + 1 : 0;
  }

  /** Runs up to `budget` instructions; ends early when something has to be looked at. */
  execute(budget: number, ignoreBreakpoint: boolean): EngineStop | null {
    const { core } = this;
    if (this.#changes.isPending) this.settle();
    const base = this.clock[0];
    this.clock[1] = base + budget;
    let block = this.#locate();
    let index = this.#index;
    this.hasFailed = false;
    this.goesOn = core.words[fields.repeating] !== 0;
    core.words[fields.repeating] = 0;
    // Never minus zero, which is no small integer.
    let spent = 0 - index;
    this.breakpoints.begin((block.nodes[index] as Instruction).linear, ignoreBreakpoint || this.goesOn);
    const { care } = this.#interpreters;
    const interpret = this.#interpreters.with(care);
    const isFast = care === 'fast';
    let failure: unknown = null;
    try {
      do {
        let code = 0;
        let isRun = false;
        const { end } = this;
        if (isFast && index === 0 && this.#isCompiled(block)) {
          const passed = (block.region as Region).run(budget - spent, base + spent, block.slot, end);
          // A block that is longer than what may run is not run by its region.
          isRun = passed > 0 || end.error !== null || end.code !== 0;
          spent += passed;
        }
        if (!isRun) spent = interpret(block, index, spent, budget, base, end);
        else spent -= end.index;
        this.goesOn = false;
        if (end.from !== null) this.lastExecuted = end.from.last;
        block = end.block;
        index = end.index;
        code = end.code;
        if (end.error !== null) {
          failure = takeError(end);
          break;
        }
        if (code === outcome.again) {
          this.lookedAt = block.nodes[index] as Instruction;
          break;
        }
        if (core.attention[0] !== 0 && index > 0) {
          const node = block.nodes[index - 1] as Instruction;
          this.#settle(block, node);
          this.lookedAt = node;
          block = node.block as Block;
          spent += index - node.position - 1;
          index = node.position + 1;
        }
        if (index === block.nodes.length && core.words[fields.halted] !== 1) {
          spent += index;
          this.lastExecuted = block.last;
          block = this.follow(block, code);
          index = this.resumeAt;
          spent -= index;
          this.resumeAt = 0;
        }
      } while (spent + index < budget && core.attention[0] === 0);
    } catch (error) {
      failure = error;
    }
    // Before it failed an instruction may have gone through some of its rounds.
    this.#pause(block, index, Math.max(base + spent + index, failure === null ? 0 : this.clock[0]));
    return failure === null ? null : this.#interrupted(failure, block.nodes[index] as Instruction);
  }

  /** Goes through an interrupt vector between two instructions. */
  interrupt(vector: number): EngineStop | null {
    const { core } = this;
    if (!this.#block) this.#locate();
    const suspended = { block: this.#block as Block, after: this.#after };
    const returnTo = core.word(fields.eip) + this.#forgottenPrefixes;
    try {
      // A fault on the way is delivered in its place.
      this.#deliver(new CpuFault(vector), 'hardware', returnTo);
    } catch (error) {
      if (error instanceof CpuFault) return { reason: 'shutdown' };
      throw error;
    }
    core.words[fields.halted] = 0;
    core.words[fields.repeating] = 0;
    const [cs, ip] = this.#here;
    this.#block = this.tracker.interrupt('interrupt', vector, cs, ip, suspended, this.#frame);
    this.#index = 0;
    this.#after = null;
    return null;
  }

  /** An 8086 goes back into a repetition at its last prefix: those before it are lost. */
  get #forgottenPrefixes(): number {
    const { words, rules } = this.core;
    if (rules.generation > 0 || words[fields.repeating] === 0 || !this.next) return 0;
    return prefixesOf(this.next) - 1;
  }

  /** The instruction that comes next, decoded if need be. */
  locate(): Instruction {
    return this.#locate().nodes[this.#index] as Instruction;
  }

  /** Goes through a vector; a fault on the way is delivered instead. Throws when that cannot be done either. */
  #deliver(first: CpuFault, cause: 'hardware' | 'fault', ip: number): CpuFault {
    const { core } = this;
    return deliverFault(core, first, cause, (vector, code, how) => {
      const from = core.arrivingAt < 0 ? ip : core.arrivingAt;
      core.arrivingAt = -1;
      this.#codeBytes = enterInterrupt(core, vector, from, how, code);
    });
  }

  /** Where the frame lies that an interrupt or fault has pushed: handlers take an error code from the stack before they return. */
  get #frame(): number {
    return (this.core.stackTop + this.#codeBytes) >>> 0;
  }

  get #here(): [cs: number, ip: number] {
    return [this.core.word(fields.cs), this.core.word(fields.eip) >>> 0];
  }

  /** True for the instruction that execution stands before. */
  #isNext(node: Instruction, cs: number, ip: number): boolean {
    const { space } = this.core;
    return node.space === space && node.ip === ip && (node.cs === cs || !space.segmented);
  }

  #positions(): Position[] {
    const suspended = this.tracker.positions();
    return this.#block ? [...suspended, { block: this.#block, after: this.#after }] : suspended;
  }

  /** The block to go on with. */
  #locate(): Block {
    const [cs, ip] = this.#here;
    const node = this.next;
    const block = this.#block;
    if (block?.alive && node && this.#isNext(node, cs, ip) && (this.#index > 0 || this.graph.isCurrent(block))) {
      return block;
    }
    const [old, after] = [this.#block, this.#after];
    if (this.tracker.contexts.length === 0) this.#block = this.tracker.start(cs, ip, this.core.stackTop);
    else this.#block = this.#resume(old ? { block: old, after } : null, cs, ip);
    this.#index = this.resumeAt;
    this.resumeAt = 0;
    this.#after = this.#index > 0 ? (this.#block.nodes[this.#index - 1] as Instruction) : null;
    return this.#block;
  }

  #pause(block: Block, index: number, count: number): void {
    this.#block = block;
    this.#index = index;
    this.#after = index > 0 ? (block.nodes[index - 1] as Instruction) : null;
    this.lastExecuted = this.#after ?? this.lastExecuted;
    // After a HLT the way on is not taken until something ends it.
    this.core.words[fields.eip] = block.nodes[index]?.ip ?? block.last.next;
    this.clock[0] = count;
  }

  /** Takes changes of code into the graph that were made while nothing ran. */
  settle(): void {
    this.#settle(this.#block, this.#after);
  }

  /** Takes changes of code into the graph, after the instruction that made them. */
  #settle(block: Block | null, after: Instruction | null): void {
    this.#block = block;
    this.#after = after;
    this.#changes.settle(this.graph);
  }

  /** True when there is compiled code for a block, made now if it has become hot. */
  #isCompiled(block: Block): boolean {
    if (block.region) return true;
    block.heat += 1;
    if (block.heat !== this.compileAfter || !canCompile(this, block)) return false;
    this.core.tire(compileRounds);
    compileRegion(this, block);
    return block.region !== null;
  }

  /** Goes where the last instruction of a block leads. */
  follow(block: Block, code: number): Block {
    const { last } = block;
    const { tracker } = this;
    switch (code) {
      case outcome.taken: {
        const edge = block.taken;
        if (edge?.target && this.graph.isCurrent(edge.target)) {
          edge.count += 1;
          return edge.target;
        }
        this.#leaving(block);
        return tracker.jump(block, last.cs, last.target);
      }
      case outcome.call: {
        const edge = block.taken;
        if (edge?.target && this.graph.isCurrent(edge.target)) {
          edge.count += 1;
          tracker.current.calls.push(edge, block.returnKey, this.core.stackTop);
          return edge.target;
        }
        this.#leaving(block);
        return tracker.call(block, last.cs, last.target, this.core.stackTop);
      }
      case outcome.jump:
        return this.#jump(block);
      case outcome.callTo:
        return this.#call(block);
      case outcome.return:
        return this.#return(block);
      default: {
        const edge = block.next;
        if (edge?.target && this.graph.isCurrent(edge.target)) {
          edge.count += 1;
          return edge.target;
        }
        this.#leaving(block);
        return tracker.fallThrough(block, last.cs, last.next);
      }
    }
  }

  /** A block has run to its end, and the graph is about to change. */
  #leaving(block: Block): void {
    block.basesAfter ??= basesIn(this.core.words);
    this.#block = block;
    this.#after = block.last;
  }

  #jump(block: Block): Block {
    const { words } = this.core;
    const cs = words[fields.cs];
    const ip = words[fields.eip] >>> 0;
    const edge = block.find(this.core.space.keyOf(cs, ip));
    if (edge?.target && this.graph.isCurrent(edge.target)) {
      edge.count += 1;
      return edge.target;
    }
    this.#leaving(block);
    return this.tracker.jump(block, cs, ip);
  }

  #call(block: Block): Block {
    const { words } = this.core;
    const cs = words[fields.cs];
    const ip = words[fields.eip] >>> 0;
    const edge = block.find(this.core.space.keyOf(cs, ip));
    if (edge?.target && this.graph.isCurrent(edge.target)) {
      edge.count += 1;
      this.tracker.current.calls.push(edge, block.returnKey, this.core.stackTop);
      return edge.target;
    }
    this.#leaving(block);
    return this.tracker.call(block, cs, ip, this.core.stackTop);
  }

  #return(block: Block): Block {
    const { core, tracker, graph } = this;
    const cs = core.words[fields.cs];
    const ip = core.words[fields.eip] >>> 0;
    const key = core.space.keyOf(cs, ip);
    const { leftStack } = core;
    core.leftStack = -1;
    const { calls } = tracker.current;
    const call = calls.returningTo(key);
    const edge = call === null ? null : block.find(key);
    const returned = (call?.from as Block | undefined)?.returned;
    if (call && edge?.target && returned && returned.to === edge.to && graph.isCurrent(edge.target)) {
      calls.depth -= 1;
      call.returns += 1;
      returned.count += 1;
      edge.count += 1;
      call.back = edge;
      return edge.target;
    }
    const before = leftStack < 0 ? core.stackTopBefore(takenByReturn(block.last)) : leftStack;
    const endsInterrupt = block.last.form.mnemonic === 'iret' && !tracker.returnsWithin(cs, ip, before);
    const known = endsInterrupt ? null : tracker.jumpByReturn(block, key, before);
    if (known) return known;
    this.#leaving(block);
    if (endsInterrupt) {
      const ended = tracker.leave(before);
      for (let inner = 1; inner < ended.length; inner += 1) this.#abandon(ended[inner]?.suspended);
      const context = ended[0];
      if (context?.cause === 'fault') return tracker.returnFromFault(block, context, cs, ip);
      if (context) return this.#resume(context.suspended, cs, ip);
    }
    return tracker.return(block, cs, ip, before);
  }

  /** Back to where an interrupt came, or to wherever its handler wants. */
  #resume(suspended: Position | null, cs: number, ip: number): Block {
    this.#block = null;
    if (!suspended) return this.tracker.arrive(cs, ip);
    const { block, after } = suspended;
    if (after && after.next === ip && (after.cs === cs || !after.space.segmented)) {
      const home = after.block as Block;
      const isOther = after.space !== this.core.space;
      // The mode was switched in the middle of a block: what comes next is read in another way.
      if (isOther) {
        this.#block = home;
        this.#after = after;
        this.graph.cutAfter(after);
        this.#block = null;
      }
      if (isOther || after.position === home.nodes.length - 1) {
        return this.tracker.fallThrough(after.block as Block, cs, ip);
      }
      this.resumeAt = after.position + 1;
      return home;
    }
    if (!after && this.#isNext(block.first, cs, ip) && this.graph.isCurrent(block)) return block;
    this.#abandon(suspended);
    return this.tracker.arrive(cs, ip);
  }

  /** The rest of a block will not run: cuts it off, so that it does not count as executed. */
  #abandon(suspended: Position | null | undefined): void {
    if (!suspended) return;
    const { block, after } = suspended;
    if (!after) {
      block.entries -= 1;
      return;
    }
    this.#block = after.block;
    this.#after = after;
    this.graph.cutAfter(after);
    this.#block = null;
  }

  /** An instruction was not completed. */
  #interrupted(error: unknown, node: Instruction): EngineStop | null {
    const { core } = this;
    if (error instanceof BreakpointReached) return { reason: 'breakpoint' };
    if (error instanceof Unsupported) return { reason: 'unsupported', what: error.what };
    if (!(error instanceof CpuFault)) throw error;
    core.leftStack = -1;
    this.hasFailed = true;
    core.words[fields.debugTrap] = 0;
    const ip = core.rules.generation === 0 ? node.next : node.ip;
    let delivered = error;
    try {
      delivered = this.#deliver(error, 'fault', ip);
    } catch (second) {
      if (second instanceof CpuFault) return { reason: 'shutdown' };
      throw second;
    }
    this.#settle(node.block, node);
    this.clock[0] += 1;
    const [cs, at] = this.#here;
    this.#block = this.tracker.fault(node, delivered.vector, cs, at, this.#frame);
    this.#index = 0;
    this.#after = null;
    return null;
  }
}
