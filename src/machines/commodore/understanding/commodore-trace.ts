import { disassemble } from '../../../chips/mos6510/disassemble.ts';
import { fields, getStatus } from '../../../chips/mos6510/registers.ts';
import { hexWord } from '../../../formats/hex.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type {
  TraceCapability,
  TracedRegister,
  TraceEntry,
  TracePage,
  TraceRequest,
  TraceStatus,
} from '../../../machine/trace.ts';
import { compileCondition, type Vocabulary } from '../../shared/condition/condition.ts';
import { TraceRing } from '../../shared/trace-ring.ts';
import type { CommodoreEngine } from '../machine/commodore-engine.ts';

/** The time in two words, the program counter with P, the other registers, the code. */
const words = 5;
const registerNames = ['A', 'X', 'Y', 'SP', 'P'] as const;

/** Each instruction with the registers before it, in a ring of plain numbers; text is made when it is read. */
export class CommodoreTrace implements TraceCapability {
  readonly #engine: CommodoreEngine;
  readonly #symbols: SymbolTable;
  readonly #vocabulary: Vocabulary;
  #ring = new TraceRing(1, words);
  #whenFull: TraceRequest['whenFull'] = 'drop-oldest';
  #unhook: (() => void) | undefined;
  #isFull = false;
  /** Time of the newest entry. */
  #latest = -1;

  constructor(engine: CommodoreEngine, symbols: SymbolTable, vocabulary: Vocabulary) {
    this.#engine = engine;
    this.#symbols = symbols;
    this.#vocabulary = vocabulary;
    engine.whenMoved(() => this.#cutAt(engine.board.cycles));
  }

  get status(): TraceStatus {
    const { total, dropped, capacity } = this.#ring;
    return { active: this.#unhook !== undefined, total, dropped, capacity, full: this.#isFull };
  }

  async start({ condition, first, last, whenFull, maxEntries, maxBytes }: TraceRequest): Promise<TraceStatus> {
    const holds = condition === undefined ? undefined : compileCondition(condition, this.#vocabulary);
    const [low, high] = [Number(first ?? 0n), Number(last ?? 0xffffn)];
    this.#unhook?.();
    const room = Math.max(1, Math.floor(maxBytes / (words * 4)));
    this.#ring = new TraceRing(Math.min(room, maxEntries ?? room), words);
    this.#whenFull = whenFull;
    this.#isFull = false;
    this.#latest = -1;
    const { state } = this.#engine.board.cpu;
    this.#unhook = this.#engine.beforeEach(() => {
      const pc = state[fields.pc];
      if (pc < low || pc > high || (holds && holds() === 0)) return;
      this.#write(pc);
    });
    return this.status;
  }

  async stop(): Promise<TraceStatus> {
    this.#unhook?.();
    this.#unhook = undefined;
    return this.status;
  }

  async read(from: number, limit: number): Promise<TracePage> {
    return this.#ring.page(from, limit, (seq, words, before) => this.#shown(seq, words, before));
  }

  #write(pc: number): void {
    const { board } = this.#engine;
    const now = board.cycles;
    // An instruction that something kept from running is looked at again when it does run.
    if (now <= this.#latest) return;
    const ring = this.#ring;
    if (this.#whenFull === 'stop' && ring.total === ring.capacity) {
      this.#isFull = true;
      void this.stop();
      return;
    }
    this.#latest = now;
    const { state } = board.cpu;
    const to = ring.reserve();
    const at = ring.offset;
    const byte = (offset: number) => board.peek('cpu', (pc + offset) & 0xffff);
    to[at] = now;
    to[at + 1] = now / 0x100000000;
    to[at + 2] = pc | (getStatus(state) << 16);
    to[at + 3] = state[fields.a] | (state[fields.x] << 8) | (state[fields.y] << 16) | (state[fields.s] << 24);
    to[at + 4] = byte(0) | (byte(1) << 8) | (byte(2) << 16);
  }

  /** Forgets what lies in the future of a machine that was taken back. */
  #cutAt(time: number): void {
    const ring = this.#ring;
    let { total } = ring;
    for (let last = ring.entry(total - 1); last && timeOf(last) >= time; last = ring.entry(total - 1)) total--;
    ring.truncate(total);
    const last = ring.entry(ring.total - 1);
    this.#latest = last ? timeOf(last) : -1;
  }

  #shown(seq: number, entry: Int32Array, before: Int32Array | undefined): TraceEntry {
    const pc = (entry[2] ?? 0) & 0xffff;
    const code = entry[4] ?? 0;
    const bytes = [code & 255, (code >> 8) & 255, (code >> 16) & 255];
    const old = before && registersIn(before);
    const registers = registersIn(entry).flatMap((value, index): TracedRegister[] => {
      const name = registerNames[index];
      return name === undefined || old?.[index] === value ? [] : [{ name, value, bits: 8 }];
    });
    const { text } = disassemble(bytes, pc, (address) => this.#symbols.describe(BigInt(address), 0n));
    return { seq, time: timeOf(entry), address: BigInt(pc), where: hexWord(pc), text, registers };
  }
}

function timeOf(entry: Int32Array): number {
  return ((entry[0] ?? 0) >>> 0) + (entry[1] ?? 0) * 0x100000000;
}

function registersIn(entry: Int32Array): readonly number[] {
  const packed = entry[3] ?? 0;
  return [packed & 255, (packed >> 8) & 255, (packed >> 16) & 255, packed >>> 24, ((entry[2] ?? 0) >> 16) & 255];
}
