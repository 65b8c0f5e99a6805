import { createHash } from 'node:crypto';

/** Of questions that wait for an answer; whoever asks more loses the oldest. */
const mostIssued = 1000;
const validMs = 600_000;

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
    const [oldest] = this.#issued.keys();
    if (this.#issued.size >= mostIssued && oldest !== undefined) this.#issued.delete(oldest);
    const token = this.#randomToken();
    this.#issued.set(token, { call: fingerprint(tool, raw), expires: performance.now() + validMs });
    return token;
  }

  redeem(token: unknown, tool: string, raw: unknown): boolean {
    if (typeof token !== 'string') return false;
    const issued = this.#issued.get(token);
    if (issued === undefined || issued.expires < performance.now() || issued.call !== fingerprint(tool, raw))
      return false;
    this.#issued.delete(token);
    return true;
  }
}

function fingerprint(tool: string, raw: unknown): string {
  const entries = Object.entries(raw ?? {}).filter(([key]) => key !== 'confirmation_token');
  const call = JSON.stringify([tool, entries.sort(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash('sha256').update(call).digest('base64');
}
