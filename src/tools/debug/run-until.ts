import type { ToolAnswer } from '../../api/tool-host.ts';
import type { RunLimits } from '../../machine/control.ts';
import { MachineError } from '../../machine/errors.ts';
import type { MachineWith } from '../../machine/machine.ts';
import type { Stop } from '../../machine/state.ts';
import type { ToolContext } from '../tool.ts';
import { addressOf } from './address.ts';
import { ScreenWatch } from './screen-watch.ts';

/** How often the screen is looked at while waiting for something on it, in frames where the machine has them. */
const framesBetweenLooks = 5;
const msBetweenLooks = 150;

export interface RunWanted {
  readonly frames?: number | undefined;
  readonly cycles?: number | undefined;
  readonly until?: string | undefined;
  readonly condition?: string | undefined;
  readonly screen_text?: string | undefined;
  readonly screen_stable_ms?: number | undefined;
  readonly back?: boolean;
  readonly timeout_ms: number;
  /** The call has done something before, which may have come to a stop of its own. */
  readonly follows?: boolean;
}

type RunContext = Pick<ToolContext, 'signal' | 'progress' | 'rack' | 'isDebugger'> & { readonly handle: string };

/** Lets time pass until something happens, and tells what. */
export async function runUntil(
  machine: MachineWith<'control'>,
  asked: RunWanted,
  { signal, progress, rack, handle, isDebugger }: RunContext,
): Promise<ToolAnswer> {
  const limits = await limitsOf(machine, asked);
  const { framesPerSecond } = machine.control;
  if (framesPerSecond === undefined) refuseFrames(asked);
  const watch = await ScreenWatch.of(machine.screen, asked);
  const began = performance.now();
  const racked = rack.get(handle);
  const untold = isDebugger ? undefined : racked.untoldStop();
  if (untold) return missed(untold, asked);
  if (!watch) {
    const stop = await machine.control.run(limits, signal);
    const told = elapsed(began, stop.reason);
    const isIdle = stop.cause === 'limit' && (await nothingStops(machine, asked));
    return { text: isIdle ? `${told}; ${unstopped}` : told, data: { stop } };
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
}

async function limitsOf(machine: MachineWith<'control'>, asked: RunWanted): Promise<RunLimits> {
  const { frames, cycles, condition, back = false, timeout_ms: wallMs } = asked;
  if (asked.until === undefined) return { frames, cycles, condition, back, wallMs };
  if (!machine.addresses) {
    throw new MachineError('MISSING_CAPABILITY', 'This machine has no addresses.', 'Leave until out.');
  }
  return { frames, cycles, condition, back, wallMs, address: await addressOf(asked.until, machine.addresses) };
}

function refuseFrames({ frames }: RunWanted): void {
  if (frames === undefined) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    'This machine runs in real time and counts no frames.',
    'Use timeout_ms, until, condition, screen_text or screen_stable_ms.',
  );
}

const unstopped = 'no breakpoint is set, and the call had none of frames, cycles, until, condition and screen_text';

/** An agent that waits for a breakpoint it does not have would wait again. */
async function nothingStops(machine: MachineWith<'control'>, asked: RunWanted): Promise<boolean> {
  const { frames, cycles, until, condition, back } = asked;
  if (back || [frames, cycles, until, condition].some((each) => each !== undefined)) return false;
  const set = await machine.breakpoints?.list();
  return set !== undefined && !set.some(({ enabled }) => enabled);
}

/** To go on from it would be to lose it. */
function missed(stop: Stop, { follows }: RunWanted) {
  const what = follows ? 'nothing was waited for after it.' : 'it had stopped before this call. Call again to go on.';
  return { text: `${stop.reason}; ${what}`, data: { stop } };
}

function stopsTheWait({ cause }: Stop): boolean {
  return cause !== 'limit';
}

function elapsed(began: number, reason: string): string {
  return `${reason} · ${((performance.now() - began) / 1000).toFixed(2)} s real time`;
}
