import type { MemoryCapability } from '../../machine/memory.ts';
import type { TimeSlice } from '../../machines/shared/time-slice.ts';

const pieceBytes = 0x40000;

/** Reads memory in pieces, so that others have their turn between two of them. */
export async function peekMany(
  memory: MemoryCapability,
  space: string,
  first: bigint,
  length: number,
  slice: TimeSlice,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += pieceBytes) {
    bytes.set(await memory.peek(space, first + BigInt(at), Math.min(pieceBytes, length - at)), at);
    if (slice.isOver) await slice.next();
  }
  return bytes;
}
