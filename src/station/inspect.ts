import type { Caller, Inspection, InspectionRead, Outcome } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import type { Machine } from '../machine/machine.ts';
import { TimeSlice } from '../machines/shared/time-slice.ts';
import type { RackedMachine } from '../rack/racked-machine.ts';
import { stateLine } from '../rack/state-line.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { SharedLook } from './shared-look.ts';

/** A person looks at one moment, and whoever only looks must not hold a machine still for long. */
const longestHeldMs = 5000;
/** One that is stopped misses nothing. */
const longestStoppedMs = 15_000;

const looks = new WeakMap<Machine, SharedLook>();

/** Reads of one moment: a machine that runs is held still meanwhile, and nothing of it is kept in the journal. */
export async function inspect(
  { handle, machine }: RackedMachine,
  reads: readonly InspectionRead[],
  toolbox: Toolbox,
  caller: Caller,
): Promise<Inspection> {
  const runs = () => machine.status().state === 'RUNNING';
  const isHeld = (each: InspectionRead) => toolbox.readsAt(each.tool) === 'moment';
  let hold = runs() && machine.control && reads.some(isHeld) ? await lookAt(machine).begin() : undefined;
  const isRunning = runs();
  const letGo = () => {
    hold?.();
    hold = undefined;
  };
  const over = new AbortController();
  const tooLong = new MachineError('LIMIT_REACHED', 'This took too long.', 'Look at less at once.');
  const late = setTimeout(() => over.abort(tooLong), isRunning ? longestHeldMs : longestStoppedMs);
  const isGone = () => over.abort(caller.signal.reason);
  caller.signal.addEventListener('abort', isGone, { once: true });
  // A hundred reads that never wait would be one turn of the event loop.
  const slice = new TimeSlice();
  const read = async (each: InspectionRead): Promise<Outcome> => {
    if (slice.isOver && !over.signal.aborted) await slice.next();
    if (over.signal.aborted) return { type: 'error', error: tooLong };
    const reader = { ...caller, signal: over.signal, isQuiet: true };
    return toolbox.call(each.tool, { ...each.arguments, machine: handle }, reader);
  };
  const outcomes = new Map<InspectionRead, Outcome>();
  const { stop, time, state, ...rest } = machine.status();
  try {
    for (const each of reads.filter(isHeld)) outcomes.set(each, await read(each));
    letGo();
    for (const each of reads.filter((one) => !isHeld(one))) {
      outcomes.set(each, toolbox.readsAt(each.tool) === 'any time' ? await read(each) : refused(each.tool));
    }
  } finally {
    letGo();
    clearTimeout(late);
    caller.signal.removeEventListener('abort', isGone);
  }
  return {
    state,
    line: stateLine(handle, { ...rest, state, ...(stop && { stop }), ...(time !== undefined && { time }) }),
    ...(!isRunning && stop && { stop: stop.seq }),
    ...(time !== undefined && { time }),
    ...(over.signal.reason === tooLong && { isCutShort: true }),
    outcomes: reads.flatMap((each) => outcomes.get(each) ?? []),
  };
}

function lookAt(machine: Machine): SharedLook {
  const look = looks.get(machine) ?? new SharedLook(machine);
  looks.set(machine, look);
  return look;
}

function refused(tool: string): Outcome {
  const error = new MachineError('DENIED', `${tool.slice(0, 60)} does more than read.`, 'Call it.');
  return { type: 'error', error };
}
