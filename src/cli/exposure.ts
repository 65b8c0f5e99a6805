import { BlockList, isIP } from 'node:net';
import type { OptionValues } from './options.ts';

/** What somebody should know who lets other computers in. */
export function exposureWarnings({ host, tlsCert, noToken }: OptionValues): string[] {
  if (isLoopback(host)) return [];
  return [
    ...(tlsCert === undefined
      ? [
          `${host} can be reached from other computers, and without --tls-cert everything travels in the clear, tokens included.`,
        ]
      : []),
    ...(noToken ? [`${host} can be reached from other computers, and everybody owns this server (--no-token).`] : []),
  ];
}

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  const version = isIP(host);
  return version !== 0 && loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
