import type { BoardClock } from './state-words.ts';
/** Something that lets the time of a sound chip pass. */
export interface SoundClock {
  catchUp(cycles: number): void;
}

/** Lets the sound chip's time pass when somebody asks for it, or somebody who listens do so. */
export class LazySound {
  readonly #clock: BoardClock;
  readonly #chip: SoundClock;
  #sound: SoundClock;

  /** `clock`: the cycle that it is, and the chip's. */
  constructor(clock: BoardClock, chip: SoundClock) {
    this.#clock = clock;
    this.#chip = chip;
    this.#sound = chip;
  }

  catchUp(): void {
    const now = this.#clock[0];
    const behind = now - (this.#clock[1] as number);
    if (behind > 0) {
      this.#clock[1] = now;
      this.#sound.catchUp(behind);
    }
  }

  /** From now on this runs the chip, which must be the same as if it did so itself. */
  listen(listener: SoundClock | undefined): void {
    this.catchUp();
    this.#sound = listener ?? this.#chip;
  }
}
