import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { HttpProgram } from './http-program.ts';
import { Sandbox } from './sandbox.ts';

/** A NATS server of its own, with stations and gateways as processes. */
export class Fleet implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly gatewayPids: number[] = [];
  readonly #stations: ChildProcess[] = [];
  #server: ChildProcess | undefined;
  #port = 0;

  /** `config` is what the server's configuration says. */
  static async open(config?: string): Promise<Fleet> {
    const fleet = new Fleet(await Sandbox.open());
    const file = join(fleet.sandbox.dir, 'nats.conf');
    if (config !== undefined) writeFileSync(file, config);
    await fleet.startServer(...(config === undefined ? [] : ['-c', file]));
    return fleet;
  }

  private constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  get serverPid(): number {
    return this.#server?.pid ?? 0;
  }

  /** On the same port as before, with what is left of its store. */
  async startServer(...args: readonly string[]): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    const store = ['-js', '-sd', join(this.sandbox.dir, 'store')];
    const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(this.#port), ...store, ...args]);
    this.#server = child;
    await saidBy(child, /Server is ready/);
  }

  async killServer(loseStore = false): Promise<void> {
    if (this.#server) await killed(this.#server);
    if (loseStore) rmSync(join(this.sandbox.dir, 'store'), { recursive: true, force: true });
  }

  async station(name: string, ...args: readonly string[]): Promise<ChildProcess> {
    const own = ['--host-name', name, '--log-level', 'error', '--allow-commands'];
    const child = this.sandbox.spawn(['station', ...own, ...this.#nats(args), ...args]);
    this.#stations.push(child);
    await saidBy(child, /keeps machines for the fleet/);
    return child;
  }

  async gateway(...args: readonly string[]): Promise<HttpProgram> {
    const started = await HttpProgram.start(
      this.sandbox,
      ...this.#nats(args),
      '--max-machines',
      '500',
      '--threads',
      '0',
      ...args,
    );
    this.gatewayPids.push(started.child.pid ?? 0);
    return started;
  }

  /** Unless the test says which. */
  #nats(args: readonly string[]): readonly string[] {
    return args.includes('--nats') ? [] : ['--nats', this.url];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#stations) await killed(child);
    await this.sandbox[Symbol.asyncDispose]();
    await this.killServer();
  }
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGCONT');
  child.kill('SIGKILL');
  await exited;
}

/** All that it said until then, on either stream. */
export function saidBy(child: ChildProcess, what: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (text: unknown) => {
      said += String(text);
      if (what.test(said)) resolve(said);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${said}`)));
  });
}
