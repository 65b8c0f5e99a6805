import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** How often a connection is looked at while bytes of ours may be on their way. */
const lookEveryMs = 5000;
/** Unanswered for so long, the other side is gone. */
const patienceMs = 15_000;

/** What Linux says about a connection's bytes on their way: how many, and how often they were repeated in vain. */
interface Unanswered {
  readonly bytes: number;
  readonly repeats: number;
}

/**
 * Notices a peer that vanished while bytes were on their way to it. The kernel sends no keep-alive then, and repeats
 * the bytes for a quarter of an hour before it gives up. It reads Linux's table of connections; elsewhere it never calls.
 */
export class PeerWatch {
  readonly #socket: Socket;
  readonly #gone: (unansweredBytes: number) => void;
  #timer: NodeJS.Timeout | undefined;
  /** Of `performance.now()`: since when nothing is answered. */
  #silentSince: number | undefined;
  #stopped = false;

  constructor(socket: Socket, gone: (unansweredBytes: number) => void) {
    this.#socket = socket;
    this.#gone = gone;
  }

  /** To be called when bytes were written. */
  wrote(): void {
    if (this.#stopped || this.#timer) return;
    this.#timer = setTimeout(() => void this.#look(), lookEveryMs).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const { localPort, remotePort } = this.#socket;
    const found = localPort && remotePort ? await unanswered(localPort, remotePort) : undefined;
    this.#timer = undefined;
    if (this.#stopped || !found) return;
    if (found.repeats === 0) this.#silentSince = undefined;
    else this.#silentSince ??= performance.now();
    if (this.#silentSince !== undefined && performance.now() - this.#silentSince >= patienceMs) {
      this.stop();
      this.#gone(found.bytes);
    } else this.wrote();
  }
}

/** Nothing when all bytes were acknowledged, or the connection is not in the tables. */
async function unanswered(localPort: number, remotePort: number): Promise<Unanswered | undefined> {
  for (const table of ['tcp', 'tcp6']) {
    const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '');
    for (const line of text.split('\n').slice(1)) {
      const [, local = '', remote = '', , queues = '', , repeats = '', , probes = ''] = line.trim().split(/\s+/);
      if (portOf(local) !== localPort || portOf(remote) !== remotePort) continue;
      const bytes = Number.parseInt(queues, 16);
      if (bytes > 0) return { bytes, repeats: Number.parseInt(repeats, 16) + Number(probes) };
    }
  }
  return undefined;
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}
