import { DosError } from '../../drives/dos-error.ts';
import type { GuestMemory } from '../guest.ts';
import {
  driverCommands,
  ownBuffer,
  ownBufferBytes,
  request,
  requestAt,
  requestBytes,
  requestStatus,
  wordOf,
} from './driver-request.ts';
import { type FarPointer, linear } from './far-pointer.ts';
import type { GuestCalls } from './guest-calls.ts';
import { at, dosSegment } from './layout.ts';

/** Codes of drivers follow each other as those of DOS do. */
export const firstDriverError = 19;

/** Something else that a call must not do twice. */
interface Note {
  readonly done: unknown;
}

/** Answers to what one call of a service has asked so far: it runs again from its start after each. */
interface Journal {
  readonly stack: number;
  readonly answers: (number[] | Note)[];
}

/** Device drivers that programs have put into the chain, called by their headers' strategy and interrupt routines. */
export class GuestDrivers {
  readonly #memory: GuestMemory;
  readonly #calls: GuestCalls;
  #journals: Journal[] = [];
  #stack = 0;
  #read = 0;
  /** Grows with every run of a service, and wherever one has passed a point that it never goes back to. */
  run = 0;
  /** Header of the driver whose failure INT 24h is told of; 0 when it is a drive. */
  failing = 0;

  constructor(memory: GuestMemory, calls: GuestCalls) {
    this.#memory = memory;
    this.#calls = calls;
  }

  /** A service runs, perhaps not for the first time; the stack tells which call this is. */
  begin(stack: number): void {
    this.#stack = stack;
    this.#read = 0;
    this.run++;
  }

  /** What was asked so far has had its effect, or the call is over. */
  commit(): void {
    this.#read = 0;
    this.run++;
    if (this.#journals.at(-1)?.stack === this.#stack) this.#journals.pop();
  }

  /** Whether no call, of those that contain each other, is waiting for a driver. */
  get isIdle(): boolean {
    return this.#journals.length === 0;
  }

  /** A driver has come back to the call with this stack. */
  answered(stack: number): void {
    this.#note(stack, [...this.#memory.bytes(linear(dosSegment, at.request), requestBytes)]);
  }

  /** What must not happen again when the service runs again: a key that was taken. */
  once<T>(action: () => T): T {
    const journal = this.#journals.at(-1);
    const answers = journal?.stack === this.#stack ? journal.answers : [];
    // What the action itself asked of drivers lies before it.
    const index = answers.findIndex((answer, place) => place >= this.#read && !Array.isArray(answer));
    if (index >= 0) {
      this.#read = index + 1;
      return (answers[index] as Note).done as T;
    }
    const done = action();
    this.#note(this.#stack, { done });
    this.#read++;
    return done;
  }

  #note(stack: number, answer: number[] | Note): void {
    const last = this.#journals.at(-1);
    if (last?.stack === stack) last.answers.push(answer);
    else this.#journals.push({ stack, answers: [answer] });
  }

  /** How many bytes went through the buffer; the kernel's own one is small. */
  transfer(driver: number, command: number, count: number, buffer?: FarPointer): number {
    const wanted = buffer === undefined ? Math.min(count, ownBufferBytes) : count;
    const answer = this.ask(driver, request(command, buffer ?? ownBuffer, wanted));
    return Math.min(wanted, wordOf(answer, requestAt.count));
  }

  /** What lies in the kernel's own buffer. */
  received(count: number): Uint8Array {
    return this.#memory.bytes(linear(dosSegment, at.driverBuffer), count);
  }

  /** Bytes to be written before the running service returns. Nobody learns of failures. */
  write(driver: number, bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += ownBufferBytes) {
      const data = [...bytes.subarray(from, from + ownBufferBytes)];
      const packet = request(driverCommands.write, ownBuffer, data.length);
      this.#calls.later({ driver, request: packet, data, back: 'afterCall' });
    }
  }

  /** A command without an answer. */
  tell(driver: number, command: number): void {
    this.#calls.later({ driver, request: request(command), back: 'afterCall' });
  }

  isReady(driver: number, command: number): boolean {
    return (wordOf(this.ask(driver, request(command)), requestAt.status) & requestStatus.busy) === 0;
  }

  /** The request as the driver left it. `back` is the entry of the kernel that takes it from there. */
  ask(driver: number, packet: readonly number[], back = 'afterDriver'): readonly number[] {
    const journal = this.#journals.at(-1);
    const answer = journal?.stack === this.#stack ? journal.answers[this.#read] : undefined;
    if (answer === undefined || !Array.isArray(answer)) return this.#calls.now({ driver, request: packet, back });
    this.#read++;
    const status = wordOf(answer, requestAt.status);
    if ((status & requestStatus.failed) === 0) return answer;
    this.failing = driver;
    throw new DosError(firstDriverError + (status & 0xff), undefined, true);
  }

  reset(): void {
    this.#journals = [];
    this.failing = 0;
  }

  save(): { readonly journals: readonly Journal[]; readonly failing: number } {
    return structuredClone({ journals: this.#journals, failing: this.failing });
  }

  restore(saved: ReturnType<GuestDrivers['save']>): void {
    const { journals, failing } = structuredClone(saved);
    this.#journals = [...journals];
    this.failing = failing;
  }
}
