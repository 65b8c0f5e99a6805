import { z } from 'zod';
import { cpuArgument } from './debug/processor.ts';
import { readState } from './debug/read-state.ts';
import { defineTool } from './tool.ts';

export const stateRead = defineTool({
  name: 'state_read',
  title: 'Read the state',
  description: 'Registers, next instructions (0: registers alone), call stack.',
  toolset: 'debug',
  needs: ['cpu', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    instructions: z.number().int().min(0).max(50).default(8),
    cpu: cpuArgument.describe('drive8, vcpu1 …'),
    format: z.enum(['text', 'json']).optional(),
  }),
  run: (machine, { instructions, cpu }) => readState(machine, { instructions, cpu }),
});
