import type { SymbolTable } from '../../../machine/addresses.ts';
import type { CountedPiece, CoverageCapability } from '../../../machine/coverage.ts';
import type { FunctionsCapability, KnownFunction } from '../../../machine/functions.ts';
import type { FlowGraph, GraphCapability } from '../../../machine/graph.ts';
import { CountedCoverage } from '../../shared/counted-coverage.ts';
import { calleesOf } from '../../shared/flow-functions.ts';
import { FunctionBodies } from '../../shared/function-bodies.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import type { CommodoreEngine } from '../machine/commodore-engine.ts';
import { type CodeId, CodeRecorder, isElsewhere } from './code-recorder.ts';
import { MemoryUses } from './memory-uses.ts';
import { lengthAt, placeOfId, recordedGraph } from './recorded-graph.ts';

/** What is looked at again when nothing was recorded: a second. */
const framesBack = 50;
const never = new AbortController().signal;

/**
 * Functions, graph and coverage of what ran. While a coverage run goes on every instruction is recorded; at other times nothing is, and
 * who asks gets what was recorded before and the last second of the past, which is run again for it.
 */
export class CommodoreUnderstanding {
  readonly functions: FunctionsCapability = { list: () => this.#functions() };
  readonly graph: GraphCapability = { read: () => this.#graph() };
  readonly coverage: CoverageCapability;
  readonly #engine: CommodoreEngine;
  readonly #symbols: SymbolTable;
  #made: CodeRecorder | undefined;
  #unhook: (() => void) | undefined;
  /** Up to this moment everything is recorded that will be. */
  #recordedTo = 0;
  #looking: Promise<void> = Promise.resolve();

  constructor(engine: CommodoreEngine, symbols: SymbolTable) {
    this.#engine = engine;
    this.#symbols = symbols;
    engine.whenMoved(() => this.#moved());
    const counted = new CountedCoverage(
      async () => this.#pieces(),
      () => engine.board.cycles,
    );
    let uses: MemoryUses | undefined;
    this.coverage = {
      get runs() {
        return counted.runs;
      },
      start: (name) => this.#withHook(() => counted.start(name)),
      stop: (name) => this.#withHook(() => counted.stop(name)),
      read: (name) => counted.read(name),
      delete: (name) => this.#withHook(() => counted.delete(name)),
      map: (signal) => {
        uses ??= new MemoryUses(engine);
        return uses.map(signal);
      },
    };
  }

  /** Records from now on while any run goes on, and no longer. */
  async #withHook<T>(change: () => Promise<T>): Promise<T> {
    const changed = await change();
    const isWanted = this.coverage.runs.some(({ active }) => active);
    if (isWanted && !this.#unhook) {
      this.#recorder.breakOff();
      this.#unhook = this.#engine.beforeEach(() => this.#recorder.look());
    } else if (!isWanted && this.#unhook) {
      this.#unhook();
      this.#unhook = undefined;
      this.#recordedTo = this.#engine.board.cycles;
    }
    return changed;
  }

  /** Made when it is first wanted: it is larger than the machine. */
  get #recorder(): CodeRecorder {
    this.#made ??= new CodeRecorder(this.#engine.board);
    return this.#made;
  }

  #moved(): void {
    this.#made?.breakOff();
    this.#recordedTo = Math.min(this.#recordedTo, this.#engine.board.cycles);
  }

  /** One at a time: what two record at once would be counted twice. */
  #lookBack(): Promise<void> {
    const look = this.#looking.then(() => this.#recordPast());
    this.#looking = look.catch(() => {});
    return look;
  }

  async #recordPast(): Promise<void> {
    if (this.#unhook) return;
    const { board, history } = this.#engine;
    const to = board.cycles;
    const from = Math.max(history.firstTime, this.#recordedTo, to - framesBack * board.frameSpan);
    if (from >= to) return;
    const recorder = this.#recorder;
    recorder.breakOff();
    let reached = from;
    const look = () => {
      reached = board.cycles;
      recorder.look();
    };
    try {
      await this.#engine.revisit({ from, to }, look, never, () => recorder.settle());
      reached = to;
    } finally {
      this.#recordedTo = reached;
    }
  }

  async #graph(): Promise<FlowGraph> {
    await this.#lookBack();
    const { board } = this.#engine;
    return recordedGraph(this.#recorder, {
      peek: (id) => board.peek(bankOf(id, board.memory.reads), id & 0xffff),
      nameOf: (address) => this.#symbols.describe(BigInt(address), 0n),
    });
  }

  async #functions(): Promise<readonly KnownFunction[]> {
    const graph = await this.#graph();
    const slice = new TimeSlice();
    const recorded = [...this.#recorder.functions].map(([id, known]) => ({ place: placeOfId(id), known }));
    const bodies = new FunctionBodies(
      graph,
      recorded.map(({ place, known }) => ({ ...place, calls: known.calls })),
    );
    const functions: KnownFunction[] = [];
    for (const { place, known } of recorded) {
      if (slice.isOver) await slice.next();
      const madeUp = known.isHandler ? `interrupt_${place.where.slice(1)}` : undefined;
      functions.push({
        ...place,
        name: this.#symbols.describe(place.address, 0n) ?? madeUp,
        calls: known.calls,
        callers: [...known.callers.keys()].map(placeOfId),
        get callees() {
          return calleesOf(bodies.of(place), graph);
        },
        returns: { aligned: known.aligned, misaligned: known.misaligned },
        get bytes() {
          return bodies.of(place).reduce((sum, { bytes }) => sum + bytes, 0);
        },
      });
    }
    return functions;
  }

  #pieces(): readonly CountedPiece[] {
    const recorder = this.#recorder;
    recorder.settle();
    const pieces: CountedPiece[] = [];
    for (const [id, executions] of recorder.executions.entries()) {
      if (executions > 0) pieces.push({ id, ...placeOfId(id), bytes: lengthAt(recorder, id), executions });
    }
    return pieces;
  }
}

function bankOf(id: CodeId, reads: Int32Array): 'cpu' | 'ram' | 'rom' {
  const isNow = (reads[(id & 0xffff) >> 8] !== 0) === isElsewhere(id);
  return isNow ? 'cpu' : isElsewhere(id) ? 'rom' : 'ram';
}
