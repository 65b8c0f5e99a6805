import type { Episodes } from '../machine/episodes.ts';
import { MachineError } from '../machine/errors.ts';
import type { Machine } from '../machine/machine.ts';
import { type AsyncReading, compileAsync } from './async-condition.ts';

/** What a second of a machine's life has that counts no frames. */
const framesPerSecond = 60;
const markName = 'gym';

/** Episodes of a machine that lives in real time, such as a QEMU: a step is a stretch of that time. */
export class LiveEpisodes implements Episodes {
  readonly #machine: Machine;
  readonly #signal: AbortSignal;
  #marks = 0;

  constructor(machine: Machine, signal: AbortSignal) {
    this.#machine = machine;
    this.#signal = signal;
  }

  begin(): void {}

  async advance(frames: number): Promise<void> {
    const { control } = this.#machine;
    if (!control) throw missing(this.#machine.kind, 'run control');
    await control.run({ wallMs: (frames * 1000) / framesPerSecond }, this.#signal);
    await control.pause();
  }

  reading(expression: string): AsyncReading {
    const { memory, cpu, addresses } = this.#machine;
    return compileAsync(expression, {
      async value(name) {
        const symbol = await addresses?.resolve?.(name);
        if (symbol !== undefined) return symbol;
        return (await cpu?.registers())?.find((register) => register.name.toLowerCase() === name.toLowerCase())?.value;
      },
      async peek(address, bytes) {
        const space = memory?.spaces[0]?.name;
        if (!memory || space === undefined) throw missing('this', 'memory');
        return memory.peek(space, address, bytes);
      },
    });
  }

  async mark(): Promise<() => Promise<void>> {
    const { snapshots } = this.#machine;
    if (!snapshots) throw missing(this.#machine.kind, 'snapshots');
    this.#marks += 1;
    const { name } = await snapshots.save(`${markName}-${this.#marks}`);
    return async () => {
      await snapshots.restore(name);
    };
  }
}

function missing(kind: string, what: string): MachineError {
  return new MachineError('MISSING_CAPABILITY', `A ${kind} machine has no ${what}.`, 'Use another kind.');
}
