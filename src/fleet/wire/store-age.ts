import type { FleetLine } from './fleet-line.ts';
import { ensureStreams } from './streams.ts';

/** So long after a store was made anew, stations have written down what the lost one had. */
const toldMs = 10_000;
/** A store that is older by the server's clock, which may be wrong by less than that, is not new. */
const surelyOldMs = 3_600_000;

/** Whether a stream of the store is old enough for its silence to mean something. */
export class StoreAge {
  readonly #line: FleetLine;
  readonly #stream: string;
  #seen: { readonly created: string; readonly at: number } | undefined;

  constructor(line: FleetLine, stream: string) {
    this.#line = line;
    this.#stream = stream;
  }

  async isOld(): Promise<boolean> {
    const { manager } = await this.#line.streams();
    await ensureStreams(manager);
    const { created } = await manager.streams.info(this.#stream);
    if (this.#seen?.created !== created) this.#seen = { created, at: performance.now() };
    return performance.now() - this.#seen.at > toldMs || Date.now() - Date.parse(created) > surelyOldMs;
  }
}
