import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { bindConnection, createMcpServer, type ServerIdentity } from './mcp-server.ts';
import type { Surface } from './surface.ts';

export interface StdioOptions extends ServerIdentity {
  log(text: string): void;
}

/** MCP over this process's own stdin and stdout, every protocol version. */
export function serveStandardStreams(surface: Surface, options: StdioOptions): { close(): Promise<void> } {
  return serveStdio(({ era }) => bindConnection(createMcpServer(surface, options), surface, era), {
    onerror: (error) => options.log(`stdio: ${error.message}`),
  });
}
