import type { Instruction } from '../instruction.ts';
import { fields, firstSegment } from '../registers.ts';
import type { Block } from './block.ts';

const pointerLoads: Readonly<Record<string, number>> = { les: 0, lss: 2, lds: 3, lfs: 4, lgs: 5 };

/** The segment register that an instruction loads, by number; -1 for none. */
function loadedSegment({ form: { mnemonic }, operands }: Instruction): number {
  const [first] = operands;
  if ((mnemonic === 'mov' || mnemonic === 'pop') && first?.kind === 'segment') return first.index;
  return pointerLoads[mnemonic] ?? -1;
}

/**
 * Where the segment of an instruction's memory operand began when its block first ran; undefined where its block had
 * loaded that register before and loads it again after it.
 */
export function operandBase(node: Instruction): number | undefined {
  const { block, position, seg } = node;
  if (!block) return undefined;
  const segment = seg - fields.esBase;
  const loads = (nodes: readonly Instruction[]) => nodes.some((each) => loadedSegment(each) === segment);
  if (block.bases && !loads(block.nodes.slice(0, position))) return block.bases[segment];
  if (block.basesAfter && !loads(block.nodes.slice(position))) return block.basesAfter[segment];
  return undefined;
}

/** What is known of the halves of a block that was cut. */
export function divideBases(head: Block, tail: Block): void {
  const changes = (nodes: readonly Instruction[]) => nodes.some((node) => loadedSegment(node) >= 0);
  tail.bases = changes(head.nodes) ? null : head.bases;
  tail.basesAfter = head.basesAfter;
  if (changes(tail.nodes)) head.basesAfter = null;
}

/** The six bases, out of the processor's state. */
export function basesIn(words: Int32Array): Int32Array {
  const first = fields.esBase;
  return words.slice(first, first + (fields.esBase - firstSegment));
}
