import type { ToolHost } from '../api/tool-host.ts';
import type { Glimpse } from '../api/watch.ts';
import type { PageEvent, PageGlimpse } from './channel.ts';

const periodMs = 400;
/** A machine whose picture is dear is looked at less often. */
const restFactor = 12;
/** But not seldom, where it is this computer that is slow. */
const longestRestMs = 5000;

interface Glimpsed {
  text: string;
  nextAt: number;
}

/** All machines in small, for a viewer who keeps up. */
export class GlimpseFeed {
  readonly #host: ToolHost;
  readonly #tell: (event: PageEvent) => void;
  readonly #isReady: () => boolean;
  readonly #seen = new Map<string, Glimpsed>();
  #timer: NodeJS.Timeout | undefined;

  constructor(host: ToolHost, isReady: () => boolean, tell: (event: PageEvent) => void) {
    this.#host = host;
    this.#isReady = isReady;
    this.#tell = tell;
  }

  set isWanted(isWanted: boolean) {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#seen.clear();
    if (isWanted) this.#timer = setTimeout(() => void this.#round(), 0);
  }

  async #round(): Promise<void> {
    const timer = this.#timer;
    const machines = this.#host.machines().map(({ handle }) => handle);
    for (const handle of this.#seen.keys()) if (!machines.includes(handle)) this.#seen.delete(handle);
    for (const handle of machines) {
      if (this.#timer !== timer || !this.#isReady()) break;
      await this.#look(handle).catch(() => {});
    }
    if (this.#timer === timer) this.#timer = setTimeout(() => void this.#round(), periodMs);
  }

  async #look(handle: string): Promise<void> {
    const began = performance.now();
    const seen = this.#seen.get(handle) ?? { text: '', nextAt: 0 };
    if (began < seen.nextAt) return;
    const found = await this.#host.glimpse(handle);
    const ended = performance.now();
    seen.nextAt = ended + Math.min(longestRestMs, (ended - began) * restFactor);
    this.#seen.set(handle, seen);
    const glimpse = found && pageGlimpse(found);
    const text = JSON.stringify(glimpse);
    if (!glimpse || text === seen.text || this.#timer === undefined) return;
    seen.text = text;
    this.#tell({ type: 'glimpse', machine: handle, glimpse });
  }
}

function pageGlimpse({ picture, lines }: Glimpse): PageGlimpse {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return {
    ...(picture && { picture: { ...picture, palette: base64(picture.palette), pixels: base64(picture.pixels) } }),
    ...(lines && { lines }),
  };
}
