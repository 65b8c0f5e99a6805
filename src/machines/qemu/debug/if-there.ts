import { GdbError } from '../../../links/gdb/gdb-error.ts';

/** What is read, or undefined where the target has nothing to read. Everything else that fails is a failure. */
export async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof GdbError && (error.failure === 'refused' || error.failure === 'unsupported')) return undefined;
    throw error;
  }
}
