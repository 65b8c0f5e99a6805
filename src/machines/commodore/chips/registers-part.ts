import type { ChipNumbers } from '../../../machine/chips.ts';
import { registerFields } from './chip-fields.ts';
import { type Decoded, type DecodedPart, registerReadings, registerRows } from './decoded-chip.ts';
import type { RegisterName } from './register-names.ts';

/** What all chips have: their registers, and what these mean together. */
export function registersPart({
  base,
  names,
  rows = names.length,
  description,
  register,
  overview,
  numbers,
}: {
  readonly base: number;
  readonly names: readonly RegisterName[];
  /** How many are shown as rows of bytes. */
  readonly rows?: number;
  readonly description: string;
  /** As it would read, without side effects. */
  register(index: number): number;
  overview(): Decoded['values'];
  numbers(): ChipNumbers;
}): DecodedPart {
  return {
    ...{ name: 'registers', count: 1, description },
    decode: () => ({
      values: { ...overview(), ...registerRows(base, rows, register) },
      numbers: numbers(),
      registers: registerReadings(base, names, register),
    }),
    fields: () => registerFields(base, names),
  };
}
