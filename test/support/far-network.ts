import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { vi } from 'vitest';

const asRoot = process.getuid?.() === 0;
const ownNetwork = asRoot ? ['-n'] : ['-Urn'];
const farAddress = '10.99.0.2';

/** Whether this computer lets us make networks. */
export const canMakeNetworks = spawnSync('unshare', [...ownNetwork, 'ip', 'link', 'set', 'lo', 'up']).status === 0;

/** Two networks with a wire between them: one to be in, and a far one with a machine that can vanish without a word. */
export class FarNetwork implements AsyncDisposable {
  readonly address = farAddress;
  readonly #near: ChildProcess;
  readonly #far: ChildProcess;
  readonly #others: ChildProcess[] = [];

  static async open(): Promise<FarNetwork> {
    const near = spawn('unshare', [...ownNetwork, 'sleep', '600'], { stdio: 'ignore' });
    await isIn(near, 'sleep');
    const far = spawn('nsenter', [...into(near), 'unshare', '-n', 'sleep', '600'], { stdio: 'ignore' });
    await isIn(far, 'sleep');
    const network = new FarNetwork(near, far);
    network.#inNear('ip', 'link', 'add', 'wire', 'type', 'veth', 'peer', 'name', 'far', 'netns', String(far.pid));
    network.#inNear('ip', 'address', 'add', '10.99.0.1/24', 'dev', 'wire');
    network.#inNear('ip', 'link', 'set', 'wire', 'up');
    network.#inFar('ip', 'address', 'add', `${farAddress}/24`, 'dev', 'far');
    network.#inFar('ip', 'link', 'set', 'far', 'up');
    network.#inNear('ip', 'link', 'set', 'lo', 'up');
    return network;
  }

  private constructor(near: ChildProcess, far: ChildProcess) {
    this.#near = near;
    this.#far = far;
  }

  /** The beginning of a command line that runs a program in the near network. */
  get command(): readonly string[] {
    return ['nsenter', ...into(this.#near)];
  }

  /** A guest that says hello to each connection and then takes what it is told. */
  async listen(port: number): Promise<void> {
    const socat = [`TCP-LISTEN:${port},fork,reuseaddr`, 'SYSTEM:echo hello; cat > /dev/null'];
    const args = [...into(this.#far), 'socat', ...socat];
    this.#others.push(spawn('nsenter', args, { stdio: 'ignore', detached: true }));
    await vi.waitFor(() => {
      if (!this.#inFar('ss', '-tln').includes(`:${port}`)) throw new Error('the guest does not listen');
    }, 60_000);
  }

  /** From now on nothing comes back from there: no answer, no refusal. */
  vanish(): void {
    this.#inFar('ip', 'address', 'del', `${farAddress}/24`, 'dev', 'far');
  }

  return(): void {
    this.#inFar('ip', 'address', 'add', `${farAddress}/24`, 'dev', 'far');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of [...this.#others, this.#far, this.#near]) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      // A process for each connection goes with the one that listens.
      if (this.#others.includes(child) && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }

  #inNear(...command: readonly string[]): string {
    return run([...into(this.#near), ...command]);
  }

  #inFar(...command: readonly string[]): string {
    return run([...into(this.#far), ...command]);
  }
}

function into({ pid }: ChildProcess): string[] {
  return ['-t', String(pid), ...(asRoot ? ['-n'] : ['-U', '-n', '--preserve-credentials'])];
}

function run(args: readonly string[]): string {
  return execFileSync('nsenter', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** `unshare` becomes the program once it is where it should be. */
async function isIn({ pid }: ChildProcess, program: string): Promise<void> {
  await vi.waitFor(() => {
    const name = execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    if (name !== program) throw new Error(`still ${name}`);
  }, 60_000);
}
