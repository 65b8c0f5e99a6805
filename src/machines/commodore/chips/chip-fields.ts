import { hexWord } from '../../../formats/hex.ts';
import { ownValue } from '../../../formats/own-value.ts';
import type { ChipWrites } from '../../../machine/chips.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { CommodoreBank } from '../board/commodore-board.ts';

import type { RegisterName } from './register-names.ts';

/** A byte to be put somewhere without disturbing anything else. */
export interface Poke {
  readonly bank: CommodoreBank;
  readonly address: number;
  readonly value: number;
}

/** Something that can be written by name. */
export interface WritableField {
  /** The largest value; 1 for what is on or off. */
  readonly most: number;
  pokes(value: number): readonly Poke[];
}

export type WritableFields = Readonly<Record<string, WritableField>>;

/** Registers under their names. */
export function registerFields(first: number, names: readonly RegisterName[]): WritableFields {
  return Object.fromEntries(
    names.map(({ name }, index) => [
      name,
      { most: 255, pokes: (value: number) => [{ bank: 'io', address: first + index, value }] },
    ]),
  );
}

/** What to put where for these values. Names may also be addresses of registers: `$D020`. */
export function pokesFor(what: string, fields: WritableFields, values: ChipWrites): readonly Poke[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = ownValue(fields, name) ?? ownValue(fields, name.toUpperCase()) ?? fieldAt(fields, name);
    if (!field) {
      const message = `${what} has nothing called ${JSON.stringify(name.slice(0, 30))} that can be written.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Names: ${Object.keys(fields).join(', ')}.`);
    }
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > field.most) {
      const range = field.most === 1 ? '1 or 0' : `0 to ${field.most}`;
      throw new MachineError('INVALID_ARGUMENT', `${name} cannot be ${value}.`, `Use ${range}.`, {
        valid_range: range,
      });
    }
    return field.pokes(value);
  });
}

function fieldAt(fields: WritableFields, text: string): WritableField | undefined {
  const digits = /^(?:\$|0x)([0-9a-f]{4})$/i.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const address = hexWord(Number.parseInt(digits, 16));
  return Object.values(fields).find((field) => {
    const [first] = field.pokes(0);
    return first?.bank === 'io' && hexWord(first.address) === address;
  });
}
