import type { ToolHost } from '../api/tool-host.ts';

const quietMs = 60_000;
const mostAddresses = 1000;

/** Notes who came with a token that is none; an address that keeps trying is noted once a minute, with how often. */
export class DeniedTokens {
  readonly #audit: ToolHost['audit'];
  readonly #tries = new Map<string, { count: number; notedAt: number }>();

  constructor(audit: ToolHost['audit']) {
    this.#audit = audit;
  }

  count(address = 'unknown'): void {
    const now = performance.now();
    if (this.#tries.size > mostAddresses) this.#tries.clear();
    const tries = this.#tries.get(address) ?? { count: 0, notedAt: Number.NEGATIVE_INFINITY };
    this.#tries.set(address, tries);
    tries.count++;
    if (now - tries.notedAt < quietMs) return;
    const why =
      tries.count === 1 ? 'a token that is none of ours' : `${tries.count} times a token that is none of ours`;
    this.#audit({ address }, { tool: 'http', outcome: 'denied', why });
    tries.count = 0;
    tries.notedAt = now;
  }
}
