import type { AddressCapability } from '../../machine/addresses.ts';
import { MachineError } from '../../machine/errors.ts';
import { addressOf } from './address.ts';

/** A register's value as an agent writes it: a number, or a text such as `$C000` or a symbol. */
export async function registerValue(name: string, value: unknown, addresses: AddressCapability): Promise<bigint> {
  if (typeof value === 'string') return addressOf(value, addresses);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${name.slice(0, 40)}: ${JSON.stringify(value)?.slice(0, 60)} is not a register value.`,
    'Write {"A":5}, or a text such as "$C000" or a symbol.',
  );
}
