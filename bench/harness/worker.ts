import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { within } from './clock.ts';

interface Call {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

type Method = (...args: never[]) => Promise<unknown>;

const patienceMs = 60_000;

/** A process of its own for one side of a measurement, so that the sides do not share an event loop. */
export class Worker<Service extends Record<string, Method>> implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  constructor(file: URL) {
    this.#child = fork(fileURLToPath(file), { execArgv: ['--import', 'tsx'] });
    this.#child.on('message', (answer: Answer) => this.#waiting.get(answer.id)?.(answer));
    this.#child.on('exit', (code, signal) => {
      for (const [id, settle] of this.#waiting) settle({ id, error: `the process ended: ${code ?? signal}` });
    });
  }

  call<Name extends keyof Service & string>(name: Name, ...args: Parameters<Service[Name]>): ReturnType<Service[Name]> {
    const id = ++this.#lastId;
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        this.#waiting.delete(id);
        if (error === undefined) resolve(result);
        else reject(new Error(`${name}: ${error}`));
      });
      this.#child.send({ id, name, args } satisfies Call);
    });
    return within(patienceMs, name, answer) as ReturnType<Service[Name]>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await gone;
  }
}

/** The other end: answers the calls that come from the process that started this one. */
export function serveCalls(service: Readonly<Record<string, Method>>): void {
  const answer = (message: Answer) => void process.send?.(message);
  process.on('message', async ({ id, name, args }: Call) => {
    try {
      const method = service[name];
      if (!method) throw new Error('no such method');
      answer({ id, result: await Reflect.apply(method, undefined, args) });
    } catch (error) {
      answer({ id, error: String(error) });
    }
  });
  process.on('disconnect', () => process.exit());
}
