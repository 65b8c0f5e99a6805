/** A state of the machine at an instruction of its recording, in the image of states. */
export interface RecordedState {
  readonly tag: string;
  readonly position: number;
  /** What QEMU leaves out of it; of the first state not known before it is played. */
  boardTime: readonly string[] | undefined;
}

/** Beside the first one. Each takes as much as the guest uses of its memory. */
const maxKept = 8;

/** What is known of a recording, through all processes that play it. Positions are instructions since its beginning. */
export class Recording {
  readonly first: RecordedState;
  /** The last instruction to which it can be played: at the very end of it QEMU would end, too. */
  readonly end: number;
  #kept: readonly RecordedState[] = [];

  constructor(firstState: string, end = Number.POSITIVE_INFINITY) {
    this.first = { tag: firstState, position: 0, boardTime: undefined };
    this.end = end;
  }

  /** The last one that is not after this position. */
  stateBefore(position: number): RecordedState {
    const before = this.#kept.filter((state) => state.position <= position);
    return before.reduce((last, state) => (state.position > last.position ? state : last), this.first);
  }

  /** Answers those that are not needed any more. */
  keep(state: RecordedState): readonly RecordedState[] {
    const all = [...this.#kept, state];
    this.#kept = all.slice(-maxKept);
    return all.slice(0, -maxKept);
  }
}
