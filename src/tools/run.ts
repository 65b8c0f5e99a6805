import { z } from 'zod';
import type { ControlCapability, RunLimits } from '../machine/control.ts';
import { MachineError } from '../machine/errors.ts';
import type { MachineWith } from '../machine/machine.ts';
import type { Stop } from '../machine/state.ts';
import { addressOf } from './debug/address.ts';
import { requireRewind } from './debug/require-rewind.ts';
import { ScreenWatch } from './debug/screen-watch.ts';
import { defineTool } from './tool.ts';

/** How often the screen is looked at while waiting for something on it, in frames where the machine has them. */
const framesBetweenLooks = 5;
const msBetweenLooks = 150;

const input = z.object({
  frames: z.number().int().min(1).optional(),
  cycles: z.number().int().min(1).optional(),
  until: z.string().optional().describe('Address'),
  condition: z.string().max(500).optional().describe('"raster_line == 100", "dword[n] > 7"'),
  screen_text: z.string().max(1000).optional().describe('Text or /regex/'),
  screen_stable_ms: z.number().int().min(20).max(60_000).optional(),
  back: z.boolean().default(false).describe('Into the past'),
  detach: z.enum(['real', 'warp']).optional(),
  timeout_ms: z.number().int().min(1).max(50_000).default(20_000),
});

export const run = defineTool({
  name: 'run',
  title: 'Run',
  description:
    'Run a machine until something happens: {"screen_text":"READY."}, {"frames":50}, a breakpoint. ' +
    'Tells why it stopped; the time limit is no error. detach: do not wait.',
  toolset: 'machines',
  needs: ['control'],
  effect: 'change',
  input,
  async run(machine, asked, { signal, progress, rack, handle, isDebugger }) {
    if (asked.detach !== undefined) return detach(machine.control, asked);
    if (asked.back) requireRewind(machine.control);
    const limits = await limitsOf(machine, asked);
    const { framesPerSecond } = machine.control;
    if (framesPerSecond === undefined) refuseFrames(asked);
    const watch = await ScreenWatch.of(machine.screen, asked);
    const began = performance.now();
    const racked = rack.get(handle);
    const untold = isDebugger ? undefined : racked.untoldStop();
    if (untold) return missed(untold);
    if (!watch) {
      const stop = await machine.control.run(limits, signal);
      return { text: elapsed(began, stop.reason), data: { stop } };
    }
    const end = began + asked.timeout_ms;
    let framesLeft = asked.frames ?? Number.POSITIVE_INFINITY;
    for (;;) {
      const seen = await watch.look();
      // While the screen was looked at, the machine may have run on.
      const passed = racked.untoldStop();
      if (passed) return { text: elapsed(began, passed.reason), data: { stop: passed } };
      if (seen) return { text: elapsed(began, seen), data: { reason: seen } };
      const wallMs = end - performance.now();
      if (wallMs <= 0 || framesLeft <= 0) {
        const lines = [elapsed(began, watch.missed), watch.shown].filter(Boolean);
        return { text: lines.join('\n'), data: { reason: 'limit' } };
      }
      const frames = Math.min(framesBetweenLooks, framesLeft);
      const slice = framesPerSecond === undefined ? { wallMs: Math.min(msBetweenLooks, wallMs) } : { frames, wallMs };
      const before = performance.now();
      const { time } = machine.status();
      const stop = await machine.control.run({ ...limits, ...slice }, signal);
      const isAtBeginning = asked.back && machine.status().time === time;
      if (stopsTheWait(stop) || isAtBeginning || signal.aborted) {
        return { text: elapsed(began, isAtBeginning ? 'the past begins here' : stop.reason), data: { stop } };
      }
      watch.passed(framesPerSecond === undefined ? performance.now() - before : (frames * 1000) / framesPerSecond);
      framesLeft -= frames;
      progress(`${((performance.now() - began) / 1000).toFixed(0)} s`);
    }
  },
});

/** What stops it later is an event, and changes its status. */
async function detach(control: ControlCapability, { detach: pace = 'real', ...asked }: z.output<typeof input>) {
  const { frames, cycles, until, condition, screen_text, screen_stable_ms } = asked;
  const limits = [frames, cycles, until, condition, screen_text, screen_stable_ms];
  if (limits.some((limit) => limit !== undefined) || asked.back) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      'A detached run has no limits and does not go back: nobody waits for it.',
      'Leave the others out; set a breakpoint for where it has to stop.',
    );
  }
  if (control.runFreely) await control.runFreely(pace);
  else if (pace === 'real') await control.run({ wallMs: 0 }, new AbortController().signal);
  else {
    const fix = 'Use "detach":"real".';
    throw new MachineError('INVALID_ARGUMENT', 'This machine runs in real time and no faster.', fix);
  }
  return { text: 'It runs on until pause, a breakpoint or an error.', data: { detached: pace } };
}

async function limitsOf(machine: MachineWith<'control'>, asked: z.output<typeof input>): Promise<RunLimits> {
  const { frames, cycles, condition, back, timeout_ms: wallMs } = asked;
  if (asked.until === undefined) return { frames, cycles, condition, back, wallMs };
  if (!machine.addresses) {
    throw new MachineError('MISSING_CAPABILITY', 'This machine has no addresses.', 'Leave until out.');
  }
  return { frames, cycles, condition, back, wallMs, address: await addressOf(asked.until, machine.addresses) };
}

function refuseFrames({ frames }: z.output<typeof input>): void {
  if (frames === undefined) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    'This machine runs in real time and counts no frames.',
    'Use timeout_ms, until, condition, screen_text or screen_stable_ms.',
  );
}

/** To go on from it would be to lose it. */
function missed(stop: Stop) {
  return { text: `${stop.reason}; it had stopped before this call. Call again to go on.`, data: { stop } };
}

function stopsTheWait({ cause }: Stop): boolean {
  return cause !== 'limit';
}

function elapsed(began: number, reason: string): string {
  return `${reason} · ${((performance.now() - began) / 1000).toFixed(2)} s real time`;
}
