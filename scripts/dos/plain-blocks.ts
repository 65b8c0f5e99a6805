import { isInMemory } from '../../src/chips/x86/graph/code-map.ts';
import { type FlowBlock, flowBlocks } from '../../src/chips/x86/graph/flow-blocks.ts';
import type { Instruction } from '../../src/chips/x86/instruction.ts';
import type { X86 } from '../../src/chips/x86/x86.ts';
import { hex } from '../../src/formats/hex.ts';

/**
 * A block without its name: instructions and selectors as `F000:0000 B8____`, `__` for operands read from memory, and
 * the first ones of the blocks it leads to.
 */
export interface PlainBlock {
  readonly lines: readonly string[];
  readonly successors: readonly string[];
  /** Memory holds other bytes by now. */
  readonly dead: boolean;
  /** Execution began here: at the start or by an interrupt. */
  readonly isEntry: boolean;
}

/** The processor's graph. */
export function plainBlocks({ graph, memory }: X86): PlainBlock[] {
  return flowBlocks(graph).map((block) => ({
    lines: linesOf(block),
    successors: block.out.map(({ to }) => linesOf(to)[0] as string),
    dead: !block.nodes.every((node) => isInMemory(node, (linear) => memory.peek8(linear))),
    isEntry: block.entries > 0,
  }));
}

function linesOf({ nodes, selector }: FlowBlock): string[] {
  const lines = nodes.map(lineOf);
  return selector ? [...lines, `${segmented(selector.key >>> 16, selector.key & 0xffff)} selector`] : lines;
}

function lineOf(node: Instruction): string {
  const bytes = [...node.bytes].map((byte) => hex(byte, 2));
  for (const { offset, size } of node.wild) bytes.fill('__', offset, offset + size);
  return `${segmented(node.cs, node.ip)} ${bytes.join('')}`;
}

export function segmented(cs: number, ip: number): string {
  return [cs, ip].map((part) => hex(part, 4)).join(':');
}
