import { createServer, type Server, type Socket } from 'node:net';
import type { DebugPort, DebugPorts, DebugProtocol } from '../api/debug-ports.ts';
import type { ToolHost } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import { DebuggedMachine } from './debugged-machine.ts';
import { isGdbByte, serveGdb } from './gdb/gdb-connection.ts';

const loopback = '127.0.0.1';
const mostClients = 4;
/** A connection that says nothing is not kept. */
const silenceMs = 10_000;

/** How a protocol is recognised by its first byte, and served. */
interface Protocol {
  begins(byte: number): boolean;
  serve(socket: Socket, machine: DebuggedMachine): Promise<void>;
}

const protocols: Readonly<Record<DebugProtocol, Protocol>> = {
  gdb: { begins: isGdbByte, serve: serveGdb },
};

export interface PortRules {
  /** The operator lets ports be opened. */
  readonly isAllowed: boolean;
  /** Whether other users of this computer can be told from this one here. */
  canTellPeers(): Promise<boolean>;
  isOwnPeer(connection: { readonly localPort: number; readonly remotePort: number }): Promise<boolean>;
  log(text: string): void;
}

interface OpenPort {
  readonly server: Server;
  readonly sockets: Set<Socket>;
  readonly machine: string;
  readonly protocol: DebugProtocol;
  readonly port: number;
}

/** Ports of loopback on which debuggers of this user attach to machines. */
export class PortServers implements DebugPorts {
  readonly #host: ToolHost;
  readonly #rules: PortRules;
  readonly #open = new Map<string, OpenPort>();
  readonly #forget: () => void;

  constructor(host: ToolHost, rules: PortRules) {
    this.#host = host;
    this.#rules = rules;
    this.#forget = host.onListChange(() => {
      const alive = host.machines().map(({ handle }) => handle);
      for (const open of this.#open.values()) if (!alive.includes(open.machine)) this.#shut(open);
    });
  }

  async open(machine: string, protocol: DebugProtocol, port: number): Promise<DebugPort> {
    await this.#requireLeave();
    const known = this.#open.get(keyOf(machine, protocol));
    if (known) {
      const fix = `It is 127.0.0.1:${known.port}; close it first to have another.`;
      throw new MachineError('WRONG_STATE', `${machine} already has a port for ${protocol}.`, fix);
    }
    const server = createServer();
    await listen(server, port);
    const address = server.address();
    const open: OpenPort = {
      ...{ server, sockets: new Set(), machine, protocol },
      port: typeof address === 'object' && address ? address.port : port,
    };
    server.on('connection', (socket) => void this.#connected(open, socket));
    server.on('error', (error) => this.#rules.log(`port ${open.port}: ${error.message}`));
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
    open.server.close();
    for (const socket of open.sockets) socket.destroy();
  }

  async #requireLeave(): Promise<void> {
    if (!this.#rules.isAllowed) {
      throw new MachineError(
        'DENIED',
        'The operator of this server lets no ports be opened for debuggers.',
        'The user can start the server with --allow-debuggers.',
      );
    }
    if (await this.#rules.canTellPeers()) return;
    throw new MachineError(
      'UNAVAILABLE',
      'On this system other users cannot be kept from a port of loopback, so none is opened.',
      'Use frontpanel dap over stdio, or the tools.',
    );
  }

  async #connected(open: OpenPort, socket: Socket): Promise<void> {
    socket.on('error', () => {});
    if (open.sockets.size >= mostClients) return void socket.destroy();
    open.sockets.add(socket);
    socket.once('close', () => open.sockets.delete(socket));
    const { remotePort = 0, localPort = 0 } = socket;
    try {
      if (!(await this.#rules.isOwnPeer({ localPort, remotePort }))) {
        const why = 'a connection of another user of this computer';
        this.#host.audit(
          { client: open.protocol },
          { tool: open.protocol, machine: open.machine, outcome: 'denied', why },
        );
        return void socket.destroy();
      }
      const first = await firstBytes(socket);
      if (first === undefined || !protocols[open.protocol].begins(first)) return void socket.destroy();
      await this.#serve(open, socket);
    } catch (error) {
      this.#rules.log(`${open.protocol}: ${error instanceof Error ? error.stack : String(error)}`);
      socket.destroy();
    }
  }

  async #serve(open: OpenPort, socket: Socket): Promise<void> {
    const { protocol } = open;
    const address = `${loopback}:${socket.remotePort}`;
    const machine = DebuggedMachine.attach(this.#host, open.machine, { protocol, address, role: 'use' });
    if (!machine) return void socket.destroy();
    try {
      socket.setNoDelay(true);
      await protocols[protocol].serve(socket, machine);
    } finally {
      machine.leave();
    }
  }
}

function describe({ protocol, port, sockets }: OpenPort): DebugPort {
  return { protocol, port, clients: sockets.size };
}

function keyOf(machine: string, protocol: string): string {
  return `${protocol} ${machine}`;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? `port ${port} is in use` : error.message;
      reject(new MachineError('UNAVAILABLE', `No port was opened: ${why}.`, 'Use another, or 0 for any free one.'));
    });
    server.listen({ port, host: loopback, exclusive: true }, resolve);
  });
}

/** The first byte that comes; what came stays to be read. Undefined where nothing does. */
function firstBytes(socket: Socket): Promise<number | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => done(undefined), silenceMs);
    const done = (byte: number | undefined) => {
      clearTimeout(timer);
      socket.off('readable', look).off('close', gone);
      resolve(byte);
    };
    const gone = () => done(undefined);
    const look = () => {
      const chunk: Buffer | null = socket.read();
      if (chunk === null) return;
      socket.unshift(chunk);
      done(chunk[0]);
    };
    socket.on('readable', look).on('close', gone);
  });
}
