import { z } from 'zod';
import type { ToolAnswer } from '../api/tool-host.ts';
import type { Machine } from '../machine/machine.ts';
import { mostNamed, namedShortly } from '../rack/machine-name.ts';
import { defineRackTool } from './tool.ts';

export const machineStop = defineRackTool({
  name: 'machine_stop',
  title: 'Stop a machine',
  description: 'Stop a machine for good, or detach from a console. Does not wait for other calls.',
  toolset: 'machines',
  effect: 'destroy',
  idempotent: true,
  input: z.object({
    machine: z.string(),
  }),
  async run({ machine }, { rack, via, person }) {
    const { hold, machine: running } = rack.get(machine);
    hold.requireFree(via ?? 'this', person);
    const lost = await lossOf(running);
    await rack.stop(machine, 'stopped by a call');
    return stopAnswer(machine, lost, rack.handles);
  },
});

export function stopAnswer(machine: string, lost: string, alive: readonly string[]): ToolAnswer {
  return {
    text: `${machine} OFF · stopped.${lost === '' ? '' : ` Gone with it: ${lost}.`} ${alive.length > 0 ? `Still running: ${namedShortly(alive)}.` : 'No machine is running now.'}`,
    data: { machine, stopped: true, machines: alive.slice(0, mostNamed), ...(lost !== '' && { lost }) },
  };
}

/** What was never written to a file; a machine that does not answer any more has nothing to tell. */
async function lossOf(machine: Machine): Promise<string> {
  const { snapshots, breakpoints, media, names: named } = machine;
  const none = () => [];
  // Names of a program are kept with it.
  const given = named && named.program === undefined ? await named.list().catch(none) : [];
  const saved = (await snapshots?.list().catch(none)) ?? [];
  const set = (await breakpoints?.list().catch(none)) ?? [];
  const changed =
    media?.slots.filter((slot) => slot.changed).map(({ name, medium }) => `${name} (${medium ?? ''})`) ?? [];
  const names = saved.slice(0, 5).map(({ name }) => name);
  return [
    ...(saved.length > 0
      ? [`${count(saved.length, 'snapshot')} (${names.join(', ')}${saved.length > 5 ? ' …' : ''})`]
      : []),
    ...(set.length > 0 ? [count(set.length, 'breakpoint')] : []),
    ...(given.length > 0 ? [`${count(given.length, 'name')} of addresses`] : []),
    ...(machine.unsaved?.() ?? []),
    ...(changed.length > 0 ? [`changes to ${changed.join(', ')}`] : []),
  ].join('; ');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
