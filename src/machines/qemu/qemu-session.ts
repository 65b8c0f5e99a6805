import { setTimeout } from 'node:timers/promises';
import type { QmpClient } from '../../links/qmp/qmp-client.ts';
import { QmpError } from '../../links/qmp/qmp-error.ts';
import type { QmpEvent } from '../../links/qmp/qmp-message.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import { type QmpAnswer, type QmpQuery, qmpAnswer } from './qmp-answers.ts';

interface CallOptions {
  readonly timeoutMs?: number | undefined;
  /** What would help if QEMU refuses. */
  readonly fix?: string;
}

interface HumanOptions extends CallOptions {
  /** The processor that is meant. */
  readonly cpuIndex?: number | undefined;
}

/** Should the event of its end be lost. */
const jobPollMs = 100;

/** The monitor of the QEMU that runs now. It stays the same object when the machine is switched off and on. */
export class QemuSession {
  #client: QmpClient | undefined;
  #over = 'it has not been started';
  #jobs = 0;
  readonly #listeners = new Set<(event: QmpEvent) => void>();

  attach(client: QmpClient): void {
    this.#client = client;
    client.onEvent((event) => {
      for (const listener of [...this.#listeners]) listener(event);
    });
  }

  /** From now on every call is answered with this reason. */
  end(reason: string): void {
    this.#client?.close();
    this.#client = undefined;
    this.#over = reason;
  }

  get client(): QmpClient {
    if (this.#client) return this.#client;
    throw off(this.#over);
  }

  get isOver(): boolean {
    return this.#client === undefined;
  }

  async execute(
    command: string,
    args: Readonly<Record<string, unknown>> = {},
    { timeoutMs, fix }: CallOptions = {},
  ): Promise<unknown> {
    try {
      return await this.client.execute(command, args, { timeoutMs });
    } catch (error) {
      throw this.#explained(command, error, fix);
    }
  }

  /** A question whose answer is known to be of a certain shape. */
  async query<Query extends QmpQuery>(
    query: Query,
    args: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<QmpAnswer<Query>> {
    return qmpAnswer(query, await this.execute(query, args, options));
  }

  async hmp(line: string, { timeoutMs, fix, cpuIndex }: HumanOptions = {}): Promise<string> {
    try {
      return await this.client.hmp(line, { timeoutMs, cpuIndex });
    } catch (error) {
      throw this.#explained(line, error, fix);
    }
  }

  /** Runs a job to its end. */
  async job(command: string, args: Readonly<Record<string, unknown>>, timeoutMs: number, fix?: string): Promise<void> {
    const id = `job${++this.#jobs}`;
    const concluded = new AbortController();
    const stopListening = this.onEvent(({ name, data }) => {
      if (name === 'JOB_STATUS_CHANGE' && data.id === id && data.status === 'concluded') concluded.abort();
    });
    try {
      await this.#job(command, { 'job-id': id, ...args }, timeoutMs, concluded.signal, fix);
    } finally {
      stopListening();
    }
  }

  async #job(
    command: string,
    args: Readonly<Record<string, unknown>>,
    timeoutMs: number,
    concluded: AbortSignal,
    fix: string | undefined,
  ): Promise<void> {
    const id = args['job-id'];
    await this.execute(command, args, { timeoutMs, ...(fix !== undefined && { fix }) });
    const end = performance.now() + timeoutMs;
    for (;;) {
      // The signal says that there is nothing to wait for any more.
      if (!concluded.aborted) await setTimeout(jobPollMs, undefined, { signal: concluded }).catch(() => undefined);
      const job = (await this.query('query-jobs')).find((each) => each.id === id);
      if (job === undefined) return;
      if (job.status === 'concluded') {
        // Nobody has to wait for it: no other job has its name.
        void this.execute('job-dismiss', { id }).catch(() => undefined);
        if (job.error === undefined) return;
        throw new MachineError(
          'EXECUTION_ERROR',
          `QEMU failed at ${command}: ${job.error}`,
          fix ?? 'Read the message.',
        );
      }
      if (performance.now() > end) {
        throw new MachineError('UNAVAILABLE', `${command} was not done within ${timeoutMs} ms.`, 'Try again later.');
      }
    }
  }

  /** Stays across processes. */
  onEvent(listener: (event: QmpEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #explained(command: string, error: unknown, fix: string | undefined): unknown {
    if (!(error instanceof QmpError)) return error;
    if (error.failure === 'refused') {
      const message = `QEMU refuses ${command.slice(0, 80)}: ${error.message}`;
      return new MachineError('EXECUTION_ERROR', message, fix ?? 'Read the message and correct the call.', {
        error_class: error.errorClass,
      });
    }
    if (error.failure === 'timeout') {
      const message = `QEMU did not answer ${command.slice(0, 80)} in time.`;
      return new MachineError(
        'UNAVAILABLE',
        message,
        advice`Try again; if it stays silent, stop it with ${call('machine_stop')}.`,
      );
    }
    if (this.#client === undefined) return off(this.#over);
    return off(this.#client.closed ? 'QEMU has ended' : error.message);
  }
}

function off(reason: string): MachineError {
  return new MachineError(
    'WRONG_STATE',
    `The machine is off: ${reason}.`,
    [
      advice`Read the last output of its consoles with ${call('console_read')}.`,
      advice`Stop it with ${call('machine_stop')} and start another.`,
    ],
    { execution_state: 'OFF' },
  );
}
