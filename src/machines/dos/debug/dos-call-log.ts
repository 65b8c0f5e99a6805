import { setImmediate } from 'node:timers/promises';
import { placeOf } from '../../../chips/x86/register-access.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import { hex } from '../../../formats/hex.ts';
import type { CallLogCapability, CallPage, CallQuery, LoggedCall } from '../../../machine/call-log.ts';
import type { CallTally } from '../board/waiting-loops.ts';
import type { CallKind } from '../services/call-kind.ts';
import type { Guest, ServiceOutcome } from '../services/guest.ts';
import { type CallEntry, type CallRecord, CallRing, type KeptCall, newRecord } from './call-ring.ts';
import { placeOfKey } from './dos-addresses.ts';
import { PollLog } from './poll-log.ts';
import { recordedGuest, recordedRegisters } from './recorded-guest.ts';

/** How calls are put into words. */
export interface CallWords {
  describe(number: number, guest: Guest): string;
  /** What came of it, by the registers before and after; empty where nothing is known of that. */
  result(number: number, before: Guest, after: Guest): string;
}

/** Words that were found at the call: they say what lay in memory then. */
interface Words {
  readonly what: string;
  result: string | undefined;
}

/** From this time on another program's code lay there. */
interface Replacement {
  readonly time: number;
  readonly first: number;
  readonly last: number;
}

/** A service that waits for something is called again and again, and logged once. */
interface Waiting {
  readonly number: number;
  readonly stackPointer: number;
  readonly seq: number;
  /** When it had its answer. */
  answered: number;
}

const capacity = 50_000;
const mostReplacements = 4096;
const mostWaits = 4096;
const [stackSegmentAt, stackPointerAt, accumulator] = [placeOf('ss'), placeOf('sp'), placeOf('ax')];
const registerWords = recordedRegisters.map((name) => placeOf(name).word);
const intOpcode = 0xcd;
const romStart = 0xf0000;
/** Put into words before others have a turn. */
const wordedAtOnce = 2000;

/**
 * Calls of BIOS and DOS, from the callbacks that serve them: registers in a ring of plain numbers, put into words when
 * somebody reads them. Questions that programs ask while they wait are counted apart, so that they displace nothing.
 */
export class DosCallLog implements CallLogCapability {
  readonly #cpu: X86;
  readonly #words: CallWords;
  readonly #guest: Guest;
  readonly #calls = new CallRing(capacity);
  readonly #polls = new PollLog();
  readonly #texts = new Map<number, Words>();
  /** In the order of their times. */
  #replacements: Replacement[] = [];
  #waiting: Waiting | undefined;
  /** Calls that waited, oldest first: a machine that was taken back may wait in one of them again. */
  #waits: Waiting[] = [];
  /** Time of the newest call. */
  #latest = Number.NEGATIVE_INFINITY;
  // The call under way: services do not call each other.
  readonly #now = newRecord();
  readonly #registers = new Uint16Array(recordedRegisters.length);
  #stackPointer = 0;
  #number = 0;
  #place = 0;
  #time = 0;
  #flagsBefore = 0;
  #text: Words | undefined;
  readonly #finish = (outcome: ServiceOutcome) => this.#finished(outcome);
  readonly #resume = (outcome: ServiceOutcome) => this.#resumed(outcome);
  readonly #answer = (outcome: ServiceOutcome) => this.#answered(outcome);

  /** `guest` is the machine as it is at the time. */
  constructor(cpu: X86, words: CallWords, guest: Guest) {
    this.#cpu = cpu;
    this.#words = words;
    this.#guest = guest;
  }

