import type { IncomingMessage } from 'node:http';

const loopback = ['localhost', '127.0.0.1', '::1'];

/**
 * The names under which the server may be addressed. A page of another name that was made to lead to this computer sends
 * that name, and is kept out by it.
 */
export class HostNames {
  readonly #names: ReadonlySet<string>;

  /** Names with a port hold for this port only. */
  constructor(names: readonly string[]) {
    this.#names = new Set([...loopback, ...names].map(normal));
  }

  admits({ headers, socket }: IncomingMessage): boolean {
    const given = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.exec(headers.host ?? '');
    if (!given) return false;
    const [whole, name = ''] = given;
    if (this.#names.has(normal(whole)) || this.#names.has(normal(name))) return true;
    // No name leads here: the address itself was asked for.
    return socket.localAddress !== undefined && normal(name) === normal(plainAddress(socket.localAddress));
  }
}

/** An IPv4 client of a socket that listens on IPv6 arrives in this form. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

function normal(name: string): string {
  const lower = name.toLowerCase();
  const isBareIpv6 = lower.split(':').length > 2 && !lower.startsWith('[');
  return isBareIpv6 ? `[${lower}]` : lower;
}
