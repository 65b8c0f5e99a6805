import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpClient } from '../support/mcp-client.ts';
import { type Served, serve } from '../support/mcp-servers.ts';
import { type Ended, endOf } from '../support/sandbox.ts';

/** A server that lets debuggers in, and an agent at it. */
export class DebugDesk implements AsyncDisposable {
  readonly agent: McpClient;
  readonly #served: Served;

  static async open(...args: readonly string[]): Promise<DebugDesk> {
    return new DebugDesk(await serve('stdio', 'modern', ['--page', 'off', ...args]));
  }

  private constructor(served: Served) {
    this.#served = served;
    this.agent = served.client;
  }

  get dir(): string {
    return this.#served.sandbox.dir;
  }

  /** Starts a machine; the answer is the port for that protocol. */
  async start(kind: string, protocol: string, options: Record<string, unknown> = {}): Promise<number> {
    const { text } = await this.agent.call('machine_start', {
      kind,
      name: 'mine',
      options: { [protocol]: 0, ...options },
    });
    const [, port] = new RegExp(`^${protocol} at 127\\.0\\.0\\.1:(\\d+)$`, 'm').exec(text) ?? [];
    if (port === undefined) throw new Error(text);
    return Number(port);
  }

  /** Runs gdb with these commands, each after the last was done, until the script ends. */
  async gdb(port: number, commands: readonly string[]): Promise<string> {
    const script = join(this.dir, 'script.gdb');
    const setup = ['set pagination off', 'set confirm off', 'set width 0', 'set remotetimeout 90'];
    await writeFile(script, [...setup, `target remote 127.0.0.1:${port}`, ...commands].join('\n'));
    const child = spawn('timeout', ['170', 'gdb-multiarch', '-nx', '-batch', '-x', script], {
      env: { PATH: process.env.PATH, HOME: this.dir },
    });
    child.stdin.end();
    const { stdout, stderr, code }: Ended = await endOf(child);
    if (code !== 0) throw new Error(`gdb ended with ${code}: ${stdout}${stderr}`);
    return `${stdout}${stderr}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served[Symbol.asyncDispose]();
  }
}
