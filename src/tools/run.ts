import { z } from 'zod';
import type { ControlCapability } from '../machine/control.ts';
import { MachineError } from '../machine/errors.ts';
import { requireRewind } from './debug/require-rewind.ts';
import { runUntil } from './debug/run-until.ts';
import { showArgument, withShown } from './debug/shown.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  frames: z.number().int().min(1).optional(),
  cycles: z.number().int().min(1).optional(),
  until: z.string().optional().describe('Address'),
  condition: z.string().max(500).optional().describe('"raster_line == 100", "dword[n] > 7"'),
  screen_text: z.string().max(1000).optional().describe('Text or /regex/'),
  screen_stable_ms: z.number().int().min(20).max(60_000).optional(),
  back: z.boolean().default(false).describe('Into the past'),
  detach: z.enum(['real', 'warp']).optional(),
  show: showArgument,
  timeout_ms: z.number().int().min(1).max(50_000).default(20_000),
});

export const run = defineTool({
  name: 'run',
  title: 'Run',
  description:
    'Run a machine until something happens: {"screen_text":"READY."}, {"frames":50}, a breakpoint. ' +
    'Reports why it stops; a time limit is not an error. detach: do not wait.',
  toolset: 'machines',
  needs: ['control'],
  effect: 'change',
  input,
  async run(machine, asked, context) {
    if (asked.detach !== undefined) return detach(machine.control, asked);
    if (asked.back) requireRewind(machine);
    return withShown(machine, asked.show, () => runUntil(machine, asked, context));
  },
});

/** What stops it later is an event, and changes its status. */
async function detach(control: ControlCapability, { detach: pace = 'real', ...asked }: z.output<typeof input>) {
  const { frames, cycles, until, condition, screen_text, screen_stable_ms } = asked;
  const limits = [frames, cycles, until, condition, screen_text, screen_stable_ms];
  if (limits.some((limit) => limit !== undefined) || asked.back) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      'A detached run takes no limits and cannot go back, because the call does not wait for it.',
      'Leave the others out; set a breakpoint where it should stop.',
    );
  }
  if (control.runFreely) await control.runFreely(pace);
  else if (pace === 'real') await control.run({ wallMs: 0 }, new AbortController().signal);
  else {
    const fix = 'Use "detach":"real".';
    throw new MachineError('INVALID_ARGUMENT', 'This machine runs in real time and no faster.', fix);
  }
  return { text: 'It keeps running until pause, a breakpoint or an error.', data: { detached: pace } };
}
