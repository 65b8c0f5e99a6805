import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { modernMeta } from './raw-stdio.ts';
import type { Sandbox } from './sandbox.ts';

/** `frontpanel serve` on a free port. */
export class HttpProgram implements AsyncDisposable {
  readonly url: string;
  readonly token: string | undefined;
  readonly child: ChildProcessWithoutNullStreams;
  readonly #said: { text: string };

  static start(sandbox: Sandbox, ...args: readonly string[]): Promise<HttpProgram> {
    return HttpProgram.of(sandbox.spawn(['serve', '--port', '0', '--log-level', 'error', ...args]));
  }

  /** A process that was started as a server, once it serves. */
  static async of(child: ChildProcessWithoutNullStreams): Promise<HttpProgram> {
    const said = { text: '' };
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text) => {
        said.text += text;
        if (/^Live page: .*\n/m.test(said.text)) resolve();
      });
      child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${said.text}`)));
    });
    return new HttpProgram(child, said);
  }

  private constructor(child: ChildProcessWithoutNullStreams, said: { text: string }) {
    this.child = child;
    this.#said = said;
    this.url = /serves MCP at (\S+)/.exec(said.text)?.[1] ?? '';
    this.token = /Authorization: Bearer (\S+)/.exec(said.text)?.[1];
  }

  /** All that it has written to standard error. */
  get log(): string {
    return this.#said.text;
  }

  /** A bare request, with the token and JSON unless the test says otherwise; `undefined` leaves a header out. */
  fetch(init: { method?: string; headers?: Record<string, string | undefined>; body?: string } = {}) {
    const given = {
      authorization: this.token === undefined ? undefined : `Bearer ${this.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...init.headers,
    };
    const headers = Object.entries(given).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    const { method = 'POST', body } = init;
    return fetch(this.url, { method, headers, ...(body !== undefined && { body }) });
  }

  /** A bare request of the 2026-07-28 protocol. */
  modern(method: string, params: Record<string, unknown> = {}) {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: modernMeta } });
    return this.fetch({ headers, body });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }
}
