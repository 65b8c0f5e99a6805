import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { BinaryMonitor } from './binary-monitor.ts';

export interface ViceSetup {
  readonly executable: string;
  /** VICE's data folder, and those of its folders that this machine needs. */
  readonly data: string;
  readonly folders: readonly string[];
  readonly options: readonly string[];
}

const startMs = 20_000;

/** A real VICE without a window, and its monitor. It ends with `end`, or with us. */
export class ViceProcess {
  readonly monitor: BinaryMonitor;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, monitor: BinaryMonitor) {
    this.#child = child;
    this.monitor = monitor;
  }

  static async start({ executable, data, folders, options }: ViceSetup): Promise<ViceProcess> {
    const port = await freePort();
    const directory = [...folders.map((folder) => join(data, folder)), data].join(':');
    const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env;
    // -console has to come early, or VICE looks for a display.
    const fixed = ['-default', '-console', '-directory', directory, '-warp', '+sound'];
    const monitored = ['-binarymonitor', '-binarymonitoraddress', `ip4://127.0.0.1:${port}`];
    const child = spawn(executable, [...fixed, ...monitored, ...options], { stdio: 'ignore', env });
    const gone = new AbortController();
    const timer = setTimeout(() => gone.abort(new Error(`${executable} did not open its monitor`)), startMs);
    child.once('error', (error) => gone.abort(error));
    child.once('exit', (code) =>
      gone.abort(new Error(`${executable} ended with code ${code}: are its ROMs in ${data}?`)),
    );
    const kill = () => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    try {
      return new ViceProcess(child, await BinaryMonitor.open(port, gone.signal));
    } catch (error) {
      kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.monitor.close();
    this.#child.kill('SIGKILL');
    if (this.#child.exitCode === null && this.#child.signalCode === null) await ended;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
