import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { MachineError } from '../../machine/errors.ts';

interface Rule {
  readonly covers: (address: string) => boolean;
  /** A host by name: whatever address it has by then. */
  readonly name?: string;
  readonly first: number;
  readonly last: number;
}

/** `HOST`, `HOST:PORT` or `HOST:FIRST-LAST`; the host is a name, an address, a range such as 10.0.0.0/8, or `*`. */
const form = /^(?:\[([^\]]+)\]|([^:\s]+))(?::(\d{1,5})(?:-(\d{1,5}))?)?$/;

/** The TCP ports that agents may be connected to. */
export class TcpRules {
  readonly #rules: readonly Rule[];
  readonly entries: readonly string[];

  constructor(entries: readonly string[]) {
    this.entries = entries;
    this.#rules = entries.map((entry) => {
      const rule = parseTcpRule(entry);
      if (!rule) throw new RangeError(`${JSON.stringify(entry)} is not a host with ports`);
      return rule;
    });
  }

  /** What to connect to for this host: a name that is only allowed by its address becomes that address. */
  async host(host: string, port: number): Promise<string> {
    const rules = this.#rules.filter(({ first, last }) => port >= first && port <= last);
    const plain = host.toLowerCase();
    if (isIP(host) !== 0) {
      if (rules.some((rule) => rule.covers(unmapped(host)))) return host;
      throw this.#refusal(`${host}:${port}`);
    }
    if (rules.some(({ name }) => name === plain || name === '*')) return host;
    const found = await lookup(host, { all: true }).catch(() => []);
    const allowed = found.find(({ address }) => rules.some((rule) => rule.covers(unmapped(address))));
    if (allowed) return allowed.address;
    const is =
      found.length === 0 ? 'which has no address' : `which is ${found.map(({ address }) => address).join(', ')}`;
    throw this.#refusal(`${host}:${port}, ${is}`);
  }

  #refusal(target: string): MachineError {
    return new MachineError(
      'DENIED',
      `This server may not connect to ${target}. It may connect to: ${this.entries.join(', ') || 'nothing'}.`,
      'Use one of these, or ask the user to start the server with --allow-tcp HOST:PORT.',
      { allowed: this.entries, operator_option: '--allow-tcp' },
    );
  }
}

export function parseTcpRule(entry: string): Rule | undefined {
  const [, bracketed, plain, first, last = first] = form.exec(entry.trim()) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) return undefined;
  const [from, to] = [Number(first ?? 1), Number(last ?? 65_535)];
  if (from < 1 || to > 65_535 || from > to) return undefined;
  const ports = { first: from, last: to };
  if (host === '*') return { covers: () => true, name: '*', ...ports };
  const [address = '', bits, ...rest] = host.split('/');
  const version = isIP(address);
  if (version === 0)
    return bits === undefined && isHostName(host)
      ? { covers: () => false, name: host.toLowerCase(), ...ports }
      : undefined;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  if (bits === undefined) list.addAddress(address, family);
  else if (rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return undefined;
  else list.addSubnet(address, Number(bits), family);
  return { covers: (each) => list.check(each, isIP(each) === 6 ? 'ipv6' : 'ipv4'), ...ports };
}

/** Whether a rule allows no other computer than this one. */
export function isLoopbackRule(entry: string): boolean {
  const [, bracketed, plain] = form.exec(entry.trim()) ?? [];
  const [address = '', bits] = (bracketed ?? plain ?? '').split('/');
  if (address.toLowerCase() === 'localhost') return bits === undefined;
  if (isIP(address) === 4) return address.startsWith('127.') && Number(bits ?? 32) >= 8;
  return address === '::1' && (bits === undefined || bits === '128');
}

function isHostName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(text);
}

/** IPv4 written as IPv6 is still IPv4. */
function unmapped(address: string): string {
  const [, four] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (four !== undefined) return four;
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}
