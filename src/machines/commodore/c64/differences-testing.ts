import type { C64Board } from './c64-board.ts';
import { c64Layout } from './c64-state.ts';

/** Names of all parts of the state that are not the same. */
export function differences(one: C64Board, two: C64Board): string[] {
  return c64Layout.fields
    .filter(({ offset, width, length }) => {
      const end = offset + width * length;
      return Buffer.compare(one.bytes.subarray(offset, end), two.bytes.subarray(offset, end)) !== 0;
    })
    .map(({ name }) => name);
}
