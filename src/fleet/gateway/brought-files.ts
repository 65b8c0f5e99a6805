import type { Actor } from '../../api/roles.ts';

/** Where a host is given a file. */
type Send = (host: string, name: string, bytes: Uint8Array, actor: Actor) => Promise<void>;

const prefix = 'dropped:';
const mostDepth = 8;

/** Files that people have dropped onto the page of this gateway: a host gets one with the first call that names it. */
export class BroughtFiles {
  readonly #read: (path: string) => Promise<Uint8Array>;
  readonly #send: Send;
  /** Those that this gateway was given; whether they are still kept is another question. */
  readonly #paths = new Set<string>();

  constructor(read: (path: string) => Promise<Uint8Array>, send: Send) {
    this.#read = read;
    this.#send = send;
  }

  add(path: string): void {
    this.#paths.add(path);
  }

  /** Before a call: what it names is where the machine is. */
  async bring(host: string, args: unknown, actor: Actor): Promise<void> {
    if (this.#paths.size === 0) return;
    for (const path of new Set(pathsIn(args, mostDepth))) {
      if (!this.#paths.has(path)) continue;
      await this.#send(host, path.slice(prefix.length), await this.#read(path), actor);
    }
  }
}

function pathsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return value.startsWith(prefix) ? [value] : [];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.values(value).flatMap((each) => pathsIn(each, depth - 1));
}
