import {
  type CallToolRequestOptions,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { HttpProgram } from './http-program.ts';
import { program, type Sandbox } from './sandbox.ts';

/** The protocols with a handshake, and the one of 2026-07-28 that has none. */
export type Era = 'legacy' | 'modern';
export const eras: readonly Era[] = ['legacy', 'modern'];

/** A server gives every call up before that. */
const longestMs = 150_000;

export interface Answer {
  /** The text for the agent. */
  readonly text: string;
  readonly isError: boolean;
  readonly content: readonly { readonly type: string }[];
  readonly structured: unknown;
  /** What the answer tells programs: of an error its parts, of a question its token. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The official client, which notes what it is notified of. */
export class McpClient extends Client implements AsyncDisposable {
  readonly updates: Record<string, unknown>[] = [];
  listChanges = 0;
  /** The program, where this client started it. */
  pid = 0;

  static async connect(transport: Transport, era: Era, options: ClientOptions = {}): Promise<McpClient> {
    const pinned = era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {};
    const client = new McpClient({ name: `test ${era}`, version: '1' }, { ...pinned, ...options });
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      client.updates.push(params);
    });
    client.setNotificationHandler('notifications/resources/list_changed', () => {
      client.listChanges++;
    });
    // A server that boots a machine first takes its time on a computer that has much else to do.
    await client.connect(transport, { timeout: longestMs });
    return client;
  }

  async call(tool: string, args: Record<string, unknown> = {}, options?: CallToolRequestOptions): Promise<Answer> {
    const result = await this.callTool({ name: tool, arguments: args }, { timeout: longestMs, ...options });
    const first = result.content[0];
    return {
      text: first?.type === 'text' ? first.text : '',
      isError: result.isError ?? false,
      content: result.content,
      structured: result.structuredContent,
      meta: result._meta ?? {},
    };
  }

  /** Starts a console on a TCP port and waits until its link is up. */
  async startConsole(port: number, options: Record<string, unknown> = {}, name?: string): Promise<string> {
    const started = await this.call('machine_start', {
      kind: 'console',
      options: { port, ...options },
      ...(name !== undefined && { name }),
    });
    if (started.isError) throw new Error(started.text);
    const handle = started.text.split(' ', 1)[0] ?? '';
    for (;;) {
      const { text } = await this.call('machine_list');
      if (text.includes(`${handle} LINK UP`)) return handle;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** A client that starts the program itself and talks to it over its standard streams. */
export async function stdioClient(
  sandbox: Sandbox,
  era: Era,
  args: readonly string[] = [],
  options: ClientOptions = {},
): Promise<McpClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args],
    cwd: sandbox.dir,
    env: sandbox.env,
    stderr: 'ignore',
  });
  const client = await McpClient.connect(transport, era, options);
  client.pid = transport.pid ?? 0;
  return client;
}

export function httpClient(server: HttpProgram, era: Era, options: ClientOptions = {}): Promise<McpClient> {
  const headers = server.token === undefined ? {} : { authorization: `Bearer ${server.token}` };
  const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
  // The class declares an optional field as present or undefined, which the interface does not.
  return McpClient.connect(transport as Transport, era, options);
}
