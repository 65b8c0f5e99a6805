import { lowerHex } from '../hex.ts';
import { PacketBytes } from './packet-bytes.ts';
import { summariseArp } from './summarise-arp.ts';
import { summariseIpv4, summariseIpv6 } from './summarise-ip.ts';

const etherTypes: Readonly<Record<number, (body: PacketBytes) => string>> = {
  2048: summariseIpv4,
  2054: summariseArp,
  34525: summariseIpv6,
};
/** 802.1Q, and the outer ones of 802.1ad and of those before it. */
const vlanTags: ReadonlySet<number> = new Set([0x8100, 0x88a8, 0x9100]);
/** Nobody nests more of them. */
const maxVlans = 4;
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
    for (let count = 0; count < maxVlans && vlanTags.has(frame.word(typeAt)); count++) {
      vlan += `VLAN ${frame.word(typeAt + 2) & 0xfff} `;
      typeAt += 4;
    }
    const type = frame.word(typeAt);
    const summarise = etherTypes[type];
    if (summarise) return vlan + summarise(frame.from(typeAt + 2));
    const what = type < firstType ? '802.3' : `type 0x${lowerHex(type, 4)}`;
    return `${vlan}${frame.mac(6)} > ${frame.mac(0)} ${what}`;
  } catch (error) {
    if (error instanceof RangeError) return 'a frame that is cut off';
    throw error;
  }
}
