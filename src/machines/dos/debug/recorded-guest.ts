import type { Guest, GuestMemory } from '../services/guest.ts';

/** Registers that a record of a call holds, in its order. */
export const recordedRegisters = ['ax', 'bx', 'cx', 'dx', 'si', 'di', 'bp', 'ds', 'es'] as const;
const carryFlag = 1;
const zeroFlag = 0x40;

/** Memory was another one when the call was made. */
const noMemory = new Proxy({} as GuestMemory, {
  get() {
    throw new Error('memory of a recorded call was asked for');
  },
});

/** The registers of a call as they were, for those who put it into words later. */
export class RecordedGuest implements Partial<Guest> {
  readonly memory = noMemory;
  readonly instructions: number;
  readonly returnFlags: number;
  readonly #values: Uint16Array;

  /** In the order of `recordedRegisters`. */
  constructor(values: Uint16Array, returnFlags: number, instructions: number) {
    this.#values = values;
    this.returnFlags = returnFlags;
    this.instructions = instructions;
  }

  get carry(): boolean {
    return (this.returnFlags & carryFlag) !== 0;
  }

  get zero(): boolean {
    return (this.returnFlags & zeroFlag) !== 0;
  }

  word(index: number): number {
    return this.#values[index] ?? 0;
  }
}

for (const [index, name] of recordedRegisters.entries()) {
  const define = (each: string, read: (word: number) => number) =>
    Object.defineProperty(RecordedGuest.prototype, each, {
      get(this: RecordedGuest) {
        return read(this.word(index));
      },
    });
  define(name, (word) => word);
  const [letter, second] = name;
  if (second !== 'x') continue;
  define(`${letter}l`, (word) => word & 0xff);
  define(`${letter}h`, (word) => word >> 8);
  define(`e${name}`, (word) => word);
}

/** A guest of which only the registers of a record are known. */
export function recordedGuest(values: Uint16Array, returnFlags: number, instructions: number): Guest {
  return new RecordedGuest(values, returnFlags, instructions) as unknown as Guest;
}
