import { z } from 'zod';
import { jsonData } from '../api/json-data.ts';
import type { ToolAnswer } from '../api/tool-host.ts';
import type { ConsoleAccess } from '../machine/console.ts';
import { advice, adviceText, call } from '../machine/errors.ts';
import { capabilitiesOf } from '../machine/machine.ts';
import { heldBy } from '../rack/person-hold.ts';
import type { RackedMachine } from '../rack/racked-machine.ts';
import { describeVisitor } from './console/describe-visitor.ts';
import { fitJson } from './fit-json.ts';
import { matchesWords, pageByName } from './name-page.ts';
import { defineRackTool } from './tool.ts';

const longestWaitMs = 50_000;
export interface Listed {
  readonly handle: string;
  readonly text: string;
  readonly data: Record<string, unknown>;
  /** Of the longer of the two. */
  readonly chars: number;
}

/** Machines that are not in this rack, as it would list them, and what people left word of on them. */
export interface DescribedMachines {
  readonly machines: readonly Listed[];
  readonly notes: readonly string[];
}

export const machineList = defineRackTool({
  name: 'machine_list',
  title: 'List machines',
  description: 'Running machines with state and capabilities.',
  toolset: 'machines',
  effect: 'read',
  idempotent: true,
  input: z.object({
    filter: z.string().max(200).optional().describe('Words of name, kind, state'),
    after: z.string().max(48).optional().describe('Last handle seen'),
    wait_for: z.string().optional().describe('Handle: wait until a person hands it back'),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ format, filter, after, wait_for }, context) {
    const { rack, signal, person, toolbox } = context;
    const returned = wait_for === undefined ? undefined : toolbox.outside?.whenFree(wait_for, context);
    if (wait_for !== undefined && !returned) await rack.get(wait_for).hold.whenFree(longestWaitMs, signal);
    const told = (await returned) ?? [];
    const there = (await toolbox.outside?.describe({ filter, after }, context)) ?? { machines: [], notes: [] };
    const notes = person === undefined ? rack.machines.flatMap(({ hold }) => hold.takeNote() ?? []) : [];
    const { listed, left } = pageOf(rack.machines, there, filter, after);
    const running = rack.handles.length;
    const nextEvent = rack.events.nextSeq;
    return listAnswer({ listed, left, running, notes: [...told, ...notes, ...there.notes], nextEvent }, format);
  },
});

interface Page {
  readonly listed: readonly Omit<Listed, 'chars'>[];
  readonly left: number;
  readonly running: number;
  readonly notes: readonly string[];
  readonly nextEvent: number;
  /** On what hosts they are, in a fleet. */
  readonly hosts?: { readonly text: string; readonly data: readonly unknown[] };
}

export function listAnswer({ listed, left, running, notes, nextEvent, hosts }: Page, format?: string): ToolAnswer {
  const last = left > 0 ? listed.at(-1)?.handle : undefined;
  const data = {
    machines: listed.map(({ data }) => data),
    next_event: nextEvent,
    ...(last !== undefined && { left_out: left, after: last }),
    ...(notes.length > 0 && { notes }),
    ...(hosts && { hosts: hosts.data }),
  };
  if (format === 'json') return { text: fitJson(data), data };
  const more = last === undefined ? [] : [`${left} more; go on with "after":${JSON.stringify(last)}`];
  const lines = listed.length > 0 ? listed.map(({ text }) => text) : [noneText(running)];
  return { text: [...notes, ...lines, ...more, ...(hosts ? [hosts.text] : [])].join('\n'), data };
}

function noneText(running: number): string {
  return running === 0
    ? adviceText([advice`No machine is running. Start one with ${call('machine_start')}.`])
    : `None of ${running} ${running === 1 ? 'machine' : 'machines'} fits.`;
}

/** Those that fit the filter, in the order of their names, which lasts while machines come and go. */
function pageOf(
  machines: readonly RackedMachine[],
  outside: DescribedMachines,
  filter: string | undefined,
  after: string | undefined,
) {
  const fitting = machines
    .filter(({ handle, machine, title }) =>
      matchesWords([handle, machine.kind, machine.status().state, title ?? ''], filter),
    )
    .map((racked) => ({ handle: racked.handle, described: () => describeMachine(racked) }));
  const there = outside.machines.map((each) => ({ handle: each.handle, described: () => each }));
  return pageByName([...fitting, ...there], after, ({ described }) => described());
}

export function describeMachine(racked: RackedMachine): Listed {
  const text = asText(racked);
  const data = jsonData(asData(racked));
  return { handle: racked.handle, text, data, chars: Math.max(text.length, JSON.stringify(data).length) };
}

function asText(racked: RackedMachine): string {
  const { machine } = racked;
  const kept = racked.isKept ? '; kept by the configuration' : '';
  const called = racked.title === undefined ? '' : ` (called ${JSON.stringify(racked.title)})`;
  const lines = [racked.tellState(), `  ${machine.kind}${called}; can: ${capabilitiesOf(machine).join(', ')}${kept}`];
  for (const { name, link, output, humans, access } of machine.console?.ports ?? []) {
    const trouble = link.lastError && link.state !== 'up' ? `; ${link.lastError}` : '';
    const lost = link.losses > 0 ? `; lost ${link.losses}×` : '';
    lines.push(
      `  port ${name}: ${link.target} ${link.state}${trouble}${lost}; ${output.end} bytes in, ${link.bytesOut} out; ` +
        `${humans.watching} watching${whoIsOn(access)}`,
    );
  }
  const { holder: person } = racked.hold;
  if (person) lines.push(`  ${heldBy(person.name)}: only reading is possible`);
  const { holder } = racked.queue;
  if (holder)
    lines.push(`  busy with ${holder.what} since ${((performance.now() - holder.since) / 1000).toFixed(1)} s`);
  return lines.join('\n');
}

function whoIsOn({ present, writer }: ConsoleAccess): string {
  if (present.length === 0) return '';
  const names = present.map((each) => `${describeVisitor(each)}${each.id === writer?.id ? ' (has the line)' : ''}`);
  return `; on: ${names.join(', ')}`;
}

function asData(racked: RackedMachine): Record<string, unknown> {
  const { machine } = racked;
  return {
    machine: racked.handle,
    kind: machine.kind,
    ...machine.status(),
    capabilities: capabilitiesOf(machine),
    idle_s: Math.round(racked.idleMs / 1000),
    ...(racked.isKept && { kept: true }),
    ...(racked.title !== undefined && { title: racked.title }),
    ...(racked.hold.holder && { held_by: racked.hold.holder.name }),
    ...(machine.console && {
      ports: machine.console.ports.map(({ name, link, output, humans, writePolicy, access }) => ({
        name,
        link,
        buffer: { start: output.start, end: output.end, capacity: output.capacity },
        socket_in: humans.socketIn,
        socket_out: humans.socketOut,
        watching: humans.watching,
        write_policy: writePolicy,
        present: access.present,
        writer: access.writer?.name ?? null,
      })),
    }),
  };
}
