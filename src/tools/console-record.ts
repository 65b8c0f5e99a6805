import { z } from 'zod';
import type { RecordingStatus } from '../machine/console.ts';
import { MachineError } from '../machine/errors.ts';
import { portNamed } from './console/port-named.ts';
import { defineTool } from './tool.ts';

export const consoleRecord = defineTool({
  name: 'console_record',
  title: 'Record a console',
  description:
    'Record a console to a file: exact bytes and a time index beside it. Actions: start (path), mark (label), stop, ' +
    'status, export (path): asciicast v2 with marks as chapters.',
  toolset: 'guest',
  needs: ['console'],
  effect: 'change',
  input: z.object({
    port: z.string().optional(),
    action: z.enum(['start', 'mark', 'stop', 'status', 'export']),
    path: z.string().optional().describe('New file, below an allowed path'),
    history: z.boolean().default(false).describe('start: with the output already kept'),
    label: z.string().max(200).optional(),
  }),
  async run(machine, { port: name, action, path, history, label }) {
    const { recording } = portNamed(machine.console, name);
    switch (action) {
      case 'start':
        return report(await recording.start(needed('path', path), { withHistory: history }));
      case 'mark':
        recording.mark(needed('label', label));
        return report(recording.status);
      case 'stop':
        return report(await recording.stop());
      case 'status':
        return report(recording.status);
      case 'export': {
        const cast = await recording.exportAsciicast(needed('path', path));
        return { text: `${cast.path}: ${cast.events} events, ${cast.seconds.toFixed(1)} s`, data: cast };
      }
    }
  },
});

function needed(name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new MachineError('INVALID_ARGUMENT', `This action needs ${name}.`, `Add "${name}" to the arguments.`);
}

function report(status: RecordingStatus | undefined) {
  if (!status) return { text: 'Nothing is or was recorded.', data: { active: false } };
  const missing = status.missing ? `; ${status.missing.bytes} bytes are MISSING: ${status.missing.reason}` : '';
  const state = status.active ? 'recording' : 'recorded';
  return {
    text: `${state} ${status.path}: ${plural(status.bytes, 'byte')}, ${plural(status.marks, 'mark')}; times in ${status.indexPath}${missing}`,
    data: { ...status },
  };
}

function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
