import { MachineError } from '../../../machine/errors.ts';

/** What reads debug information that may be cut off or make no sense. */
export async function unbroken<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new MachineError(
      'UNAVAILABLE',
      `The debug information is broken: ${error.message}.`,
      'Build the program again, and load the new file.',
      {},
      { cause: error },
    );
  }
}
