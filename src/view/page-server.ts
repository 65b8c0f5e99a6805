import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import type { Machine } from '../machine/machine.ts';
import type { Rack } from '../rack/rack.ts';
import { Hands } from './hands.ts';
import { PageConnection, type PageRoom } from './page-connection.ts';

const scripts = [
  ...['page', 'buttons', 'calls', 'connection', 'console', 'controls', 'element', 'gamepad', 'held-keys', 'hint'],
  ...['key-places', 'machines', 'notices', 'paste-dialog', 'picture', 'pointer', 'sound', 'sound-button', 'terminal'],
  ...['terminal-keys'],
];

/** The files of the page; anything else is not served. */
const files: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  '/': { file: 'page/index.html', type: 'text/html; charset=utf-8' },
  '/style.css': { file: 'page/style.css', type: 'text/css; charset=utf-8' },
  '/icon.svg': { file: 'page/icon.svg', type: 'image/svg+xml' },
  '/channel.js': { file: 'channel.js', type: 'text/javascript; charset=utf-8' },
  ...Object.fromEntries(
    scripts.map((name) => [`/${name}.js`, { file: `page/${name}.js`, type: 'text/javascript; charset=utf-8' }]),
  ),
};

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'";

/** The live page: its files, and a socket for each viewer. */
export class PageServer {
  readonly #room: PageRoom;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  readonly #connections = new Set<PageConnection>();
  readonly #maxViewers: number;

  constructor(rack: Rack, maxViewers: number) {
    const hands = new WeakMap<Machine, Hands>();
    this.#room = {
      rack,
      withoutDisplay: new WeakSet(),
      runs: new WeakMap(),
      handsOn(machine) {
        const found = hands.get(machine) ?? new Hands(machine);
        hands.set(machine, found);
        return found;
      },
    };
    this.#maxViewers = maxViewers;
  }

  /** False: that is no address of the page's. */
  handle(req: IncomingMessage, res: ServerResponse): boolean {
    const found = files[pathOf(req)];
    if (!found || req.method !== 'GET') return false;
    const headers = { 'content-type': found.type, 'content-security-policy': policy, 'cache-control': 'no-store' };
    readFile(fileURLToPath(new URL(found.file, import.meta.url))).then(
      (content) => res.writeHead(200, { ...headers, 'referrer-policy': 'no-referrer' }).end(content),
      () => res.writeHead(500).end('The page is not built; run npm run build.'),
    );
    return true;
  }

  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (pathOf(req) !== '/view' || this.#connections.size >= this.#maxViewers) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
      return;
    }
    this.#sockets.handleUpgrade(req, socket, head, (page) => {
      const connection = new PageConnection(page, this.#room);
      this.#connections.add(connection);
      page.on('close', () => {
        this.#connections.delete(connection);
        connection.close();
      });
    });
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
  }
}

function pathOf(req: IncomingMessage): string {
  return req.url?.split('?')[0] ?? '/';
}
