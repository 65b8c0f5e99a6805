import type { X87 } from '../x87/x87.ts';
import { disassemble } from './disassemble.ts';
import { Block } from './graph/block.ts';
import type { CodeGraph } from './graph/code-graph.ts';
import { X86Memory } from './memory.ts';
import type { Model } from './models.ts';
import { stateWords } from './registers.ts';
import { X86 } from './x86.ts';

/** A processor with memory and nothing else, set up to run bytes at 1000:0100. All segments are 1000, SP is FFFE. */
export interface Bench {
  readonly cpu: X86;
  readonly ram: Uint8Array;
  readonly state: Int32Array;
  readonly memory: X86Memory;
  /** Ports written: port, width, value. */
  readonly written: [number, number, number][];
  /** Puts bytes, given as hexadecimal text, into segment 1000. */
  put(offset: number, hex: string): void;
}

export const codeSegment = 0x1000;
export const start = 0x100;

export interface BenchOptions {
  readonly model?: Model;
  readonly interruptVector?: () => number;
  readonly callback?: (number: number) => 'done' | 'wait' | 'jump';
  readonly compileAfter?: number;
  readonly coprocessor?: X87;
}

export function makeBench(hex: string, options: BenchOptions = {}): Bench {
  const { model = '80386', interruptVector = () => 8, callback = () => 'done' as const, compileAfter = 500 } = options;
  const ram = new Uint8Array(0x110100);
  const state = new Int32Array(stateWords);
  const memory = new X86Memory(ram);
  const written: [number, number, number][] = [];
  const cpu = new X86({
    model,
    state,
    memory,
    compileAfter,
    coprocessor: options.coprocessor ?? null,
    wires: {
      in: (_port, width) => (width === 8 ? 0xff : width === 16 ? 0xffff : -1),
      out: (port, width, value) => {
        written.push([port, width, value]);
      },
      callback,
      interruptVector,
    },
  });
  cpu.reset();
  for (const name of ['cs', 'ds', 'es', 'ss']) cpu.set(name, codeSegment);
  cpu.set('eip', start);
  cpu.set('esp', 0xfffe);
  const put = (offset: number, text: string) => ram.set(bytesOf(text), (codeSegment << 4) + offset);
  put(start, hex);
  return { cpu, ram, state, memory, written, put };
}

/** Points an interrupt vector at an offset of segment 1000. */
export function setVector({ ram }: Bench, vector: number, offset: number): void {
  ram.set([offset & 0xff, offset >> 8, codeSegment & 0xff, codeSegment >> 8], vector * 4);
}

export function bytesOf(hex: string): number[] {
  return (hex.replace(/\s/g, '').match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
}

/** The executed part of the graph as text, one line for each block and edge, in the order of addresses. */
export function describe(graph: CodeGraph): string[] {
  const name = (block: { key: number }) => (block.key & 0xffff).toString(16);
  const lines: string[] = [];
  const edges = (from: { key: number; out: Block['out'] }) => {
    for (const edge of [...from.out].sort((a, b) => a.key - b.key || a.type.localeCompare(b.type))) {
      if (edge.count === 0) continue;
      const to = edge.to instanceof Block ? name(edge.to) : `${name(edge.to)}?`;
      lines.push(`${name(from)} -> ${to} ${edge.type} x${edge.count}`);
    }
  };
  for (const block of [...graph.blocks].sort((a, b) => a.key - b.key)) {
    const nodes = block.nodes.filter((node) => graph.executions(node) > 0);
    if (nodes.length === 0) continue;
    const state = block.alive ? '' : ' (dead)';
    lines.push(`${name(block)}: ${nodes.map(disassemble).join('; ')} x${block.passes}${state}`);
    edges(block);
  }
  for (const selector of graph.selectors) {
    lines.push(`${name(selector)}? x${selector.passes}`);
    edges(selector);
  }
  return lines;
}
