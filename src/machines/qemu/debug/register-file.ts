import type { TargetRegister } from '../../../links/gdb/target-description.ts';
import { bytesToValue } from './register-bytes.ts';

interface Place {
  readonly at: number;
  readonly size: number;
}

/** Where the registers lie that come together. */
export function placesOf(registers: readonly TargetRegister[], length: number): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>();
  let at = 0;
  for (const { number, bits } of registers) {
    const size = Math.ceil(bits / 8);
    if (at + size > length) break;
    places.set(number, { at, size });
    at += size;
  }
  return places;
}

/** Registers as they came, made into numbers when they are asked for: most of them never are. */
export class RegisterFile {
  readonly #bytes: Uint8Array;
  readonly #places: ReadonlyMap<number, Place>;
  readonly #bigEndian: boolean;
  readonly #known = new Map<number, bigint>();

  constructor(bytes: Uint8Array, places: ReadonlyMap<number, Place>, bigEndian: boolean) {
    this.#bytes = bytes;
    this.#places = places;
    this.#bigEndian = bigEndian;
  }

  get(number: number): bigint | undefined {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const place = this.#places.get(number);
    if (!place) return undefined;
    const value = bytesToValue(this.#bytes.subarray(place.at, place.at + place.size), this.#bigEndian);
    this.#known.set(number, value);
    return value;
  }

  set(number: number, value: bigint): void {
    this.#known.set(number, value);
  }
}
