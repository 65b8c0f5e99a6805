import type { X86 } from '../../src/chips/x86/x86.ts';
import { executedPart, type GoldenGraph, isUntaken } from './golden-graph.ts';
import { type PlainBlock, plainBlocks } from './plain-blocks.ts';

/** What two graphs are compared by. */
export type Comparison = (blocks: readonly PlainBlock[]) => ReadonlySet<string>;

/** Empty when the processor's graph is the executed part of a golden one, up to the names of blocks; else what differs first. */
export function compareGraphs(cpu: X86, golden: GoldenGraph, taken: ReadonlySet<string>, by: Comparison): string {
  const ours = plainBlocks(cpu);
  const ways = byInstruction(ours);
  // Golden graphs have the ways of a conditional jump that it never took.
  const theirs = executedPart(golden, taken).map((block) => {
    const last = block.lines.at(-1) ?? '';
    const isTheirs = (to: string) => ways.has(`${last} -> ${to}`) || !isUntaken(last, to, taken);
    return { ...block, successors: block.successors.filter(isTheirs) };
  });
  const [mine, wanted] = [by(ours), by(theirs)];
  const differences = [
    ...missing(wanted, mine).map((each) => `not ours: ${each}`),
    ...missing(mine, wanted).map((each) => `only ours: ${each}`),
  ];
  return differences.length === 0 ? '' : `${differences.length} differences: ${differences.slice(0, 3).join('; ')}`;
}

/** The same instructions in the same blocks, with the same successors. */
export function byBlock(blocks: readonly PlainBlock[]): Set<string> {
  return new Set(
    blocks.map(({ lines, successors, dead, isEntry }) => {
      const state = `${dead ? ' (dead)' : ''}${isEntry ? ' (entry)' : ''}`;
      return `[${lines.join(', ')}]${state} -> [${[...successors].sort().join(', ')}]`;
    }),
  );
}

/** The same instructions with the same ways between them, wherever blocks are cut. */
export function byInstruction(blocks: readonly PlainBlock[]): Set<string> {
  const flow = new Set<string>();
  for (const { lines, successors } of blocks) {
    lines.forEach((line, index) => {
      flow.add(line);
      for (const to of index < lines.length - 1 ? [lines[index + 1]] : successors) flow.add(`${line} -> ${to}`);
    });
  }
  return flow;
}

function missing(wanted: ReadonlySet<string>, there: ReadonlySet<string>): string[] {
  return [...wanted].filter((each) => !there.has(each)).sort();
}
