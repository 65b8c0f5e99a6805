import type { Socket } from 'node:net';
import type { DebugPort, DebugPorts, DebugProtocol } from '../api/debug-ports.ts';
import type { ToolHost } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import { serveBinmon } from './binmon/binmon-connection.ts';
import { isBinmonByte } from './binmon/wire.ts';
import { serveDap } from './dap/dap-connection.ts';
import { isDapByte } from './dap/dap-messages.ts';
import { DebuggedMachine, type Debugger } from './debugged-machine.ts';
import { isGdbByte, serveGdb } from './gdb/gdb-connection.ts';
import { LoopbackPort, loopback, type PortRules } from './loopback-port.ts';

/** How a protocol is recognised by its first byte, and served. */
interface Protocol {
  begins(byte: number): boolean;
  serve(socket: Socket, host: ToolHost, machine: string, who: Debugger): Promise<void>;
}

const protocols: Readonly<Record<DebugProtocol, Protocol>> = {
  gdb: {
    begins: isGdbByte,
    async serve(socket, host, handle, who) {
      const machine = DebuggedMachine.attach(host, handle, who);
      if (!machine) return;
      try {
        await serveGdb(socket, machine);
      } finally {
        machine.leave();
      }
    },
  },
  binmon: {
    begins: isBinmonByte,
    async serve(socket, host, handle, who) {
      const machine = DebuggedMachine.attach(host, handle, who);
      if (!machine) return;
      try {
        await serveBinmon(socket, host, machine);
      } finally {
        machine.leave();
      }
    },
  },
  dap: {
    begins: isDapByte,
    serve: (socket, host, ownMachine, who) => serveDap(host, { input: socket, output: socket }, { who, ownMachine }),
  },
};

interface OpenPort {
  readonly machine: string;
  readonly protocol: DebugProtocol;
  readonly listening: LoopbackPort;
}

/** Ports of loopback on which debuggers of this user attach to machines. */
export class PortServers implements DebugPorts {
  readonly #host: ToolHost;
  readonly #rules: PortRules;
  readonly #isAllowed: boolean;
  readonly #open = new Map<string, OpenPort>();
  readonly #forget: () => void;

  /** `isAllowed`: the operator lets ports be opened. */
  constructor(host: ToolHost, isAllowed: boolean, rules: PortRules) {
    this.#host = host;
    this.#isAllowed = isAllowed;
    this.#rules = rules;
    this.#forget = host.onListChange(() => {
      const alive = host.machines().map(({ handle }) => handle);
      for (const open of this.#open.values()) if (!alive.includes(open.machine)) this.#shut(open);
    });
  }

  async open(machine: string, protocol: DebugProtocol, port: number): Promise<DebugPort> {
    if (!this.#isAllowed) {
      throw new MachineError(
        'DENIED',
        'The operator of this server does not allow ports for debuggers.',
        'The user can start the server with --allow-debuggers.',
        { operator_option: '--allow-debuggers' },
      );
    }
    const known = this.#open.get(keyOf(machine, protocol));
    if (known) {
      const fix = `It is ${loopback}:${known.listening.port}; close it first to have another.`;
      throw new MachineError('WRONG_STATE', `${machine} already has a port for ${protocol}.`, fix);
    }
    const { begins, serve } = protocols[protocol];
    const listening = await LoopbackPort.open(port, this.#rules, {
      begins,
      serve: (socket) => {
        const address = `${loopback}:${socket.remotePort}`;
        return serve(socket, this.#host, machine, { protocol, address, role: 'use' });
      },
      refused: (why) => this.#host.audit({ client: protocol }, { tool: protocol, machine, outcome: 'denied', why }),
    });
    const open: OpenPort = { machine, protocol, listening };
    this.#open.set(keyOf(machine, protocol), open);
    return describe(open);
  }

  async close(machine: string, protocol: DebugProtocol): Promise<void> {
    const open = this.#open.get(keyOf(machine, protocol));
    if (open) return this.#shut(open);
    const others = this.list(machine).map((each) => each.protocol);
    const fix = others.length > 0 ? `Open: ${others.join(', ')}.` : 'None is open.';
    throw new MachineError('NOT_FOUND', `${machine} has no port for ${protocol}.`, fix);
  }

  list(machine: string): readonly DebugPort[] {
    return [...this.#open.values()].filter((open) => open.machine === machine).map(describe);
  }

  closeAll(): void {
    this.#forget();
    for (const open of this.#open.values()) this.#shut(open);
  }

  #shut(open: OpenPort): void {
    this.#open.delete(keyOf(open.machine, open.protocol));
    open.listening.close();
  }
}

function describe({ protocol, listening: { port, clients } }: OpenPort): DebugPort {
  return { protocol, port, clients };
}

function keyOf(machine: string, protocol: string): string {
  return `${protocol} ${machine}`;
}
