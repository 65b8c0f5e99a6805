import type { CodeGraph } from '../../../chips/x86/graph/code-graph.ts';
import { operandBase } from '../../../chips/x86/graph/segment-bases.ts';
import type { Instruction } from '../../../chips/x86/instruction.ts';
import { fields, stateWords } from '../../../chips/x86/registers.ts';
import type { DataReference } from '../../../machine/graph.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import { placeOf } from './dos-addresses.ts';
import { memoryAccesses } from './memory-access.ts';

/**
 * Who reads and writes an address by an operand that names it, or what the instruction there reads and writes: known of
 * everything that has run, with the segments as they were when it first did. Addresses in registers are found by traces.
 */
export async function absoluteReferences(graph: CodeGraph, wanted: number): Promise<readonly DataReference[]> {
  const found: DataReference[] = [];
  const census = graph.census();
  const slice = new TimeSlice();
  const state = new Int32Array(stateWords);
  for (const block of graph.blocks) {
    if (slice.isOver) await slice.next();
    for (const node of census.executed(block)) {
      if (!isAbsolute(node)) continue;
      const base = operandBase(node);
      if (base === undefined) continue;
      state[node.seg] = base;
      const instruction = placeOf(node);
      for (const { address, bytes, access } of memoryAccesses(node, state)) {
        const isHere = Number(instruction.address) === wanted;
        if (isHere || (wanted >= address && wanted < address + bytes)) {
          found.push({ instruction, access, target: BigInt(address) });
        }
      }
    }
  }
  return found;
}

function isAbsolute({ operands, addressSize, base, index }: Instruction): boolean {
  const none = fields.zero * (addressSize === 16 ? 2 : 1);
  return base === none && index === none && operands.some(({ kind }) => kind === 'memory');
}
