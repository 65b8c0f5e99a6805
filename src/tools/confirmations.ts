/** Tokens with which an agent shows that it asked: each fits one call with the same arguments, once, for ten minutes. */
export class Confirmations {
  /** False when the user has agreed to everything beforehand. */
  readonly wanted: boolean;
  readonly #randomToken: () => string;
  readonly #issued = new Map<string, { readonly call: string; readonly expires: number }>();

  constructor(wanted: boolean, randomToken: () => string) {
    this.wanted = wanted;
    this.#randomToken = randomToken;
  }

  issue(tool: string, raw: unknown): string {
    const now = Date.now();
    for (const [token, { expires }] of this.#issued) if (expires < now) this.#issued.delete(token);
    const token = this.#randomToken();
    this.#issued.set(token, { call: fingerprint(tool, raw), expires: now + 600_000 });
    return token;
  }

  redeem(token: unknown, tool: string, raw: unknown): boolean {
    if (typeof token !== 'string') return false;
    const issued = this.#issued.get(token);
    if (issued === undefined || issued.expires < Date.now() || issued.call !== fingerprint(tool, raw)) return false;
    this.#issued.delete(token);
    return true;
  }
}

function fingerprint(tool: string, raw: unknown): string {
  const entries = Object.entries(raw ?? {}).filter(([key]) => key !== 'confirmation_token');
  return JSON.stringify([tool, entries.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
