import type { PacketBytes } from './packet-bytes.ts';
import { summariseDhcp } from './summarise-dhcp.ts';
import { summariseDns } from './summarise-dns.ts';
import type { Addresses } from './summarise-ip.ts';
import { endpoint } from './summarise-tcp.ts';

const applications: Readonly<Record<number, (body: PacketBytes) => string>> = {
  53: summariseDns,
  67: summariseDhcp,
  68: summariseDhcp,
  5353: summariseDns,
};
const names: Readonly<Record<number, string>> = {
  69: 'TFTP',
  123: 'NTP',
  137: 'NetBIOS',
  161: 'SNMP',
  514: 'syslog',
  546: 'DHCPv6',
  547: 'DHCPv6',
  1900: 'SSDP',
  5355: 'LLMNR',
};

const headerBytes = 8;

export function summariseUdp(udp: PacketBytes, { from, to }: Addresses): string {
  const [source, target] = [udp.word(0), udp.word(2)];
  const bytes = udp.word(4);
  const body = udp.from(headerBytes, Math.max(0, bytes - headerBytes));
  const application = applications[target] ?? applications[source];
  const name = names[target] ?? names[source];
  return `${endpoint(from, source)} > ${endpoint(to, target)} UDP ${describe()}`;

  function describe(): string {
    if (bytes < headerBytes) return `which says that it has ${bytes} bytes`;
    const data = `data ${bytes - headerBytes}`;
    if (!application) return name ? `${name}, ${data}` : data;
    try {
      return application(body);
    } catch (error) {
      if (error instanceof RangeError) return `${data}, which is cut off`;
      throw error;
    }
  }
}
