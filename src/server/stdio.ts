import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type BoundConnection, bindConnection } from './bind-connection.ts';
import { CheckedLines } from './checked-lines.ts';
import { Listening } from './listening.ts';
import { createMcpServer, type ServerIdentity } from './mcp-server.ts';
import type { Wire } from './outbox.ts';
import type { Surface } from './surface.ts';

export interface StdioOptions extends ServerIdentity {
  log(text: string): void;
}

/** MCP over this process's own stdin and stdout, every protocol version. */
export function serveStandardStreams(surface: Surface, options: StdioOptions): { close(): Promise<void> } {
  const lines = new CheckedLines((refusal) => {
    options.log(`stdio: ${refusal.error.message}`);
    transport.send(refusal).catch(() => {});
  });
  const transport = new StdioServerTransport(process.stdin.pipe(lines));
  const listening = new Listening();
  const served = serveStdio(
    ({ era }) => {
      const bound: BoundConnection = bindConnection(createMcpServer(surface, options), surface, era, standardOutput);
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
      process.stdin.unpipe(lines).pause();
    },
  };
}

const standardOutput: Wire = {
  get isFull() {
    return process.stdout.writableNeedDrain;
  },
  onceFree: (listener) => void process.stdout.once('drain', listener),
};
