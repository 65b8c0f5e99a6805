import type { Caller, ToolHost } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import { type AdviceNames, adviceIn } from './advice-names.ts';
import type { Dialect } from './dialect.ts';
import type { DialectValues } from './dialect-option.ts';
import { annotationTools } from './vice/annotation-tools.ts';
import { breakpointTools } from './vice/breakpoint-tools.ts';
import { configTools } from './vice/config-tools.ts';
import { eventTools } from './vice/event-tools.ts';
import { executionTools } from './vice/execution-tools.ts';
import { fileTools } from './vice/file-tools.ts';
import { machineTools } from './vice/machine-tools.ts';
import { kindList, kindNamed } from './vice/machines.ts';
import { memoryTools } from './vice/memory-tools.ts';
import { otherChipTools } from './vice/other-chip-tools.ts';
import { profileTools } from './vice/profile-tools.ts';
import { registerTools } from './vice/register-tools.ts';
import { traceTools } from './vice/trace-tools.ts';
import { vic2Tools } from './vice/vic2-tools.ts';
import { ViceCall } from './vice/vice-call.ts';
import { ViceEvents } from './vice/vice-events.ts';
import { unavailable } from './vice/vice-tool.ts';

const attachTools: Readonly<Record<string, string>> = {
  cartridge: 'vice.files.attach_cartridge',
  tape: 'vice.files.attach_tape',
  drive8: 'vice.files.attach_disk',
};

const adviceNames: AdviceNames = {
  pause: 'vice.execution.pause',
  run: 'vice.execution.run',
  step: ({ back }) => (back === true ? undefined : 'vice.execution.step'),
  machine_reset: 'vice.execution.reset',
  registers_write: 'vice.registers.set',
  breakpoint_list: 'vice.breakpoints.list',
  breakpoint_delete: 'vice.breakpoints.delete',
  memory_read: 'vice.memory.read',
  memory_write: 'vice.memory.write',
  memory_search: 'vice.memory.search',
  media_attach: ({ slot }) => attachTools[String(slot)],
  program_run: 'vice.files.autostart',
};

function viceWith(version: string): Dialect {
  const events = new ViceEvents();
  return {
    name: 'vice',
    instructions:
      'A Commodore that is running when you connect. Call vice.machine.capabilities first. Each answer has execution_state and pc; ' +
      'vice.execution.pause before you change memory or registers, vice.execution.run to go on. Resets, large writes and changes ' +
      'of the configuration return a token first: call again with confirmation_token.',
    notes: [
      'The machine is named with `--machine NAME` and runs when the client connects: `c64`, `vic20`, `plus4` or `c16`, with PAL unless `_ntsc` follows.',
      'All tools are always listed. What the machine does not have is refused with −32601 and `{tool, machine, reason}`, as is a name that is not a tool.',
      'Addresses are taken as `"$C000"`, `"0xC000"`, a number, a symbol or `file:line`, and given as `"$C000"`; registers of the processor are numbers.',
      '`vice.files.autostart` also loads what lies beside the program under the same name: `.dbg`, `.vs`, `.labels`, `.lbl` and `.sym` for names and lines, `.asm`, `.s` and `.a` for annotations. A source given as `path` is assembled. Annotations take their addresses from labels and lines that are known, and go when another program is loaded in their place.',
      'In a trace `annotation` is the label of the nearest annotation, or the symbol if that is nearer.',
      'A VIC-20 has VIAs where the design speaks of CIAs: `vice.via1.registers.get` and `vice.via2.registers.get`.',
      'The standard of a Plus/4 or C16 is chosen when it is started (`plus4_ntsc`): its TED cannot be exchanged while it runs.',
    ],
    tools: [
      ...machineTools(version),
      ...eventTools(events),
      ...executionTools,
      ...registerTools,
      ...memoryTools,
      ...breakpointTools,
      ...vic2Tools,
      ...otherChipTools,
      ...configTools,
      ...profileTools,
      ...fileTools,
      ...traceTools,
      ...annotationTools,
    ],
    pushes: events,
    advice: adviceNames,
    configured: (_values, { version: own }) => viceWith(own),
    prepare: startMachine,
    refuse: (tool, host) => {
      const { facts } = new ViceCall(host, operator());
      return unavailable(tool.slice(0, 100), facts.name, `There is no tool ${tool.slice(0, 100)}`);
    },
  };
}

function operator(): Caller {
  return { client: 'operator', role: 'own', signal: new AbortController().signal, progress: () => {} };
}

/** A machine runs when the first client comes. */
async function startMachine(host: ToolHost, { machine = 'c64' }: DialectValues): Promise<void> {
  const [, name = '', standard] = /^(.*?)(?:[-_ ](pal|ntsc))?$/is.exec(String(machine)) ?? [];
  const kind = kindNamed(name);
  if (kind === undefined) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      `--machine ${machine}: there is no such machine.`,
      `Machines: ${kindList()}. Another standard: c64_ntsc.`,
    );
  }
  const video = standard?.toLowerCase();
  const options = { clock: 'real', ...(video !== undefined && { video }) };
  const outcome = await host.call('machine_start', { kind, options }, operator());
  if (outcome.type !== 'error') {
    // It belongs to the server, whoever uses it or not.
    const started = host.machines().find((each) => each.kind === kind);
    host.keepWhile((handle) => handle === started?.handle);
    return;
  }
  const { type, message, data } = outcome.error;
  const fix = adviceIn(adviceNames, outcome.error);
  throw new MachineError(type, `--machine ${machine}: ${message}`, fix, data, { cause: outcome.error });
}

/** The surface of the design of an MCP server inside of VICE. */
export const vice: Dialect = viceWith('');
