import { z } from 'zod';
import { hexWord } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';

/** `"$C000"`, `"0xC000"`, a number, a symbol or a line of source. */
export const addressInput = z
  .union([z.number().int().min(0).max(0xffff), z.string().min(1).max(200)])
  .describe('"$C000", "0xC000", a number, a symbol or file:line');

export type AddressInput = z.output<typeof addressInput>;

/** A number, also as `"$FF"`, `"0xFF"` or `"%1010"`. */
export const numberInput = z.union([z.number().int(), z.string().min(1).max(40)]);

export function addressText(address: AddressInput): string {
  return typeof address === 'number' ? hexWord(address) : address;
}

export function numberOf(value: z.output<typeof numberInput>): number {
  if (typeof value === 'number') return value;
  const text = value.trim();
  const [, hex, binary, decimal] =
    /^(?:(?:\$|0x)([0-9a-f]{1,8})|(?:%|0b)([01]{1,32})|([0-9]{1,10}))$/i.exec(text) ?? [];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  if (binary !== undefined) return Number.parseInt(binary, 2);
  if (decimal !== undefined) return Number(decimal);
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(text)} is not a number.`,
    'Write 255, "$FF", "0xFF" or "%11111111".',
  );
}
