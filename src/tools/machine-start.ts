import { z } from 'zod';
import { usualMostChars } from '../api/argument-limits.ts';
import { parseArguments } from '../api/arguments.ts';
import { advice, adviceText, call } from '../machine/errors.ts';
import { capabilitiesOf } from '../machine/machine.ts';
import type { RackLimits } from '../rack/rack.ts';
import { openStartPorts, portLine } from './debug-port.ts';
import { startFromSnapshot } from './start-from-snapshot.ts';
import { defineRackTool } from './tool.ts';

export const machineStart = defineRackTool({
  name: 'machine_start',
  title: 'Start a machine',
  description:
    'Start a machine, or attach to a serial console. ' +
    'Examples: {"kind":"c64"}, {"kind":"console","options":{"port":4555}}.',
  toolset: 'machines',
  effect: 'change',
  openWorld: true,
  input: z.object({
    kind: z.string().describe('From machine_kinds'),
    name: z.string().optional().describe('Handle; default KIND-NUMBER'),
    options: z.record(z.string(), z.unknown()).optional(),
    snapshot: z.string().optional().describe('File of snapshot_save'),
  }),
  async run({ kind, name, options, snapshot }, { rack, signal, toolbox, via }) {
    const start = () => {
      const checked = parseArguments(`options of ${kind}`, rack.kind(kind).options, options, usualMostChars);
      return rack.start(kind, checked, name);
    };
    const racked = await (snapshot === undefined
      ? start()
      : startFromSnapshot({ kind, name, options, path: snapshot }, rack, signal));
    const ports = await openStartPorts(rack, racked.handle, racked.startOptions).catch(async (error: unknown) => {
      await rack.stop(racked.handle, 'its port for a debugger could not be opened');
      throw error;
    });
    const capabilities = capabilitiesOf(racked.machine);
    const { idleTimeoutMs } = rack.limits;
    const introduction = racked.machine.introduction?.() ?? [];
    // A dialect has its own tools, all of them listed.
    const beyond = via === undefined ? toolbox.beyondTheList(racked.machine) : [];
    const more =
      beyond.length === 0 ? [] : [adviceText([advice`More for it with ${call('tool_find')}: ${beyond.join(', ')}.`])];
    const page = await rack.introducePage();
    const watch = page === undefined ? [] : [`The user can watch and take over at ${page}`];
    return {
      text: [
        racked.stateLine,
        `Can: ${capabilities.join(', ')}. ${endOf(rack.limits)}`,
        ...more,
        ...introduction,
        ...ports.map(portLine),
        ...watch,
      ].join('\n'),
      data: {
        machine: racked.handle,
        kind,
        state: racked.machine.status().state,
        capabilities,
        toolsets: beyond,
        idle_timeout_s: idleTimeoutMs / 1000,
        ...(page !== undefined && { page }),
        ...(ports.length > 0 && { debug_ports: ports }),
        ...(racked.machine.console && { ports: racked.machine.console.ports.map(describePort) }),
      },
    };
  },
});

function describePort(port: { name: string; humans: { socketIn: string; socketOut: string } }) {
  return { name: port.name, socket_in: port.humans.socketIn, socket_out: port.humans.socketOut };
}

function endOf({ endsWithCall, idleTimeoutMs }: RackLimits): string {
  if (endsWithCall) return 'It ends with this command: `frontpanel serve` keeps machines for the next one.';
  if (idleTimeoutMs === 0) return 'It runs until it is stopped.';
  return `Stopped automatically after ${duration(idleTimeoutMs)} idle.`;
}

function duration(ms: number): string {
  return ms % 3_600_000 === 0 ? `${ms / 3_600_000} h` : ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}
