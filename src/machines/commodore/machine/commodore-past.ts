import { disassemble } from '../../../chips/mos6510/disassemble.ts';
import { fields, getStatus } from '../../../chips/mos6510/registers.ts';
import { hexWord } from '../../../formats/hex.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { PastAccess, PastAccesses, PastCapability } from '../../../machine/past.ts';
import type { TracedRegister, TraceEntry } from '../../../machine/trace.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import { accessesOf } from './instruction-accesses.ts';

/** A frame has some thousand instructions. */
const mostInstructions = 5000;
const leastCycles = 2;
const registerNames = ['A', 'X', 'Y', 'SP', 'P'] as const;

interface Seen {
  readonly time: number;
  readonly pc: number;
  readonly code: Uint8Array;
  readonly values: readonly number[];
}

interface Found {
  readonly time: number;
  readonly pc: number;
  readonly code: Uint8Array;
  readonly address: number;
  value: number;
}

type Accesses = { [Kind in 'read' | 'write']?: Found | undefined };

/** Runs what is remembered again, and looks at it. */
export class CommodorePast implements PastCapability {
  readonly #engine: CommodoreEngine;
  readonly #symbols: SymbolTable;

  constructor(engine: CommodoreEngine, symbols: SymbolTable) {
    this.#engine = engine;
    this.#symbols = symbols;
  }

  async instructions(count: number, signal: AbortSignal): Promise<readonly TraceEntry[]> {
    const wanted = Math.min(count, mostInstructions);
    const { board } = this.#engine;
    const seen: Seen[] = [];
    const visit = () => {
      seen.push(this.#look());
      if (seen.length > 2 * wanted) seen.splice(0, seen.length - wanted);
    };
    // Time during which something holds the processor up has no instructions.
    for (let cycles = wanted * 4 * leastCycles; ; cycles *= 4) {
      seen.length = 0;
      await this.#engine.revisit({ from: board.cycles - cycles, to: board.cycles }, visit, signal);
      if (seen.length >= wanted || board.cycles - cycles <= this.#engine.history.firstTime) break;
    }
    const last = seen.slice(-wanted);
    return last.map((each, index) => this.#entry(each, index, last[index - 1]));
  }

  async accesses(address: bigint, length: number, wallMs: number, signal: AbortSignal): Promise<PastAccesses> {
    const { history, board } = this.#engine;
    const first = Number(address);
    const end = performance.now() + wallMs;
    const found: Accesses = {};
    let since = board.cycles;
    while (since > history.firstTime && !(found.read && found.write) && performance.now() < end) {
      const from = history.previousKeyframe(since) ?? history.firstTime;
      const newest = await this.#accessesIn({ from, to: since }, first, first + length, signal);
      found.read ??= newest.read;
      found.write ??= newest.write;
      since = from;
    }
    return {
      ...(found.write && { write: this.#shown(found.write) }),
      ...(found.read && { read: this.#shown(found.read) }),
      since,
      isWhole: since <= history.firstTime,
    };
  }

  /** The last of each kind in a stretch of the past. */
  async #accessesIn(
    span: { readonly from: number; readonly to: number },
    first: number,
    end: number,
    signal: AbortSignal,
  ): Promise<Accesses> {
    const { board } = this.#engine;
    const { state } = board.cpu;
    const found: Accesses = {};
    let fresh: Found[] = [];
    const settle = () => {
      for (const each of fresh) each.value = board.peek('cpu', each.address);
      fresh = [];
    };
    const peek = (at: number) => board.peek('cpu', at);
    // The last instruction may end after the stretch, and its value is there only then.
    const to = Math.min(board.cycles, span.to + board.longestInstruction);
    await this.#engine.revisit(
      { from: span.from, to },
      () => {
        settle();
        if (board.cycles >= span.to) return;
        for (const { kind, address } of accessesOf(state, peek)) {
          if (address < first || address >= end) continue;
          const pc = state[fields.pc];
          const access = { time: board.cycles, pc, code: codeAt(pc, peek), address, value: 0 };
          found[kind] = access;
          fresh.push(access);
        }
      },
      signal,
      settle,
    );
    return found;
  }

  #shown({ time, pc, code, address, value }: Found): PastAccess {
    const { text } = disassemble(code, pc, (at) => this.#symbols.describe(BigInt(at), 0n));
    return { time, pc: BigInt(pc), text, address: BigInt(address), value };
  }

  #look(): Seen {
    const { board } = this.#engine;
    const { state } = board.cpu;
    const pc = state[fields.pc];
    const values = [state[fields.a], state[fields.x], state[fields.y], state[fields.s], getStatus(state)];
    return { time: board.cycles, pc, code: codeAt(pc, (at) => board.peek('cpu', at)), values };
  }

  #entry({ time, pc, code, values }: Seen, seq: number, before: Seen | undefined): TraceEntry {
    const { text } = disassemble(code, pc, (at) => this.#symbols.describe(BigInt(at), 0n));
    const registers = registerNames.flatMap((name, index): TracedRegister[] => {
      const value = values[index] ?? 0;
      return before?.values[index] === value ? [] : [{ name, value, bits: 8 }];
    });
    return { seq, time, address: BigInt(pc), where: hexWord(pc), text, registers };
  }
}

function codeAt(pc: number, peek: (address: number) => number): Uint8Array {
  return Uint8Array.from([0, 1, 2], (offset) => peek((pc + offset) & 0xffff));
}
