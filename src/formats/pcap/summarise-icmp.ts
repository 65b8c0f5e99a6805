import type { PacketBytes } from './packet-bytes.ts';
import type { Addresses } from './summarise-ip.ts';

const unreachable: Readonly<Record<number, string>> = {
  0: 'net unreachable',
  1: 'host unreachable',
  2: 'protocol unreachable',
  3: 'port unreachable',
  4: 'unreachable without fragments',
  5: 'unreachable by the source route',
  9: 'net prohibited',
  10: 'host prohibited',
  13: 'prohibited by a filter',
};
const unreachableV6: Readonly<Record<number, string>> = {
  0: 'no route',
  1: 'prohibited',
  2: 'beyond the scope of the address',
  3: 'address unreachable',
  4: 'port unreachable',
  5: 'prohibited by policy',
  6: 'route rejected',
};

const names: Readonly<Record<number, string>> = {
  4: 'source quench',
  5: 'redirect',
  9: 'router advertisement',
  10: 'router solicitation',
  11: 'time exceeded',
  12: 'parameter problem',
  13: 'timestamp request',
  14: 'timestamp reply',
};
const namesV6: Readonly<Record<number, string>> = {
  2: 'packet too big',
  3: 'time exceeded',
  4: 'parameter problem',
  130: 'listener query',
  131: 'listener report',
  132: 'listener done',
  133: 'router solicitation',
  134: 'router advertisement',
  137: 'redirect',
  143: 'listener report v2',
};

export function summariseIcmp(icmp: PacketBytes, { from, to }: Addresses): string {
  const [type, code] = [icmp.byte(0), icmp.byte(1)];
  return `${from} > ${to} ICMP ${describe()}`;

  function describe(): string {
    if (type === 8 || type === 0) return echo(icmp, type === 8);
    if (type === 3) return unreachable[code] ?? `unreachable, code ${code}`;
    return names[type] ?? `type ${type} code ${code}`;
  }
}

export function summariseIcmpv6(icmp: PacketBytes, { from, to }: Addresses): string {
  const [type, code] = [icmp.byte(0), icmp.byte(1)];
  return `${from} > ${to} ICMPv6 ${describe()}`;

  function describe(): string {
    if (type === 128 || type === 129) return echo(icmp, type === 128);
    if (type === 1) return unreachableV6[code] ?? `unreachable, code ${code}`;
    if (type === 135) return `neighbour solicitation, who has ${icmp.ipv6(8)}`;
    if (type === 136) return `neighbour advertisement, ${icmp.ipv6(8)}`;
    return namesV6[type] ?? `type ${type} code ${code}`;
  }
}

function echo(icmp: PacketBytes, request: boolean): string {
  return `echo ${request ? 'request' : 'reply'}, id ${icmp.word(4)}, seq ${icmp.word(6)}`;
}
