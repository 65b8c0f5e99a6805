import { z } from 'zod';
import type { Breakpoint, BreakpointSpec } from '../../src/machine/breakpoints.ts';
import { MachineError } from '../../src/machine/errors.ts';
import type { KnownFunction } from '../../src/machine/functions.ts';
import type { Block, Edge, FlowGraph } from '../../src/machine/graph.ts';
import { defineKind } from '../../src/machine/kind.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { FrozenBytes } from '../../src/machine/memory.ts';
import type { NameStore } from '../../src/machine/names.ts';
import type { TraceCapability, TraceEntry, TraceRequest, TraceStatus } from '../../src/machine/trace.ts';
import { CountedCoverage } from '../../src/machines/shared/counted-coverage.ts';
import { NameBook } from '../../src/machines/shared/name-book.ts';
import { PlainSymbols } from '../../src/machines/shared/plain-symbols.ts';
import { ToyCallLog } from './toy-call-log.ts';

/** Names of programs, as a folder would keep them. */
export class NameShelf implements NameStore {
  readonly books = new Map<string, string>();
  saves = 0;
  load = async (hash: string) => this.books.get(hash);
  save = async (hash: string, text: string) => {
    this.saves++;
    this.books.set(hash, text);
  };
}

export const shelf = new NameShelf();

const format = (address: bigint) =>
  `${(address >> 4n).toString(16).padStart(4, '0')}:000${(address & 15n).toString(16)}`;
export const place = (address: number) => ({ address: BigInt(address), where: format(BigInt(address)) });

/** A program that only exists as what is known of it: 4 bytes an instruction, 16 bytes a block from 0x1000 on. */
export class ProgramToy implements Machine {
  readonly kind = 'program';
  readonly table = new PlainSymbols();
  readonly addresses = {
    format,
    symbols: this.table,
    segmented: (segment: bigint, offset: bigint) => segment * 16n + offset,
  };
  readonly ram = new Uint8Array(0x10000);
  readonly names = new NameBook(this.table, shelf);
  readonly callLog = new ToyCallLog();
  readonly executions: number[] = [];
  readonly #edges: Edge[][] = [];
  readonly functionList: KnownFunction[] = [];
  readonly entries: TraceEntry[] = [];
  now = 0;
  hostileText = '';
  #tracing: TraceRequest | undefined;
  readonly #breakpoints: Breakpoint[] = [];
  readonly #frozen: FrozenBytes[] = [];

  constructor() {
    for (let at = 0; at < this.ram.length; at++) this.ram[at] = at & 0xff;
  }

  status() {
    return { state: 'PAUSED' as const, where: '0100:0000' };
  }

  /** A chain of so many blocks. */
  chain(count: number): void {
    for (let id = 0; id < count; id++) {
      this.executions[id] = 1;
      this.#edges[id] = id + 1 < count ? [{ type: 'normal', to: id + 1, count: 1 }] : [];
    }
  }

  edge(from: number, edge: Edge): void {
    this.#edges[from]?.push(edge);
  }

  readonly functions = { list: async () => this.functionList };

  readonly graph = {
    read: async (): Promise<FlowGraph> => ({
      blocks: new Map(this.executions.map((_, id) => [id, this.#block(id)])),
      entryPoints: [place(0x1000)],
      context: { depth: 0, entry: place(0x1000) },
      lastExecuted: place(0x1004),
    }),
    dataReferences: async (address: bigint) =>
      address === 0x8000n || address === 0x1004n
        ? [{ instruction: place(0x1004), access: 'write' as const, target: 0x8000n }]
        : [],
  };

  readonly coverage = new CountedCoverage(
    async () => this.executions.map((executions, id) => ({ id, ...place(0x1000 + id * 16), bytes: 16, executions })),
    () => this.now,
  );

  readonly memory = {
    spaces: [{ name: 'ram', size: 0x10000n, description: 'all of it', writable: true }],
    peek: async (_: string, address: bigint, length: number) =>
      this.ram.slice(Number(address), Number(address) + length),
    poke: async (_: string, address: bigint, bytes: Uint8Array) => this.ram.set(bytes, Number(address)),
    freeze: {
      frozen: this.#frozen,
      hold: async (address: bigint, bytes: Uint8Array) => {
        const frozen = { id: this.#frozen.length + 1, address, bytes };
        this.#frozen.push(frozen);
        return frozen;
      },
      release: async (id: number) => {
        const index = this.#frozen.findIndex((each) => each.id === id);
        if (index < 0) throw new MachineError('NOT_FOUND', `Nothing frozen has number ${id}.`, 'List them.');
        this.#frozen.splice(index, 1);
      },
    },
  };

  readonly breakpoints = {
    types: ['exec', 'in', 'interrupt', 'time'],
    set: async (spec: BreakpointSpec) => {
      const set = { ...spec, id: this.#breakpoints.length + 1, enabled: true, hits: 0 };
      this.#breakpoints.push(set);
      return set;
    },
    list: async () => this.#breakpoints,
    delete: async () => {},
    change: async (id: number) => {
      const found = this.#breakpoints.find((each) => each.id === id);
      if (!found) throw new MachineError('NOT_FOUND', `No breakpoint ${id}.`, 'List them.');
      return found;
    },
  };

  readonly trace: TraceCapability = this.#makeTrace();

  #makeTrace(): TraceCapability {
    const toy = this;
    return {
      get status() {
        return toy.#traceStatus;
      },
      start: async (request: TraceRequest) => {
        this.#tracing = request;
        return this.#traceStatus;
      },
      stop: async () => {
        this.#tracing = undefined;
        return this.#traceStatus;
      },
      read: async (from: number, limit: number) => {
        const entries = this.entries.slice(from, from + limit);
        return { entries, next: from + entries.length };
      },
    };
  }

  traceOf(count: number): void {
    for (let seq = 0; seq < count; seq++) {
      const registers = seq === 0 ? ['ax', 'bx'] : ['ax'];
      this.entries.push({
        seq,
        time: seq,
        ...place(0x1000 + seq * 4),
        text: `inc ax`,
        registers: registers.map((name) => ({ name, value: seq, bits: 16 })),
      });
    }
  }

  get #traceStatus(): TraceStatus {
    const { length: total } = this.entries;
    return { active: this.#tracing !== undefined, total, dropped: 0, capacity: 1000, full: false };
  }

  #block(id: number): Block {
    const first = 0x1000 + id * 16;
    return {
      id,
      ...place(first),
      kind: 'code',
      bytes: 16,
      last: place(first + 12),
      executions: this.executions[id] ?? 0,
      edges: this.#edges[id] ?? [],
      ...(id === 3 && { variant: { number: 2, of: 3, live: false } }),
      instructions: () =>
        [0, 4, 8, 12].map((offset) => ({
          ...place(first + offset),
          bytes: this.ram.slice(first + offset, first + offset + 4),
          text: `op ${id}.${offset}${this.hostileText}`,
        })),
    };
  }

  async [Symbol.asyncDispose]() {}
}

export const programKind = defineKind({
  kind: 'program',
  summary: 'A program that is known and never runs.',
  options: z.strictObject({}),
  start: async () => new ProgramToy(),
});
