import { MachineError } from '../../../machine/errors.ts';
import { MediaError } from '../media/byte-fields.ts';

/** What is wrong with a file is the agent's to know. */
export function readable<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof MediaError)
      throw new MachineError('INVALID_ARGUMENT', `${name}: ${error.message}.`, error.fix);
    throw error;
  }
}
