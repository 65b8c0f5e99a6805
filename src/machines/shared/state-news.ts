import type { ExecutionState } from '../../machine/state.ts';

/**
 * Tells each state that a machine comes into, at once and in order. A pause between two movements of the same call, which nobody
 * outside can see, is none.
 */
export class StateNews {
  readonly #tell: (state: ExecutionState) => void;
  #told: ExecutionState;
  #pause: NodeJS.Immediate | undefined;

  constructor(first: ExecutionState, tell: (state: ExecutionState) => void) {
    this.#told = first;
    this.#tell = tell;
  }

  entered(state: ExecutionState): void {
    if (state === 'PAUSED') {
      this.#pause ??= setImmediate(() => this.flush());
      return;
    }
    const goesOn = state === 'RUNNING' || state === 'RESET';
    if (goesOn) this.#drop();
    else this.flush();
    this.#say(state);
  }

  /** Whoever calls this has seen the pause. */
  flush(): void {
    if (!this.#pause) return;
    this.#drop();
    this.#say('PAUSED');
  }

  #drop(): void {
    clearImmediate(this.#pause);
    this.#pause = undefined;
  }

  /** Of states only a reset can follow itself. */
  #say(state: ExecutionState): void {
    if (state === this.#told && state !== 'RESET') return;
    this.#told = state;
    this.#tell(state);
  }
}
