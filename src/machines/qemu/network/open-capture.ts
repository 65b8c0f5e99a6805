import { type FileHandle, open } from 'node:fs/promises';
import { MachineError } from '../../../machine/errors.ts';

/** The file of a capture, which others may have taken away. */
export async function openCapture(path: string, flags: string): Promise<FileHandle> {
  return open(path, flags).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new MachineError('NOT_FOUND', `The capture ${path} cannot be read: ${why}.`, 'Start another capture.');
  });
}
