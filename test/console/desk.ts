import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { type Answer, McpClient, stdioClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

// Every wait below has a limit of its own; this one only ends what hangs, also on a machine that is busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** A program of its own, and an agent that sits at it. */
export class Desk implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly client: McpClient;

  static async open(args: readonly string[] = [], prepare: (sandbox: Sandbox) => unknown = () => {}): Promise<Desk> {
    const sandbox = await Sandbox.open();
    try {
      await prepare(sandbox);
      return new Desk(sandbox, await stdioClient(sandbox, 'modern', ['--toolset', 'all', ...args]));
    } catch (error) {
      await sandbox[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The same, the program being started by another one. */
  static async openIn(command: string, args: readonly string[]): Promise<Desk> {
    const sandbox = await Sandbox.open();
    const { dir: cwd, env } = sandbox;
    const all = [...args, '--toolset', 'all'];
    const transport = new StdioClientTransport({ command, args: all, cwd, env, stderr: 'ignore' });
    const client = await McpClient.connect(transport, 'modern');
    client.pid = transport.pid ?? 0;
    return new Desk(sandbox, client);
  }

  protected constructor(sandbox: Sandbox, client: McpClient) {
    this.sandbox = sandbox;
    this.client = client;
  }

  /** What is waited for is waited for as long as may be, unless the test says otherwise. */
  call(tool: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const waits = tool.startsWith('console_') && (args.expect !== undefined || args.run !== undefined);
    return this.client.call(tool, waits ? { timeout_ms: 50_000, ...args } : args);
  }

  /** The text of an answer that must not be an error. */
  async ask(tool: string, args: Record<string, unknown> = {}): Promise<string> {
    const { text, isError } = await this.call(tool, args);
    if (isError) throw new Error(text);
    return text;
  }

  /** The part for programs of an answer that must be an error. */
  async refusal(tool: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { text, isError, meta } = await this.call(tool, args);
    if (!isError) throw new Error(`not refused: ${text}`);
    return { ...(meta['frontpanel/error'] as Record<string, unknown>) };
  }

  async json(tool: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return JSON.parse(await this.ask(tool, { ...args, format: 'json' }));
  }

  read(args: Record<string, unknown> = {}): Promise<string> {
    return this.ask('console_read', args);
  }

  send(args: Record<string, unknown>): Promise<string> {
    return this.ask('console_send', args);
  }

  async start(options: Record<string, unknown>, name?: string): Promise<string> {
    const text = await this.ask('machine_start', { kind: 'console', options, ...(name !== undefined && { name }) });
    return text.split(' ', 1)[0] ?? '';
  }

  /** What `machine_list` says about a console's port. */
  async port(machine = 'console-1'): Promise<Port> {
    const { machines } = await this.json('machine_list');
    const found = (machines as { machine: string; ports: Port[] }[]).find((each) => each.machine === machine);
    if (!found?.ports[0]) throw new Error(`no console ${machine}`);
    return found.ports[0];
  }

  /** The list of machines, once it says this. */
  listed(text: string | RegExp): Promise<string> {
    return vi.waitFor(
      async () => {
        const list = await this.ask('machine_list');
        if (typeof text === 'string' ? !list.includes(text) : !text.test(list)) throw new Error(list);
        return list;
      },
      { timeout: 60_000, interval: 50 },
    );
  }

  /** Until so many bytes have come out of the console since it was started. */
  async arrived(bytes: number, machine?: string): Promise<void> {
    await vi.waitFor(
      async () => {
        const { buffer } = await this.port(machine);
        if (buffer.end < bytes) throw new Error(`${buffer.end} of ${bytes} bytes`);
      },
      { timeout: 60_000, interval: 20 },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.sandbox[Symbol.asyncDispose]();
  }
}

export interface Port {
  readonly link: Readonly<Record<string, unknown>> & { readonly state: string; readonly losses: number };
  readonly buffer: { readonly start: number; readonly end: number };
  readonly socket_in: string;
  readonly socket_out: string;
  readonly watching: number;
}

/** The same with a guest on a TCP port and a console, `console-1`, that is connected to it. */
export class GuestDesk extends Desk {
  readonly guest: Guest;

  static async at(
    options: Record<string, unknown> = {},
    args: readonly string[] = [],
    prepare?: (sandbox: Sandbox) => unknown,
  ): Promise<GuestDesk> {
    const guest = await Guest.listen();
    const { sandbox, client } = await Desk.open(args, prepare);
    const desk = new GuestDesk(sandbox, client, guest);
    await desk.start({ port: guest.port, ...options });
    await desk.listed('console-1 LINK UP');
    await guest.connected();
    return desk;
  }

  private constructor(sandbox: Sandbox, client: McpClient, guest: Guest) {
    super(sandbox, client);
    this.guest = guest;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await this.guest[Symbol.asyncDispose]();
  }
}

/** What stands between the fences of an answer: the machine's own words. */
export function outputOf(answer: string): string {
  return /\[output (\w+): [^\n]*\]\n([\s\S]*)\n\[\/output \1\]/.exec(answer)?.[2] ?? '';
}
