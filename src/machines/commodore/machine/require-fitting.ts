import { hexWord } from '../../../formats/hex.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { ProgramSource } from '../../../machine/program.ts';
import { isText } from './program-image.ts';

export interface PlacedProgram {
  readonly firstAddress: number;
  readonly bytes: number;
  readonly space: number;
}

/** Throws what is wrong with a program that has nothing to load, or more than there is room for. */
export function requireFitting(source: ProgramSource, { firstAddress, bytes, space }: PlacedProgram): void {
  if (bytes === 0 && isText(source.format)) {
    const fix = 'Give the text of the program as "source", or its file as "path".';
    throw new MachineError('INVALID_ARGUMENT', `${source.name} has no instruction and no data.`, fix);
  }
  if (bytes > 0 && firstAddress + bytes <= space) return;
  const what = bytes === 1 ? '1 byte does' : `${bytes} bytes do`;
  const message = `${source.name}: ${what} not fit at ${hexWord(firstAddress)}.`;
  throw new MachineError('INVALID_ARGUMENT', message, 'A PRG begins with its load address, low byte first.');
}
