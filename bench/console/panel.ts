import { type McpClient, stdioClient } from '../../test/support/mcp-client.ts';
import type { Sandbox } from '../../test/support/sandbox.ts';

interface ListedMachine {
  readonly machine: string;
  readonly ports: readonly { readonly socket_out: string }[];
}

/** The built program, started and driven over stdio by the official client, as an agent's host does it. */
export class Panel implements AsyncDisposable {
  readonly client: McpClient;

  static async start(sandbox: Sandbox): Promise<Panel> {
    return new Panel(await stdioClient(sandbox, 'legacy', ['--yes', '--log-level', 'error']));
  }

  private constructor(client: McpClient) {
    this.client = client;
  }

  get pid(): number {
    return this.client.pid;
  }

  async attach(port: number): Promise<{ handle: string; socketOut: string }> {
    const started = await this.call('machine_start', { kind: 'console', options: { port } });
    const handle = started.split(' ', 1)[0] ?? '';
    const { machines } = JSON.parse(await this.call('machine_list', { format: 'json' })) as {
      machines: ListedMachine[];
    };
    const socketOut = machines.find(({ machine }) => machine === handle)?.ports[0]?.socket_out;
    if (socketOut === undefined) throw new Error(`no socket of ${handle}`);
    return { handle, socketOut };
  }

  async call(tool: string, args: Record<string, unknown> = {}): Promise<string> {
    const { text, isError } = await this.client.call(tool, args);
    if (isError) throw new Error(`${tool}: ${text}`);
    return text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}
