import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { hex } from '../formats/hex.ts';

/** One connection over loopback, as the server's socket sees it. */
export interface LoopbackConnection {
  readonly localPort: number;
  readonly remotePort: number;
  /** IPv4 unless told otherwise. */
  readonly isIPv6?: boolean;
}

/** The other end of a connection, as the kernel knows it. */
interface Peer {
  readonly uid: number;
  readonly inode: string;
}

const [loopback, loopback6] = ['0100007F', `${'0'.repeat(24)}01000000`];
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
  if (peer === undefined || (peer.uid !== 0 && peer.uid !== process.getuid?.())) return 'another user of this computer';
  return (await isHeldForGuest(peer)) ? 'a guest of an emulator' : undefined;
}

/** Whether a guest speaks at the other end: over its user network, the services of this computer are there for it as well. */
export async function isGuestAt(connection: LoopbackConnection): Promise<boolean> {
  const peer = await peerOf(connection);
  return peer !== undefined && (await isHeldForGuest(peer));
}

async function peerOf({ localPort, remotePort, isIPv6 = false }: LoopbackConnection): Promise<Peer | undefined> {
  const address = isIPv6 ? loopback6 : loopback;
  const near = `${address}:${hex(remotePort, 4)}`;
  const far = `${address}:${hex(localPort, 4)}`;
  for (const line of (await table(isIPv6))?.split('\n') ?? []) {
    const [, local, remote, , , , , uid, , inode] = line.trim().split(/\s+/);
    if (local === near && remote === far && inode !== undefined) return { uid: Number(uid), inode };
  }
  return undefined;
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

async function table(isIPv6 = false): Promise<string | undefined> {
  try {
    return await readFile(isIPv6 ? '/proc/net/tcp6' : '/proc/net/tcp', 'latin1');
  } catch {
    return undefined;
  }
}
