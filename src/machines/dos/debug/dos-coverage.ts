import type { Instruction } from '../../../chips/x86/instruction.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import { CountedCoverage, type CountedPiece } from '../../../machine/coverage.ts';
import { codePlace } from './dos-addresses.ts';

/** Coverage by the counts of the graph. */
export function dosCoverage(cpu: X86): CountedCoverage {
  const ids = new WeakMap<Instruction, number>();
  let next = 1;
  const idOf = (node: Instruction) => {
    const known = ids.get(node);
    if (known !== undefined) return known;
    ids.set(node, next);
    return next++;
  };
  const pieces = (): readonly CountedPiece[] => {
    const { graph } = cpu;
    return [...graph.blocks].flatMap((block) =>
      graph.executed(block).map((node) => ({
        id: idOf(node),
        ...codePlace(node.cs, node.ip),
        bytes: node.length,
        executions: graph.executions(node),
      })),
    );
  };
  return new CountedCoverage(pieces, () => cpu.instructions);
}
