import { lookup } from 'node:dns/promises';
import { realpath } from 'node:fs/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { PresetCommand } from './command-presets.ts';
import type { ConsoleOptions } from './console-options.ts';

/**
 * Where a console leads, in words that two ways of naming one place have in common: a host by its addresses, a device
 * without links. Used to keep what the configuration holds from being opened a second time under other rules.
 */
export async function placesOf(options: ConsoleOptions, command: PresetCommand | undefined): Promise<string[]> {
  const { socket, device, host, port } = options;
  if (command) return [`command ${JSON.stringify(command.argv)}`];
  if (device !== undefined) {
    const remote = remotePort(device);
    return remote ? tcpPlaces(remote.host, remote.port) : [`file ${await real(device)}`];
  }
  return socket === undefined ? tcpPlaces(host, port) : [`file ${await real(socket)}`];
}

/** Host and port of `rfc2217://HOST:PORT`; nothing for a path. Throws a RangeError for another address. */
export function remotePort(device: string): { readonly host: string; readonly port: number } | undefined {
  if (!device.includes('://')) return undefined;
  const [, host, port] = /^rfc2217:\/\/(\[[0-9a-fA-F:.]+\]|[^[\]:/?#@\s]+):(\d{1,5})\/?$/.exec(device) ?? [];
  if (host === undefined) throw new RangeError(`${JSON.stringify(device)} is not rfc2217://HOST:PORT`);
  return { host, port: Number(port) };
}

export async function tcpPlaces(host: string, port: number): Promise<string[]> {
  const name = plainHost(host).toLowerCase();
  const found = isIP(name) ? [] : await lookup(name, { all: true }).catch(() => []);
  const hosts = [name, ...found.map(({ address }) => address)].map(sameForAll);
  return [...new Set(hosts)].map((each) => `tcp ${each} ${port}`);
}

/** Without the brackets that an IPv6 address may come in. */
export function plainHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** A server that listens everywhere is reached by every address of this computer, however that is written. */
function sameForAll(address: string): string {
  const version = isIP(address);
  if (version === 0) return address;
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8, 'ipv4');
  for (const each of ['0.0.0.0', '::', '::1']) own.addAddress(each, isIP(each) === 6 ? 'ipv6' : 'ipv4');
  for (const { address: each, family } of Object.values(networkInterfaces()).flatMap((list) => list ?? [])) {
    own.addAddress(each, family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  // An IPv4 address that is written as IPv6 is looked for among those of IPv4 as well.
  if (own.check(address, version === 6 ? 'ipv6' : 'ipv4')) return 'this computer';
  return version === 6 ? shortest(address) : address;
}

/** An IPv6 address has many spellings, and IPv4 addresses have one of their own among them. */
function shortest(address: string): string {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return hostname;
  const words = [high, low].map((word) => Number.parseInt(word, 16));
  return words.flatMap((word) => [word >> 8, word & 255]).join('.');
}

function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
