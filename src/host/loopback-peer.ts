import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { basename } from 'node:path';
import { hex } from '../formats/hex.ts';
import { SharedLook } from './shared-look.ts';

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

/** All connections of this computer by their ends, and what programs that speak for guests held at one time between. */
interface Census {
  readonly before: ReadonlyMap<string, Peer>;
  readonly after: ReadonlyMap<string, Peer>;
  readonly inodes: ReadonlySet<string>;
  /** Whose programs did not let themselves be looked into: they may hold whatever their user has. */
  readonly users: ReadonlySet<number>;
}

/** However many connections there are, one look at the whole computer at a time tells of all of them. */
const census = new SharedLook<Census | undefined>(takeCensus);

/** Whether the owner of the other end of a connection can be told here. */
export async function canTellPeers(): Promise<boolean> {
  return (await connections()) !== undefined;
}

/** Whose the other end of a connection is, if it is no program of this user or of root that speaks for itself. */
export async function strangerAt(connection: LoopbackConnection): Promise<string | undefined> {
  const taken = await census.next();
  const peer = taken?.before.get(keyOf(connection));
  if (peer?.inode === nobodys) return tooLate;
  if (peer === undefined || (peer.uid !== 0 && peer.uid !== process.getuid?.())) return 'another user of this computer';
  return taken && guestOf(peer, connection, taken);
}

/**
 * The guest at the other end of a connection: over its user network, the services of this computer are there for it as well.
 * Whoever is on another computer is none.
 */
export async function guestAt(connection: LoopbackConnection): Promise<string | undefined> {
  const taken = await census.next();
  const peer = taken?.before.get(keyOf(connection));
  if (taken === undefined || (peer === undefined && !isHere(connection))) return undefined;
  return peer === undefined || peer.inode === nobodys ? tooLate : guestOf(peer, connection, taken);
}

function guestOf(peer: Peer, connection: LoopbackConnection, { inodes, users, after }: Census): string | undefined {
  if (inodes.has(peer.inode) || users.has(peer.uid)) return 'a guest of an emulator';
  // What was closed while we looked was with nobody we could find.
  return after.get(keyOf(connection))?.inode === peer.inode ? undefined : tooLate;
}

/** Whether the other end is on this computer too. */
function isHere({ localAddress = loopback, remoteAddress = loopback }: LoopbackConnection): boolean {
  return remoteAddress === localAddress || remoteAddress.startsWith('127.');
}

/** As the line of the other end begins. */
function keyOf({
  localPort,
  remotePort,
  localAddress = loopback,
  remoteAddress = loopback,
}: LoopbackConnection): string {
  return `${inTable(remoteAddress)}:${hex(remotePort, 4)} ${inTable(localAddress)}:${hex(localPort, 4)}`;
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

async function takeCensus(): Promise<Census | undefined> {
  const before = await connections();
  if (before === undefined) return undefined;
  const inodes = new Set<string>();
  const users = new Set<number>();
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || !speaksForGuests.test(await programOf(pid))) continue;
    const held = await socketsOf(pid);
    if (typeof held === 'number') users.add(held);
    else for (const inode of held) inodes.add(inode);
  }
  return { before, after: (await connections()) ?? new Map(), inodes, users };
}

/** Its name in the process table is the process's own to choose; what it runs from is not, but only its user can see it. */
async function programOf(pid: string): Promise<string> {
  const path = await readlink(`/proc/${pid}/exe`).catch(() => undefined);
  if (path !== undefined) return basename(path);
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return name.trim().slice(0, commLength);
}

/** The sockets of a process, or whose it is if it does not let itself be looked into; none of one that has ended. */
async function socketsOf(pid: string): Promise<readonly string[] | number> {
  const folder = `/proc/${pid}/fd`;
  let descriptors: readonly string[];
  try {
    descriptors = await readdir(folder);
  } catch {
    return (await stat(`/proc/${pid}`).catch(() => undefined))?.uid ?? [];
  }
  const inodes: string[] = [];
  for (const descriptor of descriptors) {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(await readlink(`${folder}/${descriptor}`).catch(() => '')) ?? [];
    if (inode !== undefined) inodes.push(inode);
  }
  return inodes;
}

/** Undefined where the system does not tell. */
async function connections(): Promise<Map<string, Peer> | undefined> {
  const texts = await Promise.all([tableAt('/proc/net/tcp'), tableAt('/proc/net/tcp6')]);
  if (texts[0] === undefined) return undefined;
  const peers = new Map<string, Peer>();
  for (const line of texts.flatMap((text) => text?.split('\n') ?? [])) {
    const [, local, remote, , , , , uid, , inode] = line.trim().split(/\s+/);
    if (inode !== undefined) peers.set(`${local} ${remote}`, { uid: Number(uid), inode });
  }
  return peers;
}

async function tableAt(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    return undefined;
  }
}
