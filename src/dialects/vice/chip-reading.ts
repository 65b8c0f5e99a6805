import { z } from 'zod';
import { hexByte, hexWord } from './numbers.ts';
import type { RegisterRow } from './register-names.ts';
import type { ViceCall } from './vice-call.ts';

type Values = Readonly<Record<string, string | number | boolean>>;

/** A chip, or a part of one, as our tool decodes it. */
export async function chipValues(call: ViceCall, chip: string, part = 'registers', index = 0): Promise<Values> {
  const value = z.union([z.string(), z.number(), z.boolean()]);
  return (await call.use('chip_read', { chip, part, index }, { values: z.record(z.string(), value) })).values;
}

/** The bytes of a chip's registers: rows of eight among the values, under the address of the first. */
export function registerBytes(values: Values): readonly number[] {
  return Object.entries(values).flatMap(([name, value]) =>
    /^\$[0-9A-F]{4}$/.test(name)
      ? String(value)
          .split(' ')
          .map((byte) => Number.parseInt(byte, 16))
      : [],
  );
}

/** The other values, which say what the registers mean. */
export function decodedValues(values: Values): Record<string, unknown> {
  const words = Object.entries(values).filter(([name]) => !name.startsWith('$'));
  return Object.fromEntries(words.map(([name, value]) => [name.replace(/ \(.*\)$/, ''), value]));
}

/** As the original shows registers: by address, with name, value and description. */
export function namedRegisters(
  bytes: readonly number[],
  first: number,
  rows: readonly RegisterRow[],
): Record<string, { readonly name: string; readonly value: string; readonly description: string }> {
  return Object.fromEntries(
    rows.map(([name, description], index) => [
      hexWord(first + index),
      { name, value: hexByte(bytes[index] ?? 0), description },
    ]),
  );
}
