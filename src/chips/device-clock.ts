/**
 * Turns the machine's time, the count of instructions, into ticks of a device and back, exactly: tick t happens at the first
 * count whose time is not before it. Exact while `hz * instructionsPerSecond` is below 2^53.
 */
export class DeviceClock {
  readonly #hz: number;
  readonly #instructionsPerSecond: number;

  constructor(hz: number, instructionsPerSecond: number) {
    this.#hz = hz;
    this.#instructionsPerSecond = instructionsPerSecond;
  }

  /** Whole ticks that have passed at this instruction count. */
  ticksAt(count: number): number {
    const ips = this.#instructionsPerSecond;
    const seconds = Math.floor(count / ips);
    return seconds * this.#hz + Math.floor(((count - seconds * ips) * this.#hz) / ips);
  }

  /** The first instruction count at which this many ticks have passed; never for infinitely many. */
  countAt(ticks: number): number {
    if (ticks === Number.POSITIVE_INFINITY) return ticks;
    const hz = this.#hz;
    const seconds = Math.floor(ticks / hz);
    return (
      seconds * this.#instructionsPerSecond + Math.ceil(((ticks - seconds * hz) * this.#instructionsPerSecond) / hz)
    );
  }
}
