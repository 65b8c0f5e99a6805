import { MachineError } from '../../machine/errors.ts';

/** How long a piece of work may keep the process to itself. */
const sliceMs = 5;

/** Work that waits for its turn. One goes on in each turn of the event loop, so that many together hold up nobody. */
const waiting: (() => void)[] = [];

/** Lets timers, sockets and other work have their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(goOn);
  next?.();
}

/** Work that may take long, cut into slices. Between two pieces of it: `if (slice.isOver) await slice.next();`. */
export class TimeSlice {
  readonly #check: () => void | Promise<void>;
  #end = performance.now() + sliceMs;

  /** `check` is called before each new slice: it waits if the work has to, and throws if it must not go on. */
  constructor(check: () => void | Promise<void> = () => {}) {
    this.#check = check;
  }

  /** When it is over, as `performance.now` counts. */
  get end(): number {
    return this.#end;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  async next(): Promise<void> {
    await nextTurn();
    await this.#check();
    this.#end = performance.now() + sliceMs;
  }
}

/** A check for slices: the work ends when the signal comes, with an error that says why. */
export function unlessAborted(signal: AbortSignal): () => void {
  return () => {
    if (!signal.aborted) return;
    const { reason } = signal as { readonly reason: unknown };
    if (reason instanceof MachineError) throw reason;
    const why = reason instanceof Error ? reason.message : 'the call was cancelled';
    throw new MachineError('CANCELLED', `Not finished: ${why}.`, 'Call again, with less to do at once.');
  };
}
