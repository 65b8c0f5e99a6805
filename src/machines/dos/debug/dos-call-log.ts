import { placeOf, type X86 } from '../../../chips/x86/x86.ts';
import {
  CallLog,
  type CallLogCapability,
  type CallPage,
  type CallQuery,
  type OpenCall,
} from '../../../machine/call-log.ts';
import type { CodePlace } from '../../../machine/functions.ts';
import type { ServiceOutcome } from '../services/guest.ts';
import { codePlace } from './dos-addresses.ts';

/** How calls are put into words. */
export interface CallWords {
  /** Before the service ran; undefined when nobody would want to read of it. */
  describe(number: number): string | undefined;
  /** What came of it; `ah` is what it was before. */
  result(number: number, ah: number): string;
}

/** A service that waits for something is called again and again, and logged once. */
interface Waiting {
  readonly call: OpenCall;
  readonly number: number;
  readonly ah: number;
  readonly stackPointer: number;
}

const [stackSegmentAt, stackPointerAt, ahAt] = [placeOf('ss'), placeOf('sp'), placeOf('ah')];
const intOpcode = 0xcd;
const romStart = 0xf0000;

/** Calls of BIOS and DOS, from the callbacks that serve them. */
export class DosCallLog implements CallLogCapability {
  readonly #cpu: X86;
  readonly #words: CallWords;
  readonly #log = new CallLog();
  #waiting: Waiting | undefined;
  /** Of the last call: many come from one place. */
  #place = codePlace(0, 0);
  #placeKey = 0;
  #placeLinear = 0;

  constructor(cpu: X86, words: CallWords) {
    this.#cpu = cpu;
    this.#words = words;
  }

  read(query: CallQuery): Promise<CallPage> {
    return this.#log.read(query);
  }

  /** A service is about to run; what is returned is called when it is done. */
  called(number: number): ((outcome: ServiceOutcome) => void) | undefined {
    const cpu = this.#cpu;
    const stackPointer = cpu.getAt(stackSegmentAt) * 16 + cpu.getAt(stackPointerAt);
    const waiting = this.#waiting;
    const again = waiting?.number === number && waiting.stackPointer === stackPointer;
    const ah = again ? waiting.ah : cpu.getAt(ahAt);
    const call = again ? waiting.call : this.#begin(number, stackPointer);
    if (!call) return undefined;
    return (outcome) => {
      if (outcome === 'wait') {
        this.#log.show(call);
        this.#waiting = { call, number, ah, stackPointer };
        return;
      }
      if (again) this.#waiting = undefined;
      this.#log.finish(call, this.#words.result(number, ah));
    };
  }

  /** Forgets what lies in the future of a machine that was taken back. */
  cutBehind(time: number): void {
    this.#waiting = undefined;
    this.#log.cutBehind(time);
  }

  /** What hardware interrupts and the ROM itself ask for is not the program's doing. */
  #begin(number: number, stackPointer: number): OpenCall | undefined {
    const from = this.#caller(stackPointer);
    if (this.#cpu.contexts.at(-1)?.calls.depth === 0 || this.#placeLinear >= romStart) return undefined;
    const what = this.#words.describe(number);
    return what === undefined ? undefined : this.#log.add({ time: this.#cpu.instructions, what, from });
  }

  /** The INT instruction in front of the address that lies on the stack; that address itself when it is something else. */
  #caller(stackPointer: number): CodePlace {
    const { memory } = this.#cpu;
    const word = (at: number) => memory.peek8(at) | (memory.peek8(at + 1) << 8);
    const [ip, cs] = [word(stackPointer), word(stackPointer + 2)];
    const before = (ip - 2) & 0xffff;
    const offset = memory.peek8(cs * 16 + before) === intOpcode ? before : ip;
    const key = cs * 0x10000 + offset;
    if (key !== this.#placeKey) this.#place = codePlace(cs, offset);
    this.#placeKey = key;
    this.#placeLinear = cs * 16 + offset;
    return this.#place;
  }
}
