import type { QmpEvent } from '../../links/qmp/qmp-message.ts';

interface Stretch {
  readonly virtualMs: number;
  readonly wallMs: number;
}

/** Stretches kept; older ones are only needed for packets captured before thousands of pauses. */
const maxStretches = 4096;

/**
 * QEMU's virtual clock, which only runs while the guest does. QEMU does not tell it, but it tells with exact times when
 * the guest begins and ceases to run.
 */
export class VirtualClock {
  #stretches: Stretch[] = [];
  #virtualMs = 0;
  #runsSince: number | undefined;

  event({ name, at }: QmpEvent): void {
    if (name === 'RESUME' && this.#runsSince === undefined) {
      this.#runsSince = at;
      const last = this.#stretches.at(-1);
      // A pause too short for anybody to notice does not make another stretch.
      if (last && Math.abs(at - this.#virtualMs - (last.wallMs - last.virtualMs)) < 1) return;
      this.#stretches.push({ virtualMs: this.#virtualMs, wallMs: at });
      if (this.#stretches.length > maxStretches) this.#stretches.shift();
    } else if ((name === 'STOP' || name === 'SHUTDOWN') && this.#runsSince !== undefined) {
      this.#virtualMs += at - this.#runsSince;
      this.#runsSince = undefined;
    }
  }

  /** Since the guest was switched on. */
  get nowMs(): number {
    return this.#virtualMs + (this.#runsSince === undefined ? 0 : Date.now() - this.#runsSince);
  }

  /** Another past was put in the place of this one, while the guest stood still. */
  set(virtualMs: number): void {
    this.#virtualMs = virtualMs;
    this.#stretches = [];
    if (this.#runsSince === undefined) return;
    this.#runsSince = Date.now();
    this.#stretches.push({ virtualMs, wallMs: this.#runsSince });
  }

  /** The real time, in milliseconds since 1970, at which the clock stood there. */
  wallMs(virtualMs: number): number {
    const stretch = this.#stretches.findLast((each) => each.virtualMs <= virtualMs) ?? this.#stretches[0];
    return stretch ? stretch.wallMs + (virtualMs - stretch.virtualMs) : Date.now();
  }
}
