import { hex, PacketBytes } from './packet-bytes.ts';
import { summariseArp } from './summarise-arp.ts';
import { summariseIpv4, summariseIpv6 } from './summarise-ip.ts';

const etherTypes: Readonly<Record<number, (body: PacketBytes) => string>> = {
  2048: summariseIpv4,
  2054: summariseArp,
  34525: summariseIpv6,
};
const vlanTag = 0x8100;
/** Smaller numbers are lengths, of the older sort of frame. */
const firstType = 0x0600;

/** One Ethernet frame in one line, without its time. */
export function summarisePacket(frame: Uint8Array, wireLength: number): string {
  const bytes = new PacketBytes(frame);
  const cut = frame.length < wireLength ? `, ${frame.length} kept` : '';
  return `${summariseFrame(bytes)}, ${wireLength} bytes${cut}`;
}

function summariseFrame(frame: PacketBytes): string {
  try {
    let typeAt = 12;
    let vlan = '';
    while (frame.word(typeAt) === vlanTag) {
      vlan += `VLAN ${frame.word(typeAt + 2) & 0xfff} `;
      typeAt += 4;
    }
    const type = frame.word(typeAt);
    const summarise = etherTypes[type];
    if (summarise) return vlan + summarise(frame.from(typeAt + 2));
    const what = type < firstType ? '802.3' : `type 0x${hex(type, 4)}`;
    return `${vlan}${frame.mac(6)} > ${frame.mac(0)} ${what}`;
  } catch (error) {
    if (error instanceof RangeError) return 'a frame that is cut off';
    throw error;
  }
}