  /**
   * A service is about to run, of no kind when nobody would want to read of it; what is returned is called when it is done.
   * `isPast`: it ran before, and was logged then.
   */
  called(number: number, kind: CallKind | undefined, isPast = false): ((outcome: ServiceOutcome) => void) | undefined {
    if (isPast && kind !== 'poll') return undefined;
    const cpu = this.#cpu;
    const stackPointer = cpu.getAt(stackSegmentAt) * 16 + cpu.getAt(stackPointerAt);
    const waiting = isPast ? undefined : this.#waiting;
    if (waiting?.number === number && waiting.stackPointer === stackPointer) return this.#resume;
    const place = this.#caller(stackPointer);
    // What hardware interrupts and the ROM itself ask for is not the program's doing.
    if (place === undefined || cpu.contexts.at(-1)?.calls.depth === 0) return undefined;
    if (kind === undefined) return undefined;
    const time = cpu.instructions;
    if (kind !== 'poll' && time <= this.#latest) return undefined;
    this.#readRegisters();
    if (kind === 'poll') {
      this.#number = number;
      this.#place = place;
      this.#time = time;
      this.#flagsBefore = this.#flags();
      return this.#answer;
    }
    this.#stackPointer = stackPointer;
    this.#now.begin(time, number, place, this.#registers, this.#flags());
    this.#latest = time;
    this.#text = kind === 'live' ? { what: this.#words.describe(number, this.#guest), result: undefined } : undefined;
    return this.#finish;
  }

  /** Questions that were asked while somebody kept count are counted so many times more. */
  get tally(): CallTally {
    return this.#polls;
  }

  /** A program was loaded where another one may have lain: earlier calls from there were not its own. */
  replaced(first: number, last: number): void {
    this.#replacements.push({ time: this.#cpu.instructions, first, last });
    if (this.#replacements.length > mostReplacements) this.#replacements.shift();
  }

  #isFormer(linear: number, time: number): boolean {
    return this.#replacements.some((other) => time < other.time && other.first <= linear && linear <= other.last);
  }

  /** Forgets what lies in the future of a machine that was taken back: the instruction at that time has not run. */
  cutBehind(time: number): void {
    this.#latest = Math.min(this.#latest, time - 1);
    this.#replacements = this.#replacements.filter((replacement) => replacement.time <= time);
    let { total } = this.#calls;
    for (let last = this.#calls.record(total - 1); last && last.time >= time; last = this.#calls.record(total - 1)) {
      total--;
      this.#texts.delete(total);
    }
    this.#calls.truncate(total);
    this.#polls.cutBehind(time);
    this.#waits = this.#waits.filter(({ seq }) => seq < total);
    const wait = this.#waits.at(-1);
    this.#waiting = wait && wait.answered >= time ? wait : undefined;
    if (this.#waiting) this.#reopen(this.#waiting);
  }

  #reopen(wait: Waiting): void {
    wait.answered = Number.POSITIVE_INFINITY;
    this.#calls.record(wait.seq)?.reopen();
    const text = this.#texts.get(wait.seq);
    if (text) text.result = undefined;
  }

  async read({ from, limit, filter }: CallQuery): Promise<CallPage> {
    const wanted = filter?.toLowerCase();
    const { total, dropped } = this.#calls;
    const entries = [...this.#polls.entries(from ?? 0), ...this.#entries(Math.max(from ?? 0, dropped))].sort(
      (a, b) => a.seq - b.seq || a.record.time - b.record.time,
    );
    const matching = wanted === undefined ? entries : await this.#matching(entries, wanted);
    const first = from === undefined ? Math.max(0, matching.length - limit) : 0;
    const page = matching.slice(first, first + limit);
    const left = matching.length - first - page.length;
    return {
      calls: page.map((entry) => this.#logged(entry)),
      older: first,
      left,
      next: left > 0 ? (page.at(-1)?.seq ?? 0) + 1 : total,
      lost: from === undefined ? dropped : Math.max(0, dropped - from),
      total,
    };
  }

  #entries(first: number): CallEntry[] {
    const entries: CallEntry[] = [];
    for (let seq = first; seq < this.#calls.total; seq++) {
      const record = this.#calls.record(seq);
      if (record) entries.push({ seq, record, poll: false });
    }
    return entries;
  }

  async #matching(entries: readonly CallEntry[], wanted: string): Promise<readonly CallEntry[]> {
    const found: CallEntry[] = [];
    for (const [index, entry] of entries.entries()) {
      if (index % wordedAtOnce === wordedAtOnce - 1) await setImmediate();
      const { what, result = '' } = this.#logged(entry);
      if (`${what}\n${result}`.toLowerCase().includes(wanted)) found.push(entry);
    }
    return found;
  }

  #logged({ seq, record, poll }: CallEntry): LoggedCall {
    const { number, time, last, times, isFinished, flags, flagsBefore } = record;
    const before = recordedGuest(record.before, flagsBefore, time);
    const text = poll ? undefined : this.#texts.get(seq);
    const result = () => text?.result ?? this.#result(record, before, recordedGuest(record.after, flags, time));
    const from = placeOfKey(record.place);
    return {
      seq,
      time,
      what: text?.what ?? this.#words.describe(number, before),
      from,
      ...(this.#isFormer(Number(from.address), last) && { former: true }),
      ...(isFinished && { result: result() }),
      ...(times > 1 && { times, until: last }),
      ...(poll && { poll: true }),
    };
  }

