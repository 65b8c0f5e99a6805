/** Something that lets the SID's time pass. */
export interface SoundClock {
  catchUp(cycles: number): void;
}

/** Lets the SID's time pass when somebody asks for it, or somebody who listens do so. */
export class SidClock {
  readonly #clock: Float64Array;
  readonly #sid: SoundClock;
  #sound: SoundClock;

  /** `clock`: the cycle that it is, and the SID's. */
  constructor(clock: Float64Array, sid: SoundClock) {
    this.#clock = clock;
    this.#sid = sid;
    this.#sound = sid;
  }

  catchUp(): void {
    const now = this.#clock[0] as number;
    const behind = now - (this.#clock[1] as number);
    if (behind > 0) {
      this.#clock[1] = now;
      this.#sound.catchUp(behind);
    }
  }

  /** From now on this runs the SID, which must be the same as if it did so itself. */
  listen(listener: SoundClock | undefined): void {
    this.catchUp();
    this.#sound = listener ?? this.#sid;
  }
}
