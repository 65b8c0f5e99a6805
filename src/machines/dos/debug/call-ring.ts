import { TraceRing } from '../../shared/trace-ring.ts';
import { recordedRegisters } from './recorded-guest.ts';

/** Where things lie in a record, in words; registers are half words. */
const at = { time: 0, last: 2, number: 4, place: 5, times: 6, flags: 7, before: 8, after: 13 } as const;
type RecordWords = Int32Array & Record<(typeof at)[keyof typeof at], number>;
const words = 18;
const halfWords = recordedRegisters.length;
const open = 0;
const finished = 1;

/** What is kept of a call. Registers are in the order of `recordedRegisters`. */
export interface KeptCall {
  readonly time: number;
  /** Of the last repetition. */
  readonly last: number;
  readonly times: number;
  /** Of the callback. */
  readonly number: number;
  readonly isFinished: boolean;
  /** The caller: its segment above its offset. */
  readonly place: number;
  /** The flags that the caller had, and those it was given back. */
  readonly flagsBefore: number;
  readonly flags: number;
  readonly before: Uint16Array;
  readonly after: Uint16Array;
}

/** One call in a ring of plain numbers. */
export class CallRecord implements KeptCall {
  readonly #words: RecordWords;
  readonly #halves: Uint16Array;

  constructor(record: Int32Array) {
    this.#words = record as RecordWords;
    this.#halves = new Uint16Array(record.buffer, record.byteOffset, record.length * 2);
  }

  get time(): number {
    return readTime(this.#words, at.time);
  }

  get last(): number {
    return readTime(this.#words, at.last);
  }

  get number(): number {
    return this.#words[at.number] & 0xffff;
  }

  get isFinished(): boolean {
    return this.#words[at.number] >>> 16 === finished;
  }

  get place(): number {
    return this.#words[at.place];
  }

  get times(): number {
    return this.#words[at.times];
  }

  get flagsBefore(): number {
    return this.#words[at.flags] >>> 16;
  }

  get flags(): number {
    return this.#words[at.flags] & 0xffff;
  }

  get before(): Uint16Array {
    return this.#registers(at.before);
  }

  get after(): Uint16Array {
    return this.#registers(at.after);
  }

  begin(time: number, number: number, place: number, registers: Uint16Array, flags: number): void {
    const record = this.#words;
    writeTime(record, at.time, time);
    writeTime(record, at.last, time);
    record[at.number] = number | (open << 16);
    record[at.place] = place;
    record[at.times] = 1;
    record[at.flags] = flags << 16;
    this.#put(at.before, registers);
    for (let index = at.after; index < words; index++) record[index] = 0;
  }

  finish(registers: Uint16Array, flags: number): void {
    const record = this.#words;
    record[at.number] = this.number | (finished << 16);
    record[at.flags] = (this.flagsBefore << 16) | flags;
    this.#put(at.after, registers);
  }

  /** It has not ended after all. */
  reopen(): void {
    const record = this.#words;
    record[at.number] = this.number | (open << 16);
    record[at.flags] = this.flagsBefore << 16;
    for (let index = at.after; index < words; index++) record[index] = 0;
  }

  repeat(time: number): void {
    // The past may be run again.
    if (time <= this.last) return;
    this.#words[at.times] = this.times + 1;
    writeTime(this.#words, at.last, time);
  }

  /** The same question, and the same answer. */
  equals(other: CallRecord): boolean {
    const [mine, theirs] = [this.#words, other.#words];
    if (mine[at.number] !== theirs[at.number] || mine[at.place] !== theirs[at.place]) return false;
    for (let index = at.flags; index < words; index++) if (mine[index] !== theirs[index]) return false;
    return true;
  }

  assign(other: CallRecord): void {
    this.#words.set(other.#words);
  }

  #put(word: number, registers: Uint16Array): void {
    const first = word * 2;
    for (let index = 0; index < registers.length; index++) this.#halves[first + index] = registers[index] as number;
  }

  #registers(word: number): Uint16Array {
    return this.#halves.subarray(word * 2, word * 2 + halfWords);
  }
}

/** A record and its number. */
export interface CallEntry {
  readonly seq: number;
  readonly record: KeptCall;
  readonly poll: boolean;
}

/** A record of its own. */
export function newRecord(): CallRecord {
  return new CallRecord(new Int32Array(words));
}

/** The newest calls. */
export class CallRing {
  readonly #ring: TraceRing;

  constructor(capacity: number) {
    this.#ring = new TraceRing(capacity, words);
  }

  get total(): number {
    return this.#ring.total;
  }

  get dropped(): number {
    return this.#ring.dropped;
  }

  next(): CallRecord {
    return new CallRecord(this.#ring.next());
  }

  record(seq: number): CallRecord | undefined {
    const found = this.#ring.entry(seq);
    return found && new CallRecord(found);
  }

  truncate(total: number): void {
    this.#ring.truncate(total);
  }
}

function readTime(record: Int32Array, index: number): number {
  return ((record[index] as number) >>> 0) + (record[index + 1] as number) * 0x100000000;
}

function writeTime(record: Int32Array, index: number, time: number): void {
  record[index] = time;
  record[index + 1] = time / 0x100000000;
}
