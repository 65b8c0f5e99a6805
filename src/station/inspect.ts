import type { Caller, Inspection, InspectionRead, Outcome } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import { stateLine } from '../machine/state.ts';
import type { RackedMachine } from '../rack/racked-machine.ts';
import type { Toolbox } from '../tools/toolbox.ts';

/** Reads of one moment: a machine that runs is held still meanwhile, and nothing of it is kept in the journal. */
export async function inspect(
  { handle, machine }: RackedMachine,
  reads: readonly InspectionRead[],
  toolbox: Toolbox,
  caller: Caller,
): Promise<Inspection> {
  const isRunning = machine.status().state === 'RUNNING';
  const letGo = isRunning && machine.control ? await machine.control.hold() : () => {};
  const read = (each: InspectionRead): Promise<Outcome> =>
    toolbox.call(each.tool, { ...each.arguments, machine: handle }, { ...caller, isQuiet: true });
  const outcomes = new Map<InspectionRead, Outcome>();
  const isHeld = (each: InspectionRead) => toolbox.readsAt(each.tool) === 'moment';
  const { stop, time, state, ...rest } = machine.status();
  try {
    for (const each of reads.filter(isHeld)) outcomes.set(each, await read(each));
  } finally {
    letGo();
  }
  for (const each of reads.filter((one) => !isHeld(one))) {
    outcomes.set(each, toolbox.readsAt(each.tool) === 'any time' ? await read(each) : refused(each.tool));
  }
  return {
    state,
    line: stateLine(handle, { ...rest, state, ...(stop && { stop }), ...(time !== undefined && { time }) }),
    ...(!isRunning && stop && { stop: stop.seq }),
    ...(time !== undefined && { time }),
    outcomes: reads.flatMap((each) => outcomes.get(each) ?? []),
  };
}

function refused(tool: string): Outcome {
  const error = new MachineError('DENIED', `${tool.slice(0, 60)} does more than read.`, 'Call it.');
  return { type: 'error', error };
}
