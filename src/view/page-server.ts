import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import type { Role } from '../api/roles.ts';
import type { ToolHost } from '../api/tool-host.ts';
import { longestMessage, tokenProtocol, viewProtocol } from './channel.ts';
import { PageConnection } from './page-connection.ts';

interface PageFile {
  readonly file: string;
  readonly type: string;
}

const scriptType = 'text/javascript; charset=utf-8';

/** The files of the page; anything else is not served. None of them is secret. */
const files: ReadonlyMap<string, PageFile> = new Map([
  ['/', { file: 'page/index.html', type: 'text/html; charset=utf-8' }],
  ['/style.css', { file: 'page/style.css', type: 'text/css; charset=utf-8' }],
  ['/icon.svg', { file: 'page/icon.svg', type: 'image/svg+xml' }],
  // The page that exported sessions are put into: a text here, a page on its own.
  ['/viewer.html', { file: 'page/viewer.html', type: 'text/plain; charset=utf-8' }],
  ['/page.js', { file: 'page/page.js', type: scriptType }],
]);
/** Parts of the script that are loaded when they are needed; the bundler names them. */
const partPath = /^\/(part-[\w-]{1,80}\.js)$/;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': policy,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

// Pings of a viewer who does not read would be answered into memory: the connection answers them.
const socketLimits = { maxPayload: longestMessage, maxFragments: 64, closeTimeout: 5000, autoPong: false };

/** Who looks, as the token says. */
export interface PageVisitor {
  readonly name: string | undefined;
  readonly role: Role;
  readonly address: string | undefined;
}

/** The live page: its files, and a socket for each viewer. */
export class PageServer {
  readonly #host: ToolHost;
  readonly #log: (text: string) => void;
  readonly #sockets = new WebSocketServer({
    ...socketLimits,
    noServer: true,
    handleProtocols: (offered) => (offered.has(viewProtocol) ? viewProtocol : false),
  });
  readonly #connections = new Set<PageConnection>();
  readonly #maxViewers: number;

  constructor(host: ToolHost, maxViewers: number, log: (text: string) => void) {
    this.#host = host;
    this.#log = log;
    this.#maxViewers = maxViewers;
  }

  /** False: that is no address of the page's. */
  handle(path: string, req: IncomingMessage, res: ServerResponse): boolean {
    const [, part] = partPath.exec(path) ?? [];
    const found = part === undefined ? files.get(path) : { file: `page/${part}`, type: scriptType };
    if (!found || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    void this.#send(found, /\bgzip\b/.test(String(req.headers['accept-encoding'] ?? '')), res);
    return true;
  }

  /** A socket cannot have headers of its own in a browser, and what is in an address is in logs and histories too. */
  tokenOf({ headers: { 'sec-websocket-protocol': offered = '', authorization } }: IncomingMessage): string | undefined {
    const protocol = offered.split(',').find((each) => each.trim().startsWith(tokenProtocol));
    if (protocol !== undefined) {
      return Buffer.from(protocol.trim().slice(tokenProtocol.length), 'base64url').toString();
    }
    return /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  }

  /** Takes the socket over, or says why it does not. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer, visitor: PageVisitor): string | undefined {
    if (this.#connections.size >= this.#maxViewers) return 'No more viewers (--max-streams).';
    this.#sockets.handleUpgrade(req, socket, head, (page) => {
      const { name: client = 'a person', role, address } = visitor;
      // People at other gateways may hold machines of the same hosts.
      const actor = { client, role, address, agent: 'live page', person: randomUUID() };
      const connection = new PageConnection(page, this.#host, actor, this.#log);
      this.#connections.add(connection);
      page.on('close', () => {
        this.#connections.delete(connection);
        connection.close();
      });
    });
    return undefined;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
  }

  async #send({ file, type }: PageFile, isZipped: boolean, res: ServerResponse): Promise<void> {
    try {
      const content = await readFile(fileURLToPath(new URL(isZipped ? `${file}.gz` : file, import.meta.url)));
      const encoding = isZipped ? { 'content-encoding': 'gzip' } : {};
      const own = { 'content-type': type, 'content-length': content.length, vary: 'accept-encoding', ...encoding };
      res.writeHead(200, { ...headers, ...own }).end(content);
    } catch (error) {
      this.#log(`page: ${error instanceof Error ? error.message : String(error)}`);
      if (res.headersSent) res.destroy();
      else res.writeHead(404, headers).end('This file of the page is not built; run npm run build.');
    }
  }
}
