import type { Guest, GuestMemory, ServiceOutcome } from '../guest.ts';
import { type FarPointer, linear, unpackFar } from './far-pointer.ts';
import { callHandler, pop, push, returnTo } from './frames.ts';
import { at, dosSegment } from './layout.ts';
import { callingGuest } from './signals.ts';

type Register = 'ax' | 'bx' | 'cx' | 'dx' | 'si' | 'di' | 'bp' | 'ds' | 'es';
export type CallRegisters = Partial<Record<Register, number>>;

/** An interrupt that a service has called by its vector. Plain, so that a snapshot is a copy. */
export interface InterruptCall {
  readonly interrupt: number;
  readonly registers: CallRegisters;
  /** The entry of the kernel that its handler returns to. */
  readonly back: string;
}

/** A request to a device driver of the guest: its strategy routine is told where it lies, its interrupt routine obeys. */
export interface DriverCall {
  /** Packed address of its header. */
  readonly driver: number;
  readonly request: readonly number[];
  /** For the kernel's own buffer. */
  readonly data?: readonly number[] | undefined;
  readonly back: string;
}

export type GuestCall = InterruptCall | DriverCall;

/** What a handler left behind. */
export interface GuestAnswer {
  readonly ax: number;
  readonly flags: number;
}

/** A byte for INT 29h, which becomes a call, or several of INT 10h, when its turn comes. */
type Queued = GuestCall | number;

export interface GuestCallParts {
  readonly memory: GuestMemory;
  vector(interrupt: number): number;
  entry(name: string): FarPointer;
  /** What a byte of output makes the kernel call; nothing where it was put out directly. */
  output(byte: number): readonly GuestCall[];
}

const order: readonly Register[] = ['es', 'ds', 'bp', 'di', 'si', 'dx', 'cx', 'bx', 'ax'];
const interruptsOff = 0x7002;
const lineFeed = 10;
/** J, with which the sequence ends that does. */
const clearScreen = 0x4a;
const effortOfScreen = 32;
/** Output before the machine gets a turn. */
const putOutInOneGo = 128;
/** In a driver's header. */
const strategyAt = 6;
const interruptAt = 8;

/**
 * Code of the guest that services call: interrupts that programs have hooked, drivers they have brought. Calls are queued while a service runs
 * and made after it; the stack of the guest holds everything that goes on afterwards, so a call may last as long as
 * it likes and contain others.
 */
export class GuestCalls {
  readonly #parts: GuestCallParts;
  #queue: Queued[] = [];
  #next = 0;
  #count = 0;
  /** What the bytes that were put out in this run of a service have cost. */
  #putOut = 0;

  constructor(parts: GuestCallParts) {
    this.#parts = parts;
  }

  /** How many have been queued, ever: more than before where a service has queued one. */
  get count(): number {
    return this.#count;
  }

  /** A service begins to run. */
  begin(): void {
    this.#putOut = 0;
  }

  /** Whether a byte may be put out at once: nothing waits before it, and not too many were put out already. */
  mayPutOut(byte: number): boolean {
    if (this.#queue.length > 0 || this.#putOut >= putOutInOneGo) return false;
    this.#putOut += effortOf(byte);
    return true;
  }

  /** Made before the running service returns to its caller. */
  later(call: Queued): void {
    this.#count++;
    this.#queue.push(call);
  }

  /** Made at once, after those queued before it: the running service is left, and runs again when the handler is back. */
  now(call: GuestCall): never {
    this.#count++;
    this.#queue.push(call);
    throw callingGuest;
  }

  /** Ends a run of a service: makes the next queued call, if there is one. `again` is where the service starts. */
  settle(guest: Guest, outcome: ServiceOutcome, again: FarPointer): ServiceOutcome {
    if (this.#queue.length === 0 || outcome === 'jump') return outcome;
    if (outcome !== 'done') returnTo(guest, again, interruptsOff);
    const call = this.#shift();
    if (call === undefined) return outcome === 'wait' ? 'call' : outcome;
    keepRegisters(guest);
    const backTo = this.#parts.entry(call === 'pause' ? 'afterCall' : call.back);
    // As if a handler had nothing to do: the machine gets a turn before there is more output.
    if (call === 'pause') returnTo(guest, backTo);
    else if ('driver' in call) this.#callDriver(guest, call, backTo);
    else {
      Object.assign(guest, call.registers);
      callHandler(guest, unpackFar(this.#parts.vector(call.interrupt)), backTo);
    }
    return outcome === 'done' ? 'done' : 'call';
  }

  reset(): void {
    this.#queue = [];
    this.#next = 0;
  }

  save(): readonly Queued[] {
    return structuredClone(this.#queue.slice(this.#next));
  }

  restore(saved: readonly Queued[]): void {
    this.#queue = structuredClone([...saved]);
    this.#next = 0;
  }

  /** The strategy routine returns into the interrupt routine, and that to the kernel. */
  #callDriver(guest: Guest, { driver, request, data }: DriverCall, backTo: FarPointer): void {
    const { memory } = this.#parts;
    const { segment, offset } = unpackFar(driver);
    memory.write(linear(dosSegment, at.request), Uint8Array.from(request));
    if (data !== undefined) memory.write(linear(dosSegment, at.driverBuffer), Uint8Array.from(data));
    guest.es = dosSegment;
    guest.bx = at.request;
    for (const { segment: to, offset: into } of [
      backTo,
      { segment, offset: memory.read16(linear(segment, offset + interruptAt)) },
    ]) {
      push(guest, to);
      push(guest, into);
    }
    returnTo(guest, { segment, offset: memory.read16(linear(segment, offset + strategyAt)) });
  }

  #shift(): GuestCall | 'pause' | undefined {
    let effort = 0;
    while (this.#next < this.#queue.length) {
      if (effort >= putOutInOneGo) return 'pause';
      const queued = this.#queue[this.#next++] as Queued;
      if (typeof queued !== 'number') {
        if (this.#next === this.#queue.length) this.reset();
        return queued;
      }
      effort += effortOf(queued);
      this.#putFirst(this.#parts.output(queued));
    }
    this.reset();
    return undefined;
  }

  /** Into places that are used up where there are enough: the queue may be long. */
  #putFirst(calls: readonly GuestCall[]): void {
    if (calls.length > this.#next) this.#queue.splice(this.#next, 0, ...calls);
    else {
      this.#next -= calls.length;
      calls.forEach((call, index) => {
        this.#queue[this.#next + index] = call;
      });
    }
  }
}

/** What a byte of output costs: some scroll or clear the whole screen. */
function effortOf(byte: number): number {
  return byte === lineFeed || byte === clearScreen ? effortOfScreen : 1;
}

/** In the order that handlers of INT 24h find them. */
export function keepRegisters(guest: Guest): void {
  for (const register of order) push(guest, guest[register]);
}

/** The other way round: what the handler left, and the registers from before. The flags lie on top. */
export function takeBack(guest: Guest): GuestAnswer {
  const flags = pop(guest);
  const { ax } = guest;
  for (const register of order.toReversed()) guest[register] = pop(guest);
  return { ax, flags };
}
