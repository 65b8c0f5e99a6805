/** At most so many requests a second from each client address, with bursts of one second's worth. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #clients = new Map<string, { tokens: number; at: number }>();

  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  allows(client: string): boolean {
    const now = this.#now();
    if (this.#clients.size > 1000) this.#forgetRested(now);
    const known = this.#clients.get(client) ?? { tokens: this.#perSecond, at: now };
    known.tokens = Math.min(this.#perSecond, known.tokens + ((now - known.at) / 1000) * this.#perSecond);
    known.at = now;
    this.#clients.set(client, known);
    if (known.tokens < 1) return false;
    known.tokens--;
    return true;
  }

  #forgetRested(now: number): void {
    for (const [client, { at }] of this.#clients) if (now - at > 1000) this.#clients.delete(client);
  }
}
