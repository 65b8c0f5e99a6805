import { hex } from '../../formats/hex.ts';
import type { AddressCapability } from '../../machine/addresses.ts';
import type { BlockInstruction, FlowGraph } from '../../machine/graph.ts';
import type { NamedPlace } from '../../machine/names.ts';
import { TimeSlice, unlessAborted } from '../../machines/shared/time-slice.ts';

/** Bytes on one line of data. */
const dataBytes = 16;

export interface ListedMemory {
  readonly first: bigint;
  readonly bytes: Uint8Array;
}

/** Memory as an assembler's listing: what has run as instructions, the rest as data, with names and comments. */
export async function listing(
  { first, bytes }: ListedMemory,
  graph: FlowGraph | undefined,
  places: readonly NamedPlace[],
  { format, symbols }: AddressCapability,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const slice = new TimeSlice(unlessAborted(signal));
  const code = await codeStarts(graph, { first, bytes }, slice);
  const comments = new Map(places.map(({ address, comment }) => [address, comment]));
  const breaks = new Set([...code.keys(), ...symbols.all.map(([, address]) => address), ...comments.keys()]);
  const lines: string[] = [];
  const end = first + BigInt(bytes.length);
  let at = first;
  while (at < end) {
    if (slice.isOver) await slice.next();
    const label = symbols.describe(at, 0n);
    if (label !== undefined) lines.push(`${label}:`);
    const instruction = code.get(at);
    const length = instruction ? instruction.bytes.length : dataLength(at, end, breaks);
    const row = bytes.subarray(Number(at - first), Number(at - first) + length);
    const text = instruction?.text ?? `db ${[...row].map((byte) => `${hex(byte, 2)}h`).join(', ')}`;
    const dump = [...row].map((byte) => hex(byte, 2)).join('');
    const comment = comments.get(at);
    const where = instruction?.where ?? format(at);
    lines.push(`${where}  ${instruction ? dump.padEnd(16) : ''.padEnd(16)} ${text}${comment ? `  ; ${comment}` : ''}`);
    at += BigInt(length);
  }
  return lines;
}

/** Instructions of what ran and still is in memory as it ran, by address. */
async function codeStarts(
  graph: FlowGraph | undefined,
  { first, bytes }: ListedMemory,
  slice: TimeSlice,
): Promise<ReadonlyMap<bigint, BlockInstruction>> {
  const found = new Map<bigint, BlockInstruction>();
  for (const block of graph?.blocks.values() ?? []) {
    if (slice.isOver) await slice.next();
    const start = Number(block.address - first);
    if (start + block.bytes <= 0 || start >= bytes.length) continue;
    for (const instruction of block.instructions()) {
      const offset = Number(instruction.address - first);
      const inside = offset >= 0 && offset + instruction.bytes.length <= bytes.length && instruction.bytes.length > 0;
      if (inside && instruction.bytes.every((byte, index) => bytes[offset + index] === byte)) {
        found.set(instruction.address, instruction);
      }
    }
  }
  return found;
}

/** Up to the next code, label or comment, and to a whole line at most. */
function dataLength(at: bigint, end: bigint, breaks: ReadonlySet<bigint>): number {
  let length = 1;
  while (length < dataBytes && at + BigInt(length) < end && !breaks.has(at + BigInt(length))) length++;
  return length;
}
