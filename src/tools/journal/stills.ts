import type { Machine } from '../../machine/machine.ts';
import { SmallPictures } from './small-pictures.ts';

const widest = 192;
const mostBytes = 16 * 1024 * 1024;
/** So many times as long as a still took there is none of the same machine: whoever calls in a hurry is not held up. */
const restFactor = 10;
const shortestWaitMs = 5;
const longestWaitMs = 500;

interface LastStill {
  readonly number: number;
  readonly time: number | undefined;
  /** When the next one may be taken. */
  readonly pace: { freeAt: number };
  timer?: NodeJS.Timeout;
}

/** Small pictures of screens around the calls that changed them: the newest, as many as there is room for. */
export class Stills {
  readonly #kept = new Map<number, Promise<Uint8Array | undefined>>();
  readonly #sizes = new Map<number, number>();
  readonly #last = new WeakMap<Machine, LastStill>();
  readonly #small = new SmallPictures(widest);
  /** Whether somebody looks at a machine: one whose pictures another program has to make is left alone unless. */
  isWatched: (machine: Machine) => boolean = () => false;
  /** Where stills are kept that other threads took. */
  elsewhere: (number: number) => Promise<Uint8Array | undefined> | undefined = () => undefined;
  #bytes = 0;
  #next: number;

  constructor(first = 1) {
    this.#next = first;
  }

  /** The number of a still of this moment, if one can be taken without delay. */
  now(machine: Machine): number | undefined {
    if (!machine.screen || (machine.control?.framesPerSecond === undefined && !this.isWatched(machine)))
      return undefined;
    const last = this.#last.get(machine);
    const time = timeOf(machine);
    if (last && last.time === time && (time !== undefined || performance.now() < last.pace.freeAt)) return last.number;
    if (last && performance.now() < last.pace.freeAt) return undefined;
    return this.#begin(machine, time).number;
  }

  /** The same after a call: where it cannot be taken at once, it is when there is time, unless another call comes first. */
  after(machine: Machine): number | undefined {
    const number = this.now(machine);
    const last = this.#last.get(machine);
    if (number !== undefined || !last) return number;
    clearTimeout(last.timer);
    const next: LastStill = { number: this.#next++, time: timeOf(machine), pace: last.pace };
    next.timer = setTimeout(
      () => {
        if (this.#last.get(machine) === next && timeOf(machine) === next.time) this.#take(machine, next);
      },
      Math.max(shortestWaitMs, Math.min(longestWaitMs, last.pace.freeAt - performance.now())),
    ).unref();
    this.#last.set(machine, next);
    return next.number;
  }

  /** As PNG; nothing if it is not kept any more, or was never taken. */
  async read(number: number): Promise<Uint8Array | undefined> {
    return this.#kept.get(number) ?? this.elsewhere(number);
  }

  #begin(machine: Machine, time: number | undefined): LastStill {
    clearTimeout(this.#last.get(machine)?.timer);
    const pace = { freeAt: Number.POSITIVE_INFINITY };
    const still: LastStill = { number: this.#next++, time, pace };
    this.#last.set(machine, still);
    this.#take(machine, still);
    return still;
  }

  #take(machine: Machine, still: LastStill): void {
    const began = performance.now();
    const rest = () => {
      const ended = performance.now();
      still.pace.freeAt = ended + (ended - began) * restFactor;
    };
    const png = machine.screen
      ?.picture()
      .then((picture) => {
        const png = this.#small.draw(picture);
        rest();
        return png;
      })
      .catch(() => {
        rest();
        return undefined;
      });
    if (!png) return;
    this.#kept.set(still.number, png);
    void png.then((bytes) => this.#keep(still.number, bytes?.length ?? 0));
  }

  #keep(number: number, bytes: number): void {
    this.#sizes.set(number, bytes);
    this.#bytes += bytes;
    for (const [oldest, size] of this.#sizes) {
      if (this.#bytes <= mostBytes) break;
      this.#kept.delete(oldest);
      this.#sizes.delete(oldest);
      this.#bytes -= size;
    }
  }
}

/** Its own time, where it has one that does not pass on its own. */
function timeOf(machine: Machine): number | undefined {
  const { state, now } = machine.status();
  return state === 'RUNNING' ? undefined : now?.time;
}
