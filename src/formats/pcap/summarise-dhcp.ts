import type { PacketBytes } from './packet-bytes.ts';

const messages = ['', 'discover', 'offer', 'request', 'decline', 'ack', 'nak', 'release', 'inform'];
const magicCookie = 0x63825363;
const optionsAt = 240;
const option = {
  pad: 0,
  router: 3,
  hostName: 12,
  requestedAddress: 50,
  lease: 51,
  message: 53,
  server: 54,
  end: 255,
} as const;

export function summariseDhcp(dhcp: PacketBytes): string {
  const client = dhcp.mac(28);
  const given = dhcp.ipv4(16);
  const address = given === '0.0.0.0' ? '' : `, address ${given}`;
  if (dhcp.length < optionsAt || dhcp.long(236) !== magicCookie) {
    return `BOOTP ${dhcp.byte(0) === 1 ? 'request' : 'reply'} for ${client}${address}`;
  }
  let kind = 'message';
  const notes: string[] = [];
  for (let at = optionsAt; at < dhcp.length && dhcp.byte(at) !== option.end; ) {
    const code = dhcp.byte(at);
    if (code === option.pad) {
      at++;
      continue;
    }
    const length = dhcp.byte(at + 1);
    if (code === option.message) kind = messages[dhcp.byte(at + 2)] ?? kind;
    if (code === option.requestedAddress) notes.push(`wants ${dhcp.ipv4(at + 2)}`);
    if (code === option.server) notes.push(`server ${dhcp.ipv4(at + 2)}`);
    if (code === option.router) notes.push(`router ${dhcp.ipv4(at + 2)}`);
    if (code === option.lease) notes.push(`lease ${dhcp.long(at + 2)} s`);
    if (code === option.hostName) notes.push(`name ${dhcp.text(at + 2, length)}`);
    at += 2 + length;
  }
  return `DHCP ${kind} for ${client}${address}${notes.length > 0 ? `, ${notes.join(', ')}` : ''}`;
}
