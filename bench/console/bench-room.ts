import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Sandbox } from '../../test/support/sandbox.ts';
import { Worker } from '../harness/worker.ts';
import type { Guests } from './guests-process.ts';
import { Panel } from './panel.ts';
import type { Watcher } from './watcher-process.ts';

/** Something that carries the output of a guest to a unix socket. */
export interface Line {
  readonly guestPort: number;
  readonly socketOut: string;
  /** The process that does it. */
  readonly pid: number;
}

/** Everything of one measurement in a directory of its own; all processes end with it. */
export class BenchRoom implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly guests: Worker<Guests>;
  readonly #closing: AsyncDisposable[] = [];
  #sockets = 0;

  static async open(): Promise<BenchRoom> {
    return new BenchRoom(await Sandbox.open());
  }

  private constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
    this.guests = this.#own(new Worker<Guests>(new URL('./guests-process.ts', import.meta.url)));
  }

  watcher(): Worker<Watcher> {
    return this.#own(new Worker<Watcher>(new URL('./watcher-process.ts', import.meta.url)));
  }

  async panel(): Promise<Panel> {
    return this.#own(await Panel.start(this.sandbox));
  }

  /** Attaches a panel to as many fresh guests. */
  async consoles(panel: Panel, count: number): Promise<(Line & { readonly handle: string })[]> {
    const lines = [];
    for (const guestPort of await this.guests.call('listen', count)) {
      const { handle, socketOut } = await panel.attach(guestPort);
      lines.push({ handle, guestPort, socketOut, pid: panel.pid });
    }
    await this.guests.call(
      'connected',
      lines.map(({ guestPort }) => guestPort),
    );
    return lines;
  }

  /** The same with socat, for one client. */
  async socat(...options: readonly string[]): Promise<Line> {
    const [guestPort = 0] = await this.guests.call('listen', 1);
    const socketOut = join(this.sandbox.dir, `socat-${++this.#sockets}`);
    const addresses = [`TCP:127.0.0.1:${guestPort}`, `UNIX-LISTEN:${socketOut}`];
    const child = spawn('socat', [...options, ...addresses], { stdio: ['ignore', 'ignore', 'inherit'] });
    await once(child, 'spawn');
    this.#own({ [Symbol.asyncDispose]: () => ended(child) });
    await this.guests.call('connected', [guestPort]);
    return { guestPort, socketOut, pid: child.pid ?? 0 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.#closing.reverse()) await each[Symbol.asyncDispose]();
    await this.sandbox[Symbol.asyncDispose]();
  }

  #own<T extends AsyncDisposable>(each: T): T {
    this.#closing.push(each);
    return each;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}
