import { createHash } from 'node:crypto';
import type { Actor } from '../../api/roles.ts';

/** The files of this gateway, and what hosts are asked and told of them. */
interface Ways {
  read(path: string): Promise<Uint8Array>;
  /** Whether a host has this very file: it keeps few, and other gateways bring it theirs. */
  has(host: string, path: string, sha256: string): Promise<boolean>;
  send(host: string, name: string, bytes: Uint8Array, actor: Actor): Promise<void>;
}

const prefix = 'dropped:';
const mostDepth = 8;
const mostKnown = 1000;

/** Files that people have dropped onto the page of this gateway: a host gets one with a call that names it, unless it has it. */
export class BroughtFiles {
  readonly #ways: Ways;
  /** The hashes of those that this gateway was given; whether they are still kept is another question. */
  readonly #hashes = new Map<string, string>();

  constructor(ways: Ways) {
    this.#ways = ways;
  }

  /** Nobody has dropped any. */
  get isEmpty(): boolean {
    return this.#hashes.size === 0;
  }

  add(path: string, bytes: Uint8Array): void {
    this.#hashes.delete(path);
    this.#hashes.set(path, createHash('sha256').update(bytes).digest('hex'));
    const [oldest] = this.#hashes.keys();
    if (this.#hashes.size > mostKnown && oldest !== undefined) this.#hashes.delete(oldest);
  }

  /** Before a call: what it names is where the machine is. */
  async bring(host: string, args: unknown, actor: Actor): Promise<void> {
    for (const path of new Set(pathsIn(args, mostDepth))) {
      const sha256 = this.#hashes.get(path);
      if (sha256 === undefined || (await this.#ways.has(host, path, sha256))) continue;
      await this.#ways.send(host, path.slice(prefix.length), await this.#ways.read(path), actor);
    }
  }
}

function pathsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return value.startsWith(prefix) ? [value] : [];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.values(value).flatMap((each) => pathsIn(each, depth - 1));
}
