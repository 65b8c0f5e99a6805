import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import { fenced } from './console/fence.ts';
import { defineTool } from './tool.ts';

export const monitorExecute = defineTool({
  name: 'monitor_execute',
  title: 'Execute a monitor command',
  description:
    "A command in the emulator's own language, for what no tool covers: " +
    '{"command":"query-block"} or {"language":"hmp","command":"info mtree"}.',
  toolset: 'monitor',
  needs: ['monitor'],
  effect: 'destroy',
  openWorld: true,
  input: z.object({
    command: z.string().max(10_000),
    arguments: z.record(z.string(), z.unknown()).default({}).describe('Of the command, if the language has them'),
    language: z.string().optional().describe('e.g. qmp (default) or hmp'),
  }),
  async run({ monitor }, { command, arguments: args, language = monitor.languages[0] ?? '' }) {
    if (!monitor.languages.includes(language)) {
      const fix = `Languages: ${monitor.languages.join(', ')}.`;
      throw new MachineError('INVALID_ARGUMENT', `No monitor language ${language.slice(0, 40)}.`, fix);
    }
    const answer = await monitor.execute(language, command, args);
    return { text: fenced(answer, `${language} answer`), data: { language, command, answer } };
  },
});
