import { randomBytes } from 'node:crypto';
import { type HttpEndpoint, serveHttp } from '../server/http.ts';
import { tokenDigest } from '../server/token-list.ts';
import { PageServer } from '../view/page-server.ts';
import type { Log } from './log.ts';
import type { OptionValues } from './options.ts';
import { pageUrl } from './page-url.ts';
import type { World } from './world.ts';

const sessionIdleMs = 30 * 60_000;
const loopback = '127.0.0.1';

/** The live page of a server whose client talks to it over stdio: opened when somebody first wants its address. */
export class StdioPage {
  readonly #options: OptionValues;
  readonly #version: string;
  readonly #log: Log;
  readonly #token = randomBytes(24).toString('base64url');
  #world: World | undefined;
  #opening: Promise<HttpEndpoint | undefined> | undefined;

  constructor(options: OptionValues, version: string, log: Log) {
    this.#options = options;
    this.#version = version;
    this.#log = log;
  }

  show(world: World): void {
    this.#world = world;
  }

  /** Its address, to whoever asks first. Undefined also where it cannot be opened, which the log says. */
  async introduce(): Promise<string | undefined> {
    if (!this.#world || this.#opening) return undefined;
    this.#opening = this.#open(this.#world);
    const endpoint = await this.#opening;
    return endpoint && pageUrl(endpoint.url, this.#token);
  }

  async close(): Promise<void> {
    const endpoint = await this.#opening;
    await endpoint?.close();
  }

  async #open(world: World): Promise<HttpEndpoint | undefined> {
    const { page, maxStreams, maxSessions, maxConnections, maxBodyBytes, maxRate } = this.#options;
    const log = this.#log;
    try {
      const endpoint = await serveHttp(world.surface, {
        ...{ maxStreams, maxSessions, maxConnections, maxBodyBytes, maxRate, sessionIdleMs, log },
        host: loopback,
        port: page === 'auto' ? 0 : Number(page),
        tls: undefined,
        tokens: [{ name: undefined, role: 'own', sha256: tokenDigest(this.#token) }],
        allowedClients: ['127.0.0.0/8'],
        allowedHosts: [loopback],
        allowedOrigins: [],
        version: this.#version,
        audit: (actor, deed) => world.host.audit(actor, deed),
        page: new PageServer(world.host, maxStreams, (text) => log('error', text)),
      });
      log('notice', `Live page: ${pageUrl(endpoint.url, this.#token)}`);
      return endpoint;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      log('error', `the live page cannot be opened: ${why}; --page takes another port`);
      return undefined;
    }
  }
}
