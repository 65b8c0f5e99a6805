import { z } from 'zod';
import { hexByte, hexWord } from '../../formats/hex.ts';

import type { ViceCall } from './vice-call.ts';

const register = z.object({ address: z.number(), name: z.string(), value: z.number(), description: z.string() });
const reading = { numbers: z.record(z.string(), z.unknown()).default({}), registers: z.array(register).default([]) };

type Reading = z.output<z.ZodObject<typeof reading>>;

/** A chip, or a part of one: its registers, and what they mean as numbers. */
export function readChip(call: ViceCall, chip: string, part = 'registers', index = 0): Promise<Reading> {
  return call.use('chip_read', { chip, part, index }, reading);
}

/** As the original shows registers: by address, with name, value and description. */
export function namedRegisters({ registers }: Reading): Record<string, unknown> {
  return Object.fromEntries(
    registers.map(({ address, name, value, description }) => [
      hexWord(address),
      { name, value: hexByte(value), description },
    ]),
  );
}
