import { readFile } from 'node:fs/promises';
import { hex } from '../formats/hex.ts';

/** One connection over IPv4 loopback, as the server's socket sees it. */
export interface LoopbackConnection {
  readonly localPort: number;
  readonly remotePort: number;
}

const loopback = '0100007F';

/** Whether the owner of the other end of a connection can be told here. */
export async function canTellPeers(): Promise<boolean> {
  return (await table()) !== undefined;
}

/** Whether the other end of a connection belongs to this user, or to root. */
export async function isOwnPeer({ localPort, remotePort }: LoopbackConnection): Promise<boolean> {
  const near = `${loopback}:${hex(remotePort, 4)}`;
  const far = `${loopback}:${hex(localPort, 4)}`;
  for (const line of (await table())?.split('\n') ?? []) {
    const [, local, remote, , , , , uid] = line.trim().split(/\s+/);
    if (local === near && remote === far) return uid === '0' || Number(uid) === process.getuid?.();
  }
  return false;
}

async function table(): Promise<string | undefined> {
  try {
    return await readFile('/proc/net/tcp', 'latin1');
  } catch {
    return undefined;
  }
}
