import { fields } from '../../../chips/mos6510/registers.ts';
import { hexByte, hexWord } from '../../../formats/hex.ts';
import type { CallLogCapability, CallPage, CallQuery, LoggedCall } from '../../../machine/call-log.ts';
import type { CodePlace } from '../../../machine/functions.ts';
import type { CommodoreEngine } from '../machine/commodore-engine.ts';
import { kernalNames } from '../roms/names/kernal-names.ts';
import { type CallRegisters, type FileChoice, resultOf, wordsOf } from './kernal-words.ts';
import { PastReader } from './past-reader.ts';

/** Two seconds: every frame of these is kept, and running them again takes a fraction of that. */
const framesBack = 100;
const mostCalls = 20_000;
/** Some never come back. */
const mostOpenCalls = 16;
const longestText = 80;
const firstEntry = 0xff81;
const lastEntry = 0xfff3;
const carriageReturn = 0x0d;

const never = new AbortController().signal;

/** By address. */
const entries = new Map(Object.entries(kernalNames).map(([name, address]) => [address, name]));

interface Call {
  readonly seq: number;
  readonly name: string;
  readonly time: number;
  readonly from: CodePlace;
  what: string;
  result?: string;
  times?: number;
  until?: number;
  poll?: true;
}

/** A call that has not come back yet. */
interface OpenCall {
  readonly call: Call;
  readonly returnTo: number;
  /** The stack pointer once it has. */
  readonly s: number;
}

/**
 * Calls of the KERNAL through its table of entries, found by running the past again: nothing is recorded while the machine runs.
 * What the KERNAL asks itself for, in interrupts for example, is not the program's doing and left out.
 */
export class KernalCallLog implements CallLogCapability {
  readonly #engine: CommodoreEngine;
  /** Where the KERNAL's own code begins. */
  readonly #kernalStart: number;
  #calls: Call[] = [];
  #numbered = 0;
  readonly #past: PastReader;
  /** From this moment on everything is known. */
  #knownFrom = 0;
  /** The innermost last. */
  #open: OpenCall[] = [];
  #lastPc = 0;
  #looking = Promise.resolve();
  readonly #choice: FileChoice = { file: 0, device: 0, secondary: 0, name: '' };

  constructor(engine: CommodoreEngine, kernalStart: number) {
    this.#engine = engine;
    this.#kernalStart = kernalStart;
    this.#past = new PastReader(engine, {
      framesBack,
      look: () => this.#look(),
      missed: (until) => {
        this.#knownFrom = until;
        this.#open = [];
      },
    });
    engine.whenMoved(() => this.#moved());
  }

  async read({ from, limit, filter }: CallQuery): Promise<CallPage> {
    await this.#lookBack();
    const first = this.#calls[0]?.seq ?? this.#numbered;
    const wanted = filter?.toLowerCase();
    const matches = ({ what, result }: Call) =>
      wanted === undefined || `${what} = ${result ?? ''}`.toLowerCase().includes(wanted);
    const found = this.#calls.filter((call) => call.seq >= (from ?? 0) && matches(call));
    const page = from === undefined ? found.slice(-limit) : found.slice(0, limit);
    const last = page.at(-1);
    const left = from === undefined ? 0 : found.length - page.length;
    return {
      calls: page.map(({ name: _, ...call }): LoggedCall => call),
      older: from === undefined ? found.length - page.length : 0,
      left,
      next: left > 0 && last ? last.seq + 1 : this.#numbered,
      lost: Math.max(0, first - (from ?? first)),
      total: this.#calls.length,
      since: this.#knownFrom,
    };
  }

  /** The machine is somewhere else in time: what lies ahead of it has not happened. */
  #moved(): void {
    const { cycles } = this.#engine.board;
    this.#calls = this.#calls.filter(({ time }) => time < cycles);
    this.#knownFrom = Math.min(this.#knownFrom, cycles);
    this.#open = [];
  }

  /** One at a time: what two find at once would be there twice. */
  #lookBack(): Promise<void> {
    const look = this.#looking.then(() => this.#past.read(never));
    this.#looking = look.catch(() => {});
    return look;
  }

  /** Before each instruction. */
  #look(): void {
    const { board } = this.#engine;
    const { state } = board.cpu;
    const pc = state[fields.pc];
    const open = this.#open.at(-1);
    if (open && pc === open.returnTo && state[fields.s] === open.s) {
      this.#open.pop();
      this.#returned(open.call);
    }
    const name = pc >= firstEntry && pc <= lastEntry ? entries.get(pc) : undefined;
    if (name !== undefined && board.memory.isSystemRom(pc)) this.#called(name);
    this.#lastPc = pc;
  }

  #called(name: string): void {
    const { board } = this.#engine;
    const words = wordsOf(name);
    const caller = this.#lastPc;
    const isInner = caller >= this.#kernalStart || this.#open.length > 0;
    if (!words || (isInner && board.memory.isSystemRom(caller))) return;
    const { state } = board.cpu;
    const s = state[fields.s];
    const stack = (offset: number) => board.peek('ram', 0x100 | ((s + offset) & 0xff));
    const returnTo = ((stack(1) | (stack(2) << 8)) + 1) & 0xffff;
    const what = words.describe(this.#registers(), this.#choice, (address) => board.peek('cpu', address));
    const from = { address: BigInt(caller), where: hexWord(caller) };
    const call: Call = { seq: this.#numbered, name, time: board.cycles, from, what };
    if (this.#open.length >= mostOpenCalls) this.#open.shift();
    this.#open.push({ call, returnTo, s: (s + 2) & 0xff });
    if (this.#joins(call)) return;
    this.#numbered += 1;
    this.#calls.push(call);
    if (this.#calls.length > 2 * mostCalls) this.#calls.splice(0, mostCalls);
  }

  /** Texts come out character by character: one line of the log each. */
  #joins(call: Call): boolean {
    const last = this.#calls.at(-1);
    if (last?.name !== 'CHROUT' || call.name !== 'CHROUT') return false;
    if (last.from.address !== call.from.address || last.what.length >= longestText) return false;
    if (last.what.endsWith(hexByte(carriageReturn))) return false;
    const piece = call.what.slice('CHROUT '.length);
    const isText = piece.startsWith('"') && last.what.endsWith('"');
    last.what = isText ? `${last.what.slice(0, -1)}${piece.slice(1)}` : `${last.what} ${piece}`;
    last.until = call.time;
    return true;
  }

  #returned(call: Call): void {
    const words = wordsOf(call.name);
    if (!words) return;
    const after = this.#registers();
    call.result = resultOf(words, after);
    if (words.isIdle?.(after) !== true) return;
    call.poll = true;
    const at = this.#calls.lastIndexOf(call);
    const before = this.#calls[at - 1];
    if (at < 0 || before?.poll !== true || before.name !== call.name) return;
    if (before.from.address !== call.from.address || before.result !== call.result) return;
    before.times = (before.times ?? 1) + 1;
    before.until = call.time;
    this.#calls.splice(at, 1);
    this.#numbered = call.seq;
  }

  #registers(): CallRegisters {
    const { state } = this.#engine.board.cpu;
    return { a: state[fields.a], x: state[fields.x], y: state[fields.y], carry: state[fields.c] };
  }
}
