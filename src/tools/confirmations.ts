/** Of questions that wait for an answer; whoever asks more loses the oldest. */
const mostIssued = 1000;
const mostChars = 8_000_000;
const validMs = 600_000;

/** Tokens with which an agent shows that it asked: each fits one call with the same arguments, once, for ten minutes. */
export class Confirmations {
  /** False when the user has agreed to everything beforehand. */
  readonly wanted: boolean;
  readonly #randomToken: () => string;
  readonly #issued = new Map<string, { readonly call: string; readonly expires: number }>();
  #chars = 0;

  constructor(wanted: boolean, randomToken: () => string) {
    this.wanted = wanted;
    this.#randomToken = randomToken;
  }

  issue(tool: string, raw: unknown): string {
    const token = this.#randomToken();
    const call = fingerprint(tool, raw);
    this.#issued.set(token, { call, expires: performance.now() + validMs });
    this.#chars += call.length;
    for (const oldest of this.#issued.keys()) {
      if (oldest === token || (this.#issued.size <= mostIssued && this.#chars <= mostChars)) break;
      this.#forget(oldest);
    }
    return token;
  }

  redeem(token: unknown, tool: string, raw: unknown): boolean {
    if (typeof token !== 'string') return false;
    const issued = this.#issued.get(token);
    if (issued === undefined || issued.expires < performance.now() || issued.call !== fingerprint(tool, raw))
      return false;
    this.#forget(token);
    return true;
  }

  #forget(token: string): void {
    this.#chars -= this.#issued.get(token)?.call.length ?? 0;
    this.#issued.delete(token);
  }
}

function fingerprint(tool: string, raw: unknown): string {
  const entries = Object.entries(raw ?? {}).filter(([key]) => key !== 'confirmation_token');
  return JSON.stringify([tool, entries.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
