import { DosError } from '../../drives/dos-error.ts';
import type { GuestMemory } from '../guest.ts';
import { type FarPointer, linear } from './far-pointer.ts';
import type { GuestCalls } from './guest-calls.ts';
import { at, dosSegment } from './layout.ts';

/** What drivers can be asked for. */
export const driverCommands = {
  initialize: 0,
  readControl: 3,
  read: 4,
  inputStatus: 6,
  write: 8,
  outputStatus: 10,
  writeControl: 12,
  open: 13,
  close: 14,
} as const;

const requestBytes = 26;
const bufferBytes = at.end - at.driverBuffer;
const statusAt = 3;
const bufferAt = 0x0e;
const countAt = 0x12;
const failed = 0x8000;
const busy = 0x0200;
const firstDriverError = 19;

/** Answers to what one call of a service has asked so far: it runs again from its start after each. */
interface Journal {
  readonly stack: number;
  readonly answers: number[][];
}

/** Device drivers that programs have put into the chain, called by their headers' strategy and interrupt routines. */
export class GuestDrivers {
  readonly #memory: GuestMemory;
  readonly #calls: GuestCalls;
  #journals: Journal[] = [];
  #stack = 0;
  #read = 0;
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
  }

  /** What was asked so far has had its effect, or the call is over. */
  commit(): void {
    this.#read = 0;
    if (this.#journals.at(-1)?.stack === this.#stack) this.#journals.pop();
  }

  /** A driver has come back to the call with this stack. */
  answered(stack: number): void {
    const answer = [...this.#memory.bytes(linear(dosSegment, at.request), requestBytes)];
    const last = this.#journals.at(-1);
    if (last?.stack === stack) last.answers.push(answer);
    else this.#journals.push({ stack, answers: [answer] });
  }

  /** How many bytes went through the buffer; the kernel's own one is small. */
  transfer(driver: number, command: number, count: number, buffer?: FarPointer): number {
    const wanted = buffer === undefined ? Math.min(count, bufferBytes) : count;
    const answer = this.ask(driver, request(command, buffer ?? ownBuffer, wanted));
    return Math.min(wanted, word(answer, countAt));
  }

  /** What lies in the kernel's own buffer. */
  received(count: number): Uint8Array {
    return this.#memory.bytes(linear(dosSegment, at.driverBuffer), count);
  }

  /** Bytes to be written before the running service returns. Nobody learns of failures. */
  write(driver: number, bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += bufferBytes) {
      const data = [...bytes.subarray(from, from + bufferBytes)];
      const packet = request(driverCommands.write, ownBuffer, data.length);
      this.#calls.later({ driver, request: packet, data, back: 'afterCall' });
    }
  }

  /** A command without an answer. */
  tell(driver: number, command: number): void {
    this.#calls.later({ driver, request: request(command, ownBuffer, 0), back: 'afterCall' });
  }

  isReady(driver: number, command: number): boolean {
    return (word(this.ask(driver, request(command, ownBuffer, 0)), statusAt) & busy) === 0;
  }

  /** The request as the driver left it. */
  ask(driver: number, packet: readonly number[]): readonly number[] {
    const journal = this.#journals.at(-1);
    const answer = journal?.stack === this.#stack ? journal.answers[this.#read] : undefined;
    if (answer === undefined) return this.#calls.now({ driver, request: packet, back: 'afterDriver' });
    this.#read++;
    const status = word(answer, statusAt);
    if ((status & failed) === 0) return answer;
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

const ownBuffer: FarPointer = { segment: dosSegment, offset: at.driverBuffer };

function word(bytes: readonly number[], offset: number): number {
  return (bytes[offset] ?? 0) | ((bytes[offset + 1] ?? 0) << 8);
}

/** A request: length, unit, command, status, eight reserved bytes, then what the command needs. */
export function request(command: number, buffer: FarPointer, count: number): number[] {
  const bytes = new Array<number>(requestBytes).fill(0);
  bytes[0] = requestBytes;
  bytes[2] = command;
  const put = (offset: number, value: number) => {
    bytes[offset] = value & 0xff;
    bytes[offset + 1] = value >> 8;
  };
  put(bufferAt, buffer.offset);
  put(bufferAt + 2, buffer.segment);
  put(countAt, count);
  return bytes;
}
