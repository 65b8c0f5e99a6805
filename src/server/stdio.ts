import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { CheckedLines } from './checked-lines.ts';
import { bindConnection, createMcpServer, type ServerIdentity } from './mcp-server.ts';
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
  const served = serveStdio(({ era }) => bindConnection(createMcpServer(surface, options), surface, era), {
    transport,
    onerror: (error) => options.log(`stdio: ${error.message}`),
  });
  return {
    async close() {
      await served.close();
      // An open stdin that flows would keep the process alive.
      process.stdin.unpipe(lines).pause();
    },
  };
}
