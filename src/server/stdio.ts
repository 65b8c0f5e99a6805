import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type BoundConnection, bindConnection } from './bind-connection.ts';
import { CheckedLines } from './checked-lines.ts';
import { Listening } from './listening.ts';
import { createMcpServer, type ServerIdentity } from './mcp-server.ts';
import type { Wire } from './outbox.ts';
import type { Surface } from './surface.ts';

export interface StdioOptions extends ServerIdentity {
  readonly stdin: Readable;
  readonly stdout: Writable;
  log(text: string): void;
}

/** A client that leaves so much unread is not asked for more. */
const mostUnreadBytes = 4 * 1024 * 1024;

/** MCP over this process's own stdin and stdout, every protocol version. */
export function serveStandardStreams(surface: Surface, options: StdioOptions): { close(): Promise<void> } {
  const { stdin, stdout } = options;
  const lines = new CheckedLines(
    (refusal) => {
      options.log(`stdio: ${refusal.error.message}`);
      transport.send(refusal).catch(() => {});
    },
    () => (stdout.writableLength < mostUnreadBytes ? undefined : drained(stdout)),
  );
  const transport = new StdioServerTransport(stdin.pipe(lines), stdout);
  const listening = new Listening();
  const served = serveStdio(
    ({ era }) => {
      const bound: BoundConnection = bindConnection(createMcpServer(surface, options), surface, era, wireOf(stdout));
      if (era === 'modern') listening.serve(bound);
      return bound.server;
    },
    { transport, onerror: (error) => options.log(`stdio: ${error.message}`) },
  );
  listening.watch(transport);
  return {
    async close() {
      await served.close();
      // An open stdin that flows would keep the process alive.
      stdin.unpipe(lines).pause();
    },
  };
}

function wireOf(stdout: Writable): Wire {
  return {
    get isFull() {
      return stdout.writableNeedDrain;
    },
    onceFree: (listener) => void drained(stdout).then(listener),
  };
}

/** When what was written has left, or never will. */
function drained(stdout: Writable): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['drain', 'error', 'close']) stdout.once(event, () => resolve());
    if (stdout.destroyed) resolve();
  });
}
