import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { ByteConnection } from '../byte-link.ts';

/** Everything a connection told its listener. For tests. */
export class Listener {
  readonly chunks: Buffer[] = [];
  receivedBytes = 0;
  drains = 0;
  readonly closes: { readonly text: string; readonly final: boolean }[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(connection: ByteConnection) {
    connection.start({
      data: (bytes) => {
        this.chunks.push(Buffer.from(bytes));
        this.receivedBytes += bytes.length;
        this.#changed();
      },
      drain: () => {
        this.drains++;
        this.#changed();
      },
      close: (reason) => {
        this.closes.push(reason);
        this.#changed();
      },
    });
  }

  get received(): Buffer {
    return Buffer.concat(this.chunks);
  }

  get text(): string {
    return this.received.toString('latin1');
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async closed(): Promise<{ readonly text: string; readonly final: boolean }> {
    await this.until(() => this.closes.length > 0);
    return this.closes[0] ?? { text: '', final: false };
  }

  #changed(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** Waits for something that tells nobody when it changes. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

export function never(): AbortSignal {
  return new AbortController().signal;
}

/** Random bytes sent in pieces of very different sizes. */
export function randomPieces(totalBytes: number): { readonly all: Buffer; readonly pieces: readonly Buffer[] } {
  const all = randomBytes(totalBytes);
  const pieces: Buffer[] = [];
  for (let at = 0; at < all.length; ) {
    const length = 1 + ((all.readUInt8(at) * 7919) % 40_000);
    pieces.push(all.subarray(at, at + length));
    at += length;
  }
  return { all, pieces };
}

/** Whether the process runs; one that has ended and that nobody has asked about yet does not. */
export function isAlive(pid: number): boolean {
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 && !stdout.startsWith('Z');
}
