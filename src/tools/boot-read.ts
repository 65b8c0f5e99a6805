import { z } from 'zod';
import type { BootLog } from '../machine/boot.ts';
import { advice, call, MachineError } from '../machine/errors.ts';
import type { Machine } from '../machine/machine.ts';
import { TimeSlice, unlessAborted } from '../machines/shared/time-slice.ts';
import { marksOf, type Phase, phasesOf, showPair, showPhase } from './boot/boot-phases.ts';
import { fenced } from './console/fence.ts';
import { defineTool } from './tool.ts';

const shownLineChars = 100;

export const bootRead = defineTool({
  name: 'boot_read',
  title: 'Time the phases of a boot',
  description:
    'How long each phase of a start took, by marks on the consoles (firmware, loader, kernel, init, prompt, or your own), in guest ' +
    'time and in real time; with "compare" next to the start of another machine, for example with another kernel.',
  toolset: 'timing',
  needs: ['console'],
  effect: 'read',
  letsTimePass: true,
  idempotent: true,
  input: z.object({
    marks: z
      .array(z.string().max(300))
      .min(1)
      .max(20)
      .optional()
      .describe('"NAME=TEXT" or "NAME=/REGEX/": the phase begins with the first line that has it'),
    compare: z.string().optional().describe('Another machine'),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run(machine, { marks: given, compare }, { signal, rack, handle }) {
    const slice = new TimeSlice(unlessAborted(signal));
    const marks = await marksOf(given, slice);
    const here = logOf(machine, handle);
    const there = compare === undefined ? undefined : logOf(rack.get(compare).machine, compare);
    const phases = await phasesOf(here, marks, slice);
    const others = there && (await phasesOf(there, marks, slice));
    const seen = (name: string) => [...phases, ...(others ?? [])].some((phase) => phase.name === name);
    const unseen = marks.map(({ name }) => name).filter((name) => !seen(name));
    const rows = others && compare !== undefined ? compared(phases, others, handle, compare) : phases.map(showPhase);
    const cut = [here, there].some((log) => log?.isCut);
    const text = [
      ...(others ? [`${handle} and ${compare}:`] : []),
      ...(rows.length > 0 ? rows : [`none of the marks has come on ${here.lines.length} lines`]),
      ...(unseen.length > 0 ? [`not seen: ${unseen.join(', ')}`] : []),
      ...(cut ? ['only the first lines of a start are kept; what came after them is not looked at'] : []),
      ...(phases.length > 0 ? [fenced(phases.map(firstLine).join('\n'), 'the lines with the marks')] : []),
    ];
    return { text: text.join('\n'), data: { phases, ...(others && { compared: others }), not_seen: unseen } };
  },
});

function logOf({ console, kind }: Machine, handle: string): BootLog {
  const log = console?.boot?.read();
  if (log) return log;
  throw new MachineError(
    'MISSING_CAPABILITY',
    `${handle} is a ${kind} machine, and the times of its lines are not kept.`,
    advice`Machines of kind qemu have them; ${call('machine_list')} shows what runs.`,
  );
}

function compared(
  phases: readonly Phase[],
  others: readonly Phase[],
  handle: string,
  other: string,
): readonly string[] {
  const both = phases.map((phase) => {
    const same = others.find(({ name }) => name === phase.name);
    return same ? showPair(phase, same) : `only ${handle}: ${showPhase(phase)}`;
  });
  const rest = others.filter(({ name }) => !phases.some((phase) => phase.name === name));
  return [...both, ...rest.map((phase) => `only ${other}: ${showPhase(phase)}`)];
}

function firstLine({ name, line }: Phase): string {
  return `${name}: ${line.slice(0, shownLineChars)}`;
}
