import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpProgram } from '../support/http-program.ts';
import { type Answer, httpClient, type McpClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';
import { openPing } from './http-ping.ts';
import { LoopWatch, type Watched } from './loop-watch.ts';
import { WatchedProgram } from './watched-program.ts';

/** A server with every tool, one client that calls and another that pings it. */
export class WatchdogDesk implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly #program: WatchedProgram;
  readonly #server: HttpProgram;
  readonly #caller: McpClient;
  readonly #ping: () => Promise<void>;

  static async open(...args: readonly string[]): Promise<WatchdogDesk> {
    const sandbox = await Sandbox.open();
    const serve = ['serve', '--port', '0', '--log-level', 'error', '--toolset', 'all', '--allow-path', sandbox.dir];
    const program = new WatchedProgram(sandbox, [...serve, ...args]);
    const server = await HttpProgram.of(program.child);
    return new WatchdogDesk(sandbox, program, server, await httpClient(server, 'legacy'), await openPing(server));
  }

  private constructor(
    sandbox: Sandbox,
    program: WatchedProgram,
    server: HttpProgram,
    caller: McpClient,
    ping: () => Promise<void>,
  ) {
    this.sandbox = sandbox;
    this.#program = program;
    this.#server = server;
    this.#caller = caller;
    this.#ping = ping;
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
    const watch = new LoopWatch(this.#program, this.#ping);
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
