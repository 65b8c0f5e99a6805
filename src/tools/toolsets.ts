import type { ToolsetSummary } from '../api/tool-host.ts';
import { advice, call, MachineError } from '../machine/errors.ts';

/**
 * Tools by what they are for. Those of a `listed` set are in every client's list from the start; the others appear when
 * a machine runs that they work on.
 */
export const toolsets = {
  machines: { listed: true, purpose: 'start, run, reset and stop machines, make several calls at once, find tools' },
  screen: { listed: true, purpose: 'see the screen, type, click, steer, run programs' },
  console: { listed: true, purpose: 'type on a serial console and read it, run shell commands' },
  media: { listed: true, purpose: 'insert and remove disks, tapes and cartridges' },
  snapshots: { listed: true, purpose: 'save, restore and fork machines' },
  debug: { listed: true, purpose: 'registers, memory, disassembly, single steps, breakpoints' },
  search: { listed: false, purpose: 'find values in memory by pattern or by how they change, compare, freeze them' },
  code: { listed: false, purpose: 'understand a program: functions, control flow, coverage, calling a routine' },
  names: { listed: false, purpose: 'load symbols, name and annotate addresses, export and import names' },
  log: {
    listed: false,
    purpose: 'what happened: events, log-only breakpoints, service calls, instruction traces, history, past screens',
  },
  timing: { listed: false, purpose: 'count cycles, see a frame cycle by cycle, profile where time goes' },
  chips: { listed: false, purpose: 'look into chips and devices and change them: sprites, timers, sound, video' },
  play: { listed: false, purpose: 'play inputs frame by frame, record sound' },
  system: {
    listed: false,
    purpose:
      'what an operating system has set up in the processor, why it died, and its data by types: page tables, exceptions, debug information',
  },
  guest: { listed: false, purpose: 'wait for a boot and log in, copy files in and out, set up and record a console' },
  network: { listed: false, purpose: 'capture and read network packets' },
  monitor: { listed: false, purpose: "monitor commands of the emulator, a port for the user's own debugger" },
} as const satisfies Readonly<Record<string, { readonly listed: boolean; readonly purpose: string }>>;

/** Inner tools are for dialects: parts of ours that their tools are made of. */
export type Toolset = keyof typeof toolsets | 'inner';

/**
 * `auto`: the short list, and more as machines start; `short`: the short list for good, the rest by `tool_find`; `all`:
 * everything in the list from the start. Names: these tools and no others.
 */
export const toolsetChoices = ['auto', 'short', 'all', ...namesOf(toolsets)] as const;
export type ToolsetChoice = (typeof toolsetChoices)[number];

export const toolsetSummaries: readonly ToolsetSummary[] = namesOf(toolsets).map((name) => ({
  name,
  ...toolsets[name],
}));

/** The one way to say that a tool is not to be had. */
export function switchedOff(tool: string, toolset: Toolset): MachineError {
  return new MachineError(
    'UNKNOWN_TOOL',
    `${tool} belongs to the toolset ${toolset}, which is switched off.`,
    `Start the server without --toolset, or add ${toolset} to it.`,
    { toolset },
  );
}

/** The one way to say that there is no such tool. */
export function noSuchTool(name: string, meant: string, alike: readonly string[]): MachineError {
  return new MachineError('UNKNOWN_TOOL', `No tool ${JSON.stringify(name.slice(0, 60))}.${meant}`, [
    ...(alike.length > 0 ? [advice`By its words: ${alike.join(', ')}.`] : []),
    advice`${call('tool_find', { find: 'what you want to do' })} finds tools by purpose.`,
    advice`Toolsets: ${namesOf(toolsets).join(', ')}.`,
  ]);
}

function namesOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}
