import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { basename } from 'node:path';
import { hex } from '../formats/hex.ts';

/** One connection over loopback, as the server's socket sees it. */
export interface LoopbackConnection {
  readonly localPort: number;
  readonly remotePort: number;
  /** Of IPv4 or IPv6; both ends are at 127.0.0.1 unless told otherwise. */
  readonly localAddress?: string;
  readonly remoteAddress?: string;
}

/** The other end of a connection, as the kernel knows it. */
interface Peer {
  readonly uid: number;
  readonly inode: string;
}

const loopback = '127.0.0.1';
/** The kernel tells neither program nor user of a socket that its program has closed: it says 0 for both. */
const nobodys = '0';
const tooLate = 'somebody who had gone before it could be told who';
/** Programs that open connections because a guest asks them to: in such a network 10.0.2.2 is this computer's loopback. */
const speaksForGuests = /^(?:qemu|slirp4netns|passt|pasta|gvproxy|vpnkit|VBoxHeadless|VirtualBoxVM|dosbox)/;
const commLength = 15;

/** Whether the owner of the other end of a connection can be told here. */
export async function canTellPeers(): Promise<boolean> {
  return (await table()) !== undefined;
}

/** Whose the other end of a connection is, if it is no program of this user or of root that speaks for itself. */
export async function strangerAt(connection: LoopbackConnection): Promise<string | undefined> {
  const peer = await peerOf(connection);
  if (peer?.inode === nobodys) return tooLate;
  if (peer === undefined || (peer.uid !== 0 && peer.uid !== process.getuid?.())) return 'another user of this computer';
  return (await isHeldForGuest(peer)) ? 'a guest of an emulator' : undefined;
}

/**
 * The guest at the other end of a connection: over its user network, the services of this computer are there for it as well.
 * Whoever is on another computer is none.
 */
export async function guestAt(connection: LoopbackConnection): Promise<string | undefined> {
  const peer = await peerOf(connection);
  const isGone = peer === undefined ? isHere(connection) && (await canTellPeers()) : peer.inode === nobodys;
  if (isGone) return tooLate;
  return peer && (await isHeldForGuest(peer)) ? 'a guest of an emulator' : undefined;
}

/** Whether the other end is on this computer too. */
function isHere({ localAddress = loopback, remoteAddress = loopback }: LoopbackConnection): boolean {
  return remoteAddress === localAddress || remoteAddress.startsWith('127.');
}

async function peerOf({ localPort, remotePort, ...at }: LoopbackConnection): Promise<Peer | undefined> {
  const { localAddress = loopback, remoteAddress = loopback } = at;
  const near = `${inTable(remoteAddress)}:${hex(remotePort, 4)}`;
  const far = `${inTable(localAddress)}:${hex(localPort, 4)}`;
  for (const line of (await table(isIPv6(remoteAddress)))?.split('\n') ?? []) {
    const [, local, remote, , , , , uid, , inode] = line.trim().split(/\s+/);
    if (local === near && remote === far && inode !== undefined) return { uid: Number(uid), inode };
  }
  return undefined;
}

/** An address as the kernel's tables have it: words of 32 bits, the lowest byte first. */
function inTable(address: string): string {
  const bytes = isIPv6(address) ? ipv6Bytes(address) : address.split('.').map(Number);
  const words = Array.from({ length: bytes.length / 4 }, (_, word) => bytes.slice(4 * word, 4 * word + 4).reverse());
  return words.flatMap((word) => word.map((byte) => hex(byte, 2))).join('');
}

function ipv6Bytes(address: string): number[] {
  const [head = '', tail] = address.replace(/%.*/, '').split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return [...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 255]);
}

async function isHeldForGuest(peer: Peer): Promise<boolean> {
  for (const pid of await readdir('/proc')) {
    if (/^\d+$/.test(pid) && speaksForGuests.test(await programOf(pid)) && (await holds(pid, peer))) return true;
  }
  return false;
}

/** Its name in the process table is the process's own to choose; what it runs from is not, but only its user can see it. */
async function programOf(pid: string): Promise<string> {
  const path = await readlink(`/proc/${pid}/exe`).catch(() => undefined);
  if (path !== undefined) return basename(path);
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return name.trim().slice(0, commLength);
}

/** A process that does not let itself be looked into may hold whatever its user has. */
async function holds(pid: string, { uid, inode }: Peer): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  let descriptors: readonly string[];
  try {
    descriptors = await readdir(folder);
  } catch {
    return (await stat(`/proc/${pid}`).catch(() => undefined))?.uid === uid;
  }
  for (const descriptor of descriptors) {
    if ((await readlink(`${folder}/${descriptor}`).catch(() => '')) === `socket:[${inode}]`) return true;
  }
  return false;
}

async function table(isSix = false): Promise<string | undefined> {
  try {
    return await readFile(isSix ? '/proc/net/tcp6' : '/proc/net/tcp', 'latin1');
  } catch {
    return undefined;
  }
}
