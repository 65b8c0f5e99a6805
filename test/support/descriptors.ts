import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * What a process has open, one text for each descriptor, without the numbers that differ from one time to the next:
 * pipes and threads are only counted, connections are told by the port of the other side or, where they came in, by ours.
 */
export function openOf(pid: number): string[] {
  const sockets = new Map(socketsOf(pid));
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    const target = targetOf(`/proc/${pid}/fd/${fd}`);
    if (target === undefined) return [];
    const [, type, inode = ''] = /^(socket|pipe):\[(\d+)\]$/.exec(target) ?? [];
    if (type === 'pipe') return ['pipe'];
    if (type === 'socket') return [sockets.get(inode) ?? 'socket'];
    // Node keeps one to spare: /dev/null, or the root once it was needed.
    return [target === '/' ? '/dev/null' : target.replace(/\/q-\w+\//, '/q-*/')];
  });
}

/** What is in the second list and not in the first, counted. */
export function newIn(after: readonly string[], before: readonly string[]): string[] {
  const known = [...before];
  return after.filter((each) => {
    const at = known.indexOf(each);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

/** Undefined where it was closed meanwhile. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function* socketsOf(pid: number): Generator<[inode: string, ends: string]> {
  const rows = (name: string) => readFileSync(`/proc/${pid}/net/${name}`, 'latin1').trim().split('\n').slice(1);
  const tcp = [...rows('tcp'), ...rows('tcp6')].map((row) => {
    const [, local = '', remote = '', , , , , , , inode = ''] = row.trim().split(/\s+/);
    return { inode, local: portOf(local), remote: portOf(remote) };
  });
  const listening = new Set(tcp.filter(({ remote }) => remote === 0).map(({ local }) => local));
  for (const { inode, local, remote } of tcp) {
    const came = listening.has(local) ? `at port ${local}` : `to port ${remote}`;
    yield [inode, remote === 0 ? `TCP, listening at port ${local}` : `TCP, connected ${came}`];
  }
  for (const row of rows('unix')) {
    const [, , , , , , inode = '', path = 'without a name'] = row.trim().split(/\s+/);
    yield [inode, `socket ${path}`];
  }
}

function portOf(end: string): number {
  return Number.parseInt(end.split(':')[1] ?? '', 16);
}
