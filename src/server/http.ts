import { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { HttpFront, type HttpFrontOptions } from './http-front.ts';
import { type ListenOptions, listen, type TlsFiles } from './listening-server.ts';
import { Strangers } from './strangers.ts';
import type { Surface } from './surface.ts';

const lastWordsMs = 500;

export interface HttpOptions extends HttpFrontOptions, ListenOptions {}

export interface HttpEndpoint {
  readonly url: string;
  /** For connections from now on. */
  renewTls(files: TlsFiles): void;
  close(): Promise<void>;
}

/** MCP over Streamable HTTP at `/mcp`, every protocol version at the same address, any number of clients; and the page. */
export async function serveHttp(surface: Surface, options: HttpOptions): Promise<HttpEndpoint> {
  const strangers = new Strangers(options.maxConnections);
  const front = new HttpFront(surface, options, strangers);
  const server = await listen(
    {
      request: (req, res, lifetime) => front.request(req, res, lifetime),
      upgrade: (req, socket, head) => front.upgrade(req, socket, head),
    },
    options,
    strangers,
  );
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `${options.tls ? 'https' : 'http'}://${host}:${port}/mcp`,
    renewTls(files) {
      if (server instanceof TlsServer) server.setSecureContext(files);
    },
    async close() {
      await front.close();
      const closed = new Promise((resolve) => server.close(resolve));
      // What was said last is still on its way to whoever reads.
      await Promise.race([closed, setTimeout(lastWordsMs, undefined, { ref: false })]);
      server.closeAllConnections();
      await closed;
    },
  };
}
