import type { CodeGraph } from '../../../chips/x86/graph/code-graph.ts';
import { operandBase } from '../../../chips/x86/graph/segment-bases.ts';
import type { Instruction } from '../../../chips/x86/instruction.ts';
import { fields, stateWords } from '../../../chips/x86/registers.ts';
import type { DataReference } from '../../../machine/graph.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import { placeOf } from './dos-addresses.ts';
import { memoryAccesses } from './memory-access.ts';

/** Which references are wanted: `bytes` from `target` on. */
type Filter = (instruction: number, target: number, bytes: number, access: DataReference['access']) => boolean;

/** Whose references count. */
type Keep = (instruction: Instruction) => boolean;
const everything: Keep = () => true;

/** Segments that offsets in immediate operands may belong to, by number: ES, CS, DS. */
const offsetSegments = [0, 1, 3] as const;

/**
 * Who reads and writes an address by an operand that names it, who takes its offset, or what the instruction there reads
 * and writes: known of everything that has run, with the segments as they were when it first did. Addresses that were
 * computed in registers are found by traces.
 */
export function referencesOf(
  graph: CodeGraph,
  wanted: number,
  isKept: Keep = everything,
): Promise<readonly DataReference[]> {
  return collected(graph, isKept, (instruction, target, bytes, access) =>
    access === 'offset' ? target === wanted : instruction === wanted || (wanted >= target && wanted < target + bytes),
  );
}

/** All of them; offsets only of these places, since many numbers are none. */
export function allReferences(
  graph: CodeGraph,
  places: ReadonlySet<number>,
  isKept: Keep = everything,
): Promise<readonly DataReference[]> {
  return collected(graph, isKept, (_, target, __, access) => access !== 'offset' || places.has(target));
}

async function collected(graph: CodeGraph, isKept: Keep, isWanted: Filter): Promise<readonly DataReference[]> {
  const found: DataReference[] = [];
  const census = graph.census();
  const slice = new TimeSlice();
  const state = new Int32Array(stateWords);
  for (const block of graph.blocks) {
    if (slice.isOver) await slice.next();
    for (const node of census.executed(block)) {
      if (!isKept(node)) continue;
      const instruction = placeOf(node);
      const add = (target: number, bytes: number, access: DataReference['access']) => {
        if (isWanted(Number(instruction.address), target, bytes, access)) {
          found.push({ instruction, access, target: BigInt(target) });
        }
      };
      for (const target of offsetsIn(node)) add(target, 1, 'offset');
      const base = isAbsolute(node) ? operandBase(node) : undefined;
      if (base === undefined) continue;
      state[node.seg] = base;
      for (const { address, bytes, access } of memoryAccesses(node, state)) add(address, bytes, access);
    }
  }
  return found;
}

/** What an immediate operand would be as an offset. */
function offsetsIn({ operands, operandSize, imm, block, space }: Instruction): readonly number[] {
  const bases = block?.bases ?? block?.basesAfter;
  const isOffset =
    operandSize === 16 && space.segmented && operands.some((each) => each.kind === 'immediate' && each.width === 16);
  if (!bases || !isOffset) return [];
  return [...new Set(offsetSegments.map((segment) => (bases[segment] ?? 0) + (imm & 0xffff)))];
}

function isAbsolute({ operands, addressSize, base, index }: Instruction): boolean {
  const none = fields.zero * (addressSize === 16 ? 2 : 1);
  return base === none && index === none && operands.some(({ kind }) => kind === 'memory');
}
