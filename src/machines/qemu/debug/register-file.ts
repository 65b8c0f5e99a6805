import type { TargetRegister } from '../../../links/gdb/target-description.ts';
import { bytesToValue } from './register-bytes.ts';

/** Where the registers lie that come together, by number: `[at, bytes]` one after the other, 0 bytes for none. */
export type RegisterPlaces = Uint32Array;

export function placesOf(registers: readonly TargetRegister[], length: number): RegisterPlaces {
  const last = registers.reduce((most, { number }) => Math.max(most, number), -1);
  const places = new Uint32Array(2 * (last + 1));
  let at = 0;
  for (const { number, bits } of registers) {
    const size = Math.ceil(bits / 8);
    if (at + size > length) break;
    places[2 * number] = at;
    places[2 * number + 1] = size;
    at += size;
  }
  return places;
}

/** Registers as they came, made into numbers when they are asked for: most of them never are. */
export class RegisterFile {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #places: RegisterPlaces;
  readonly #bigEndian: boolean;
  /** Those that came alone. */
  #others: Map<number, bigint> | undefined;

  constructor(bytes: Uint8Array, places: RegisterPlaces, bigEndian: boolean) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#places = places;
    this.#bigEndian = bigEndian;
  }

  get(number: number): bigint | undefined {
    const size = this.#places[2 * number + 1];
    if (!size) return this.#others?.get(number);
    const at = this.#places[2 * number] ?? 0;
    // Nearly all of them have one of these sizes, and there are many.
    if (size === 4) return BigInt(this.#view.getUint32(at, !this.#bigEndian));
    if (size === 8) return this.#view.getBigUint64(at, !this.#bigEndian);
    return bytesToValue(this.#bytes.subarray(at, at + size), this.#bigEndian);
  }

  set(number: number, value: bigint): void {
    this.#others ??= new Map();
    this.#others.set(number, value);
  }
}
