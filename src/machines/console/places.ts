import { lookup } from 'node:dns/promises';
import { realpath } from 'node:fs/promises';
import { isIP } from 'node:net';
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

async function tcpPlaces(host: string, port: number): Promise<string[]> {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const found = isIP(name) ? [] : await lookup(name, { all: true }).catch(() => []);
  return [name, ...found.map(({ address }) => address)].map((address) => `tcp ${address} ${port}`);
}

function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
