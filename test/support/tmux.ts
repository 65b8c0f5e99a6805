import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import type { Sandbox } from './sandbox.ts';

const execute = promisify(execFile);

let servers = 0;

/** A tmux server of its own, with a person at its keyboard. */
export class Tmux implements AsyncDisposable {
  readonly #sandbox: Sandbox;
  readonly #socket: string;

  /** Starts with one window that runs a shell command. */
  static async start(sandbox: Sandbox, command: string): Promise<Tmux> {
    const tmux = new Tmux(sandbox);
    await tmux.run('-f', '/dev/null', 'new-session', '-d', '-x', '100', '-y', '30', '-s', 'person', command);
    return tmux;
  }

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    // A name of its own: a server that is just ending still has the old one.
    this.#socket = join(sandbox.dir, `tmux${++servers}`);
  }

  /** What TMUX is set to in its windows. */
  async variable(): Promise<string> {
    return (await this.run('display-message', '-p', '-t', 'person', '#{socket_path},#{pid},0')).trim();
  }

  async run(...args: readonly string[]): Promise<string> {
    const { TMUX: _, ...env } = this.#sandbox.env;
    const options = { env: { ...env, LC_ALL: 'C.UTF-8', SHELL: '/bin/sh' }, cwd: this.#sandbox.dir };
    const { stdout } = await execute('tmux', ['-S', this.#socket, ...args], options);
    return stdout;
  }

  /** Types text or named keys into a window. */
  async type(...keys: readonly string[]): Promise<void> {
    await this.run('send-keys', '-t', 'person', ...keys);
  }

  screen(): Promise<string> {
    return this.run('capture-pane', '-p', '-t', 'person');
  }

  /** The screen, once it shows this. */
  shows(text: string | RegExp): Promise<string> {
    return vi.waitFor(
      async () => {
        const screen = await this.screen();
        if (typeof text === 'string' ? !screen.includes(text) : !text.test(screen)) throw new Error(screen);
        return screen;
      },
      { timeout: 60_000, interval: 100 },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run('kill-server').catch(() => {});
  }
}
