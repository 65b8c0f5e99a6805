import { createServer, type Server, type Socket } from 'node:net';
import { MachineError } from '../machine/errors.ts';

export const loopback = '127.0.0.1';
const mostClients = 4;
/** A connection that says nothing is not kept. */
const silenceMs = 10_000;

export interface PortRules {
  /** Whether other users of this computer can be told from this one here. */
  canTellPeers(): Promise<boolean>;
  /** Whose the other end of a connection is, if not this user's. */
  strangerAt(connection: { readonly localPort: number; readonly remotePort: number }): Promise<string | undefined>;
  log(text: string): void;
}

export interface PortService {
  /** What the first byte can be: a web page's request begins otherwise. */
  begins(byte: number): boolean;
  /** Settles when the other side is gone. */
  serve(socket: Socket): Promise<void>;
  /** Somebody else tried, or a guest. */
  refused(why: string): void;
}

/** A port of loopback for processes of this user alone. */
export class LoopbackPort {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  /** Rejects where others could not be kept out, and where the port is taken. */
  static async open(port: number, rules: PortRules, service: PortService): Promise<LoopbackPort> {
    if (!(await rules.canTellPeers())) {
      throw new MachineError(
        'UNAVAILABLE',
        'On this system other users cannot be kept from a loopback port, so none is opened.',
        'Use frontpanel dap over standard input and output, or the tools.',
      );
    }
    const server = createServer();
    // Those beyond cost less than half when they are turned away before there is a socket for them.
    server.maxConnections = mostClients;
    await listen(server, port);
    return new LoopbackPort(server, port, rules, service);
  }

  private constructor(server: Server, wanted: number, rules: PortRules, service: PortService) {
    this.#server = server;
    const address = server.address();
    this.port = typeof address === 'object' && address ? address.port : wanted;
    server.on('connection', (socket) => void this.#connected(socket, rules, service));
    server.on('error', (error) => rules.log(`port ${this.port}: ${error.message}`));
  }

  get clients(): number {
    return this.#sockets.size;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #connected(socket: Socket, rules: PortRules, service: PortService): Promise<void> {
    socket.on('error', () => {});
    if (this.#sockets.size >= mostClients) return void socket.destroy();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const { remotePort = 0, localPort = 0 } = socket;
    try {
      const stranger = await rules.strangerAt({ localPort, remotePort });
      if (stranger === undefined) {
        const first = await firstByte(socket);
        if (first !== undefined && service.begins(first)) {
          socket.setNoDelay(true);
          await service.serve(socket);
        }
      } else service.refused(`a connection of ${stranger}`);
    } catch (error) {
      rules.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    socket.destroy();
  }
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
function firstByte(socket: Socket): Promise<number | undefined> {
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
