import type { PacketBytes } from './packet-bytes.ts';
import type { Addresses } from './summarise-ip.ts';

/** From the lowest bit up. */
const flagNames = ['FIN', 'SYN', 'RST', 'PSH', 'ACK', 'URG', 'ECE', 'CWR'];
const ackBit = 0x10;
const shortestHeader = 20;

export function summariseTcp(tcp: PacketBytes, { from, to }: Addresses, wireBytes: number): string {
  const bits = tcp.byte(13);
  const flags = flagNames.filter((_, bit) => (bits & (1 << bit)) !== 0).join(',');
  const headerBytes = (tcp.byte(12) >> 4) * 4;
  const fits = headerBytes >= shortestHeader && headerBytes <= wireBytes;
  const data = fits ? `data ${wireBytes - headerBytes}` : `a header of ${headerBytes} bytes in ${wireBytes}`;
  const sequence = `seq ${tcp.long(4)}${(bits & ackBit) !== 0 ? `, ack ${tcp.long(8)}` : ''}`;
  return `${endpoint(from, tcp.word(0))} > ${endpoint(to, tcp.word(2))} TCP ${flags || 'no flags'}, ${sequence}, win ${tcp.word(14)}, ${data}`;
}

export function endpoint(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
