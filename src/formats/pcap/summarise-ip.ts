import type { PacketBytes } from './packet-bytes.ts';
import { summariseIcmp, summariseIcmpv6 } from './summarise-icmp.ts';
import { summariseTcp } from './summarise-tcp.ts';
import { summariseUdp } from './summarise-udp.ts';

export interface Addresses {
  readonly from: string;
  readonly to: string;
}

/** `wireBytes` is its length on the wire, of which fewer may have been kept. */
type Summarise = (body: PacketBytes, addresses: Addresses, wireBytes: number) => string;

const protocols: Readonly<Record<number, Summarise>> = {
  1: summariseIcmp,
  6: summariseTcp,
  17: summariseUdp,
  58: summariseIcmpv6,
};
const protocolNames: Readonly<Record<number, string>> = {
  1: 'ICMP',
  2: 'IGMP',
  4: 'IPIP',
  6: 'TCP',
  17: 'UDP',
  41: 'IPv6',
  47: 'GRE',
  50: 'ESP',
  51: 'AH',
  58: 'ICMPv6',
  89: 'OSPF',
  132: 'SCTP',
};
const shortestHeader = 20;
const fragmentHeader = 44;
/** Headers that stand between IPv6 and what it carries, each with its length in its second byte. */
const extensions: ReadonlySet<number> = new Set([0, 43, 60, 135]);

export function summariseIpv4(ip: PacketBytes): string {
  const headerBytes = (ip.byte(0) & 0x0f) * 4;
  const addresses = { from: ip.ipv4(12), to: ip.ipv4(16) };
  // With segmentation left to the card the length is not known yet.
  const wholeBytes = ip.word(2) || ip.length;
  if (headerBytes < shortestHeader || wholeBytes < headerBytes)
    return `${addresses.from} > ${addresses.to} IPv4 with a header of ${headerBytes} bytes in ${wholeBytes}`;
  const fragment = ip.word(6) & 0x1fff;
  const more = (ip.word(6) & 0x2000) !== 0;
  if (fragment > 0) return `${addresses.from} > ${addresses.to} fragment at ${fragment * 8}${more ? '' : ', the last'}`;
  const body = () => ip.from(headerBytes, wholeBytes - headerBytes);
  return `${summariseBody(ip.byte(9), body, addresses, wholeBytes - headerBytes)}${more ? ', first fragment' : ''}`;
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
      const start = at;
      return summariseBody(protocol, () => ip.from(start, end - start), addresses, Math.max(0, end - start));
    }
  }
}

function summariseBody(protocol: number, body: () => PacketBytes, addresses: Addresses, wireBytes: number): string {
  const name = `${addresses.from} > ${addresses.to} ${protocolNames[protocol] ?? `protocol ${protocol}`}`;
  try {
    return protocols[protocol]?.(body(), addresses, wireBytes) ?? name;
  } catch (error) {
    if (error instanceof RangeError) return `${name}, which is cut off`;
    throw error;
  }
}
