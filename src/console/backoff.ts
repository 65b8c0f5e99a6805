export interface BackoffOptions {
  readonly firstMs?: number;
  readonly maxMs?: number;
  /** A link that lasted this long was a good one: the next loss starts from `firstMs` again. */
  readonly stableMs?: number;
  readonly now?: () => number;
  /** 0 to 1. */
  readonly random?: () => number;
}

/** How much earlier than its nominal time an attempt may come, so that many lines do not come back in one moment. */
const jitter = 0.2;

/** Waiting times between attempts: doubling, bounded, and short again after a stable link. */
export class Backoff {
  readonly #options: Required<BackoffOptions>;
  #nominalMs: number;
  #upSince: number | undefined;

  constructor(options: BackoffOptions = {}) {
    this.#options = {
      firstMs: options.firstMs ?? 1000,
      maxMs: options.maxMs ?? 60_000,
      stableMs: options.stableMs ?? 5000,
      now: options.now ?? (() => performance.now()),
      random: options.random ?? Math.random,
    };
    this.#nominalMs = this.#options.firstMs;
  }

  /** As if there had been no attempt yet. */
  reset(): void {
    this.#nominalMs = this.#options.firstMs;
    this.#upSince = undefined;
  }

  linkUp(): void {
    this.#upSince = this.#options.now();
  }

  /** How long to wait after a failure or a loss. Never longer than `nominalMs`. */
  next(): { readonly delayMs: number; readonly nominalMs: number } {
    const { firstMs, maxMs, stableMs, now, random } = this.#options;
    if (this.#upSince !== undefined && now() - this.#upSince >= stableMs) this.#nominalMs = firstMs;
    this.#upSince = undefined;
    const nominalMs = Math.min(this.#nominalMs, maxMs);
    this.#nominalMs = Math.min(nominalMs * 2, maxMs);
    return { delayMs: Math.round(nominalMs * (1 - jitter * random())), nominalMs };
  }
}
