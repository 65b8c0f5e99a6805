import { z } from 'zod';
import { lowerHex } from '../formats/hex.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { requireSource } from './debug/require-source.ts';
import { defineTool } from './tool.ts';

export const evaluate = defineTool({
  name: 'evaluate',
  title: 'Evaluate an expression',
  description:
    'Typed data by the debug information of a loaded file: {"expression":"task->name"}, "*list.head", "table[3]", "(struct task *)$rdi", "counter > 5"; in an outer frame with "frame".',
  toolset: 'system',
  needs: ['source'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    expression: z.string().min(1).max(500),
    frame: z.number().int().min(0).max(63).default(0),
    depth: z.number().int().min(0).max(6).default(2).describe('Structures shown inside structures'),
    cpu: cpuArgument,
  }),
  async run(machine, { expression, frame, depth, cpu }) {
    const source = requireSource(await seenBy(machine, cpu));
    const value = await source.evaluate(expression, { frame, depth });
    const where = value.address === undefined ? '' : ` at 0x${lowerHex(value.address)}`;
    return { text: `(${value.type})${where} ${value.text}`, data: { ...value } };
  },
});
