import { z } from 'zod';
import { type DebugPort, type DebugPorts, debugProtocols } from '../api/debug-ports.ts';
import { advice, call, MachineError } from '../machine/errors.ts';
import type { Rack } from '../rack/rack.ts';
import { defineTool } from './tool.ts';

export const debugPort = defineTool({
  name: 'debug_port',
  title: 'Open a port for a debugger',
  description:
    "Let the user's own debugger work on a machine beside you, on a port of this computer's loopback: " +
    '{"protocol":"gdb"} for gdb, lldb, Ghidra and IDA, "dap" for IDEs, "binmon" for clients of VICE\'s binary monitor. Without a protocol, lists open ports.',
  toolset: 'monitor',
  needs: ['control'],
  effect: 'change',
  openWorld: true,
  input: z.object({
    protocol: z.enum(debugProtocols).optional(),
    port: z.number().int().min(0).max(65_535).default(0).describe('0: any free one'),
    close: z.boolean().default(false),
  }),
  async run(_machine, { protocol, port, close }, { rack, handle }) {
    const ports = debugPortsOf(rack);
    if (protocol === undefined) {
      const open = await ports.list(handle);
      return { text: open.map(portLine).join('\n') || 'No port is open.', data: { ports: open } };
    }
    if (close) {
      await ports.close(handle, protocol);
      return { text: `The port for ${protocol} is closed.`, data: { protocol, closed: true } };
    }
    const opened = await ports.open(handle, protocol, port);
    return { text: portLine(opened), data: { ...opened } };
  },
});

/** Opens what the options of a new machine ask for: `"gdb":1234`. The answer has one line per port. */
export async function openStartPorts(
  rack: Rack,
  handle: string,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly DebugPort[]> {
  const opened: DebugPort[] = [];
  for (const protocol of debugProtocols) {
    const port = options[protocol];
    if (typeof port === 'number') opened.push(await debugPortsOf(rack).open(handle, protocol, port));
  }
  return opened;
}

export function portLine({ protocol, port, clients }: DebugPort): string {
  const connected = clients === 0 ? '' : `; ${clients} connected`;
  return `${protocol} at 127.0.0.1:${port}${connected}`;
}

function debugPortsOf({ debugPorts }: Rack): DebugPorts {
  if (debugPorts) return debugPorts;
  throw new MachineError('UNAVAILABLE', 'This server opens no ports for debuggers.', [
    advice`Use the tools: ${call('step')}, ${call('breakpoint_set')}.`,
  ]);
}
