import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import { listenPrivately } from '../../console/private-socket.ts';
import type { FleetLine } from '../wire/fleet-line.ts';
import { tunnelOf } from '../wire/socket-tunnel.ts';
import type { FleetView } from './fleet-view.ts';
import type { Inbox } from './inbox.ts';
import { RemoteChannel } from './remote-channel.ts';

const ends = ['in', 'out', 'people'] as const;

interface Leading {
  readonly host: string;
  readonly machine: string;
  readonly console: string;
}

interface Opened {
  readonly servers: Promise<readonly Server[]>;
  readonly sockets: Set<Socket>;
}

/** Sockets for `frontpanel attach` in the gateway's own directory, each leading to a console on its host. */
export class ConsoleSockets {
  readonly #line: FleetLine;
  readonly #inbox: Inbox;
  readonly #view: FleetView;
  readonly #directory: string;
  readonly #log: (text: string) => void;
  readonly #opened = new Map<string, Opened>();
  /** One after the other: a name may come back before its sockets are closed. */
  #work: Promise<void> = Promise.resolve();

  constructor(
    { line, inbox, view }: { readonly line: FleetLine; readonly inbox: Inbox; readonly view: FleetView },
    directory: string,
    log: (text: string) => void,
  ) {
    this.#line = line;
    this.#inbox = inbox;
    this.#view = view;
    this.#directory = directory;
    this.#log = log;
  }

  /** Machines came or went. */
  update(): void {
    this.#work = this.#work.then(() => this.#update()).catch((error: unknown) => this.#log(String(error)));
  }

  async close(): Promise<void> {
    await this.#work;
    await Promise.all([...this.#opened.values()].map(closeAll));
  }

  async #update(): Promise<void> {
    const wanted = new Map(
      this.#view.machines.flatMap(({ host, incarnation, summary: { handle: machine, consoles, sockets } }) =>
        sockets.map((file, index) => {
          const leading: Leading = { host, machine, console: consoles[index] ?? '' };
          const key: string = `${incarnation}/${file}`;
          return [key, { file, leading }] as const;
        }),
      ),
    );
    for (const [key, opened] of this.#opened) {
      if (wanted.has(key)) continue;
      this.#opened.delete(key);
      await closeAll(opened);
    }
    for (const [key, { file, leading }] of wanted) {
      if (this.#opened.has(key)) continue;
      const sockets = new Set<Socket>();
      const servers = this.#listen(file, leading, sockets);
      this.#opened.set(key, { servers, sockets });
      await servers;
    }
  }

  async #listen(file: string, leading: Leading, sockets: Set<Socket>): Promise<readonly Server[]> {
    const servers: Server[] = [];
    for (const end of ends) {
      const path = join(this.#directory, `${file}.${end}`);
      const accepted = (socket: Socket) => {
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket));
        this.#join(socket, leading, end);
      };
      try {
        servers.push(await listenPrivately(path, accepted));
      } catch (error) {
        this.#log(error instanceof Error ? error.message : String(error));
      }
    }
    return servers;
  }

  #join(socket: Socket, { host, machine, console }: Leading, end: string): void {
    const of = { machine, console, end };
    const take = tunnelOf(socket, (head, body) => channel.send(head, body));
    const channel = new RemoteChannel(this.#line, this.#inbox, { host, type: 'tunnel', of }, take, () => {
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => channel.close());
  }
}

async function closeAll({ servers, sockets }: Opened): Promise<void> {
  for (const server of await servers) server.close();
  for (const socket of sockets) socket.destroy();
}
