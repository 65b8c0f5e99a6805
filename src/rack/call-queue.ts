import { advice, call, MachineError } from '../machine/errors.ts';

interface Holder {
  readonly what: string;
  /** Of `performance.now()`. */
  readonly since: number;
}

/** Lets one call at a time change a machine, in the order in which they came. */
export class CallQueue {
  readonly #waiting: (() => void)[] = [];
  #busy = false;
  #holder: Holder | undefined;
  #turns = 0;

  get holder(): Holder | undefined {
    return this.#holder;
  }

  /** How many calls have had their turn, the present one included. */
  get turns(): number {
    return this.#turns;
  }

  async run<T>(what: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.#busy) await this.#turn(signal);
    this.#busy = true;
    this.#turns++;
    this.#holder = { what, since: performance.now() };
    try {
      return await task();
    } finally {
      this.#holder = undefined;
      const next = this.#waiting.shift();
      // Handed over directly: a call that comes in before the next one wakes must not slip in between.
      if (next) next();
      else this.#busy = false;
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        // One that comes when it is not wanted any more has not stood in the line.
        if (this.#waiting.includes(admit)) this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        const holder = this.#holder;
        reject(
          new MachineError(
            'BUSY',
            `The machine is busy with ${holder ? `${holder.what} since ${seconds(holder.since)} s` : 'other calls'}; this call waited and was not carried out.`,
            [
              advice`Wait for that call to end, or cancel it.`,
              advice`Call ${call('machine_stop')}, which does not wait.`,
            ],
          ),
        );
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(admit);
    });
  }
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
