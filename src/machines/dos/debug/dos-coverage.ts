import type { Instruction } from '../../../chips/x86/instruction.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { CountedPiece } from '../../../machine/coverage.ts';
import { CountedCoverage } from '../../shared/counted-coverage.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import { placeOf } from './dos-addresses.ts';

/** Coverage by the counts of the graph. `hold` keeps the processor from running until what it gives is called. */
export function dosCoverage(cpu: X86, hold: () => Promise<() => void> = async () => () => {}): CountedCoverage {
  const ids = new WeakMap<Instruction, number>();
  let next = 1;
  const idOf = (node: Instruction) => {
    const known = ids.get(node);
    if (known !== undefined) return known;
    ids.set(node, next);
    return next++;
  };
  const pieces = async (): Promise<readonly CountedPiece[]> => {
    const letGo = await hold();
    try {
      const { graph } = cpu;
      const census = graph.census();
      const slice = new TimeSlice();
      const found: CountedPiece[] = [];
      for (const block of graph.blocks) {
        for (const node of census.executed(block)) {
          found.push({ id: idOf(node), ...placeOf(node), bytes: node.length, executions: census.executions(node) });
        }
        if (slice.isOver) await slice.next();
      }
      return found;
    } finally {
      letGo();
    }
  };
  return new CountedCoverage(pieces, () => cpu.instructions);
}
