import type { AddressCapability } from '../../machine/addresses.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import { parseAddress } from './parse-address.ts';

/** As physical addresses begin where both sorts are taken. */
export const physicalPrefix = /^\s*(?:phys|physical):/i;

/** An address as an agent writes it: as `parseAddress` takes it, or with registers where the machine knows them: `rsp+8`. */
export async function addressOf(text: string, addresses: AddressCapability): Promise<bigint> {
  try {
    return parseAddress(text, addresses);
  } catch (error) {
    if (!(error instanceof MachineError) || !addresses.evaluate) throw error;
    const value = await addresses.evaluate(text.trim());
    if (value !== undefined) return value;
    if (physicalPrefix.test(text)) throw physicalHere(text);
    const fix = [...error.advice, ['Registers may stand in it too: sp+8.']];
    throw new MachineError(error.type, error.message, fix, error.data);
  }
}

function physicalHere(text: string): MachineError {
  const message = `${JSON.stringify(text.slice(0, 60))} is a physical address, but this needs an address as the processor sees it.`;
  return new MachineError(
    'INVALID_ARGUMENT',
    message,
    advice`${call('pages_read')} with "physical" finds its virtual addresses.`,
  );
}
