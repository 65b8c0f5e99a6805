import { type AddressCapability, parseAddress } from '../../machine/addresses.ts';
import { MachineError } from '../../machine/errors.ts';

/** An address as an agent writes it: as `parseAddress` takes it, or with registers where the machine knows them: `rsp+8`. */
export async function addressOf(text: string, addresses: AddressCapability): Promise<bigint> {
  try {
    return parseAddress(text, addresses);
  } catch (error) {
    if (!(error instanceof MachineError) || !addresses.evaluate) throw error;
    const value = await addresses.evaluate(text.trim());
    if (value !== undefined) return value;
    const fix = [...error.advice, ['Registers may stand in it too: sp+8.']];
    throw new MachineError(error.type, error.message, fix, error.data);
  }
}