  #result(record: KeptCall, before: Guest, after: Guest): string {
    return this.#words.result(record.number, before, after) || changes(record) || 'done';
  }

  #finished(outcome: ServiceOutcome): void {
    if (outcome === 'wait') {
      const seq = this.#keep();
      const answered = Number.POSITIVE_INFINITY;
      this.#waiting = { number: this.#now.number, stackPointer: this.#stackPointer, seq, answered };
      this.#waits.push(this.#waiting);
      if (this.#waits.length > mostWaits) this.#waits.splice(0, mostWaits / 2);
      return;
    }
    this.#complete(this.#now, this.#text);
    const last = this.#calls.record(this.#calls.total - 1);
    const isAgain = last?.equals(this.#now) && this.#saysTheSame();
    if (isAgain) last?.repeat(this.#now.time);
    else this.#keep();
  }

  #resumed(outcome: ServiceOutcome): void {
    const waiting = this.#waiting;
    if (outcome === 'wait' || !waiting) return;
    this.#waiting = undefined;
    waiting.answered = this.#cpu.instructions;
    const record = this.#calls.record(waiting.seq);
    if (record) this.#complete(record, this.#texts.get(waiting.seq));
  }

  #answered(outcome: ServiceOutcome): void {
    if (outcome === 'wait') return;
    const number = this.#number;
    const place = this.#place;
    const time = this.#time;
    const before = this.#registers;
    const flags = this.#flags();
    const ax = this.#cpu.getAt(accumulator);
    if (this.#polls.count(number, place, before[0] as number, ax, flags, time)) return;
    const asked = before.slice();
    this.#readRegisters();
    this.#polls.add(
      {
        ...{ time, last: time, times: 1, number, isFinished: true, place },
        ...{ flagsBefore: this.#flagsBefore, flags, before: asked, after: this.#registers.slice() },
      },
      this.#calls.total,
    );
  }

  #complete(record: CallRecord, text: Words | undefined): void {
    this.#readRegisters();
    record.finish(this.#registers, this.#flags());
    if (!text) return;
    const before = recordedGuest(record.before, record.flagsBefore, record.time);
    text.result = this.#words.result(record.number, before, this.#guest) || changes(record) || 'done';
  }

  #keep(): number {
    const seq = this.#calls.total;
    this.#calls.next().assign(this.#now);
    if (this.#text) this.#texts.set(seq, this.#text);
    for (const old of this.#texts.keys()) {
      if (old >= this.#calls.dropped) break;
      this.#texts.delete(old);
    }
    return seq;
  }

  #saysTheSame(): boolean {
    const before = this.#texts.get(this.#calls.total - 1);
    return before?.what === this.#text?.what && before?.result === this.#text?.result;
  }

  #readRegisters(): void {
    this.#cpu.copyHalves(registerWords, this.#registers);
  }

  /** Those on the stack, which the caller gets back. */
  #flags(): number {
    const cpu = this.#cpu;
    const at = cpu.getAt(stackSegmentAt) * 16 + ((cpu.getAt(stackPointerAt) + 4) & 0xffff);
    return cpu.memory.peek16(at);
  }

  /** The INT instruction in front of the address on the stack; that address itself when it is something else. Undefined in the ROM. */
  #caller(stackPointer: number): number | undefined {
    const { memory } = this.#cpu;
    const ip = memory.peek16(stackPointer);
    const cs = memory.peek16(stackPointer + 2);
    const before = (ip - 2) & 0xffff;
    const offset = memory.peek8(cs * 16 + before) === intOpcode ? before : ip;
    return cs * 16 + offset >= romStart ? undefined : (cs << 16) | offset;
  }
}

/** Registers that are not what they were, where nobody says what they mean. */
function changes({ before, after, flags, flagsBefore }: KeptCall): string {
  const registers = recordedRegisters.flatMap((name, index) =>
    before[index] === after[index] ? [] : `${name}=${hex(after[index] ?? 0, 4)}`,
  );
  const failed = (flags & 1) !== 0 && (flagsBefore & 1) === 0;
  return [...registers, ...(failed ? ['carry'] : [])].join(' ');
}
