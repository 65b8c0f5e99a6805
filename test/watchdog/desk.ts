import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpProgram } from '../support/http-program.ts';
import { type Answer, httpClient, type McpClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';
import { openPing, openProbe } from './http-ping.ts';
import { LoopWatch, type Watched } from './loop-watch.ts';

/** A server with every tool, one client that calls and another that pings it. */
export class WatchdogDesk implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly #server: HttpProgram;
  readonly #caller: McpClient;
  readonly #ping: () => Promise<void>;

  static async open(...args: readonly string[]): Promise<WatchdogDesk> {
    const sandbox = await Sandbox.open();
    const server = await HttpProgram.start(sandbox, '--toolset', 'all', '--allow-path', sandbox.dir, ...args);
    return new WatchdogDesk(sandbox, server, await httpClient(server, 'legacy'), await openPing(server));
  }

  private constructor(sandbox: Sandbox, server: HttpProgram, caller: McpClient, ping: () => Promise<void>) {
    this.sandbox = sandbox;
    this.#server = server;
    this.#caller = caller;
    this.#ping = ping;
  }

  get pid(): number {
    return this.#server.child.pid ?? 0;
  }

  get server(): HttpProgram {
    return this.#server;
  }

  write(name: string, content: string | Uint8Array): void {
    writeFileSync(join(this.sandbox.dir, name), content);
  }

  call(tool: string, input: Record<string, unknown>): Promise<Answer> {
    return this.#caller.call(tool, input, { timeout: 120_000 });
  }

  async watched<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly watched: Watched }> {
    const watch = new LoopWatch(this.pid, openProbe(this.#server), this.#ping);
    try {
      const result = await work();
      return { result, watched: await watch.end() };
    } catch (error) {
      await watch.end();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#caller.close();
    await this.#server[Symbol.asyncDispose]();
    await this.sandbox[Symbol.asyncDispose]();
  }
}
