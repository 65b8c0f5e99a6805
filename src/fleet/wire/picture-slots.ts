import type { SharedMemory } from './wire.ts';

const slots = 2;
/** One word for each slot: whether what is in it has yet to be taken. */
const headBytes = slots * Int32Array.BYTES_PER_ELEMENT;

/** Where a picture lies in memory that both ends have. */
export interface PicturePlace {
  readonly memory: string;
  readonly slot: number;
}

/** Pictures on their way to a viewer in the same process: written once, and copied out once. */
export class PictureSlots {
  readonly #memory: SharedMemory;
  readonly #name: string;
  #buffer = new SharedArrayBuffer(0);
  #made = 0;

  constructor(memory: SharedMemory, name: string) {
    this.#memory = memory;
    this.#name = name;
  }

  /** Undefined while the viewer has yet to take what it was given. */
  put(...parts: readonly Uint8Array[]): PicturePlace | undefined {
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    if (this.#buffer.byteLength < headBytes + slots * bytes) this.#grow(bytes);
    const taken = new Int32Array(this.#buffer, 0, slots);
    const slot = taken.findIndex((_, index) => Atomics.load(taken, index) === 0);
    if (slot < 0) return undefined;
    let at = placeOf(this.#buffer, slot);
    for (const part of parts) {
      new Uint8Array(this.#buffer, at, part.length).set(part);
      at += part.length;
    }
    Atomics.store(taken, slot, 1);
    return { memory: this.#current, slot };
  }

  get #current(): string {
    return `${this.#name}.${this.#made}`;
  }

  #grow(bytes: number): void {
    this.#made++;
    this.#buffer = new SharedArrayBuffer(headBytes + slots * bytes);
    this.#memory.share(this.#current, this.#buffer);
  }
}

/** Takes a picture out: its place is free again. Undefined if the memory is gone. */
export function takePicture(memory: SharedMemory, place: PicturePlace, bytes: number): Uint8Array | undefined {
  const buffer = memory.find(place.memory);
  if (!buffer) return undefined;
  const picture = new Uint8Array(buffer, placeOf(buffer, place.slot), bytes).slice();
  Atomics.store(new Int32Array(buffer, 0, slots), place.slot, 0);
  return picture;
}

function placeOf(buffer: SharedArrayBuffer, slot: number): number {
  return headBytes + slot * Math.floor((buffer.byteLength - headBytes) / slots);
}
