import type { Instruction } from './instruction.ts';
import { operationOf } from './operations/index.ts';

/** What an instruction reads and writes. */
export interface Effects {
  /** Operands by place. */
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** Arithmetic flags, in the letters `oszapc`. */
  readonly flagsRead: string;
  readonly flagsWritten: string;
}

/** The read, write and flag sets of an instruction, from the semantics table. */
export function effectsOf(instruction: Instruction): Effects {
  const { reads, writes, flagsRead = '', flagsWritten = '', memory } = operationOf(instruction);
  const places = (letters: string) => [...'abk'].flatMap((letter, place) => (letters.includes(letter) ? [place] : []));
  const place = (access: 'read' | 'write') => (memory === access ? 'a' : '');
  return {
    reads: places(reads + place('read')),
    writes: places(writes + place('write')),
    flagsRead,
    flagsWritten,
  };
}
