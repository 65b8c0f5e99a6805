import type { PacketBytes } from './packet-bytes.ts';
import { summariseIcmp, summariseIcmpv6 } from './summarise-icmp.ts';
import { summariseTcp } from './summarise-tcp.ts';
import { summariseUdp } from './summarise-udp.ts';

export interface Addresses {
  readonly from: string;
  readonly to: string;
}

const protocols: Readonly<Record<number, (body: PacketBytes, addresses: Addresses) => string>> = {
  1: summariseIcmp,
  6: summariseTcp,
  17: summariseUdp,
  58: summariseIcmpv6,
};
const protocolNames: Readonly<Record<number, string>> = {
  2: 'IGMP',
  4: 'IPIP',
  41: 'IPv6',
  47: 'GRE',
  50: 'ESP',
  51: 'AH',
  89: 'OSPF',
  132: 'SCTP',
};
const fragmentHeader = 44;
/** Headers that stand between IPv6 and what it carries, each with its length in its second byte. */
const extensions: ReadonlySet<number> = new Set([0, 43, 60, 135]);

export function summariseIpv4(ip: PacketBytes): string {
  const headerBytes = (ip.byte(0) & 0x0f) * 4;
  const addresses = { from: ip.ipv4(12), to: ip.ipv4(16) };
  const fragment = ip.word(6) & 0x1fff;
  const more = (ip.word(6) & 0x2000) !== 0;
  if (fragment > 0) return `${addresses.from} > ${addresses.to} fragment at ${fragment * 8}${more ? '' : ', the last'}`;
  const body = ip.from(headerBytes, ip.word(2) - headerBytes);
  return `${summariseBody(ip.byte(9), body, addresses)}${more ? ', first fragment' : ''}`;
}

export function summariseIpv6(ip: PacketBytes): string {
  const addresses = { from: ip.ipv6(8), to: ip.ipv6(24) };
  let protocol = ip.byte(6);
  let at = 40;
  const end = 40 + ip.word(4);
  for (;;) {
    if (extensions.has(protocol)) {
      protocol = ip.byte(at);
      at += (ip.byte(at + 1) + 1) * 8;
    } else if (protocol === fragmentHeader) {
      const offset = ip.word(at + 2) >> 3;
      if (offset > 0) return `${addresses.from} > ${addresses.to} fragment at ${offset * 8}`;
      protocol = ip.byte(at);
      at += 8;
    } else {
      return summariseBody(protocol, ip.from(at, end - at), addresses);
    }
  }
}

function summariseBody(protocol: number, body: PacketBytes, addresses: Addresses): string {
  const summarise = protocols[protocol];
  if (summarise) return summarise(body, addresses);
  return `${addresses.from} > ${addresses.to} ${protocolNames[protocol] ?? `protocol ${protocol}`}`;
}
