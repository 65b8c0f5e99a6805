import type { PacketBytes } from './packet-bytes.ts';

export function summariseArp(arp: PacketBytes): string {
  const operation = arp.word(6);
  const sender = arp.ipv4(14);
  const target = arp.ipv4(24);
  if (operation === 1) return sender === target ? `ARP announce ${sender}` : `ARP who has ${target}, tell ${sender}`;
  if (operation === 2) return `ARP reply ${sender} is at ${arp.mac(8)}`;
  return `ARP operation ${operation}`;
}
