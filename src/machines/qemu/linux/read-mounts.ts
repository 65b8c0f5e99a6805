import type { LinuxMount } from '../../../machine/linux.ts';
import type { Structures } from './structures.ts';

const maxMounts = 5000;
const maxDepth = 64;
const maxNameBytes = 255;
const readOnlyMount = 0x40n;
const readOnlyFiles = 1n;

/** What the first process sees mounted, each before what is mounted in it. */
export async function readMounts(s: Structures, task: bigint): Promise<LinuxMount[]> {
  const proxy = await s.pointer(task, 'task_struct', 'nsproxy');
  const space = proxy === 0n ? 0n : await s.pointer(proxy, 'nsproxy', 'mnt_ns');
  const root = space === 0n ? 0n : await s.pointer(space, 'mnt_namespace', 'root');
  if (root === 0n) return [];
  const mounts: LinuxMount[] = [];
  const waiting = [{ mount: root, path: '/' }];
  for (let next = waiting.shift(); next && mounts.length < maxMounts; next = waiting.shift()) {
    mounts.push(await mountAt(s, next.mount, next.path));
    const children: typeof waiting = [];
    const head = next.mount + s.offset('mount', 'mnt_mounts');
    for await (const child of s.list(head, 'mount', 'mnt_child', maxMounts)) {
      children.push({ mount: child, path: join(next.path, await pointOf(s, child)) });
    }
    waiting.unshift(...children);
  }
  return mounts;
}

async function mountAt(s: Structures, mount: bigint, path: string): Promise<LinuxMount> {
  const device = await s.pointer(mount, 'mount', 'mnt_devname');
  const files = await s.pointer(mount, 'mount', 'mnt.mnt_sb');
  const type = files === 0n ? 0n : await s.pointer(files, 'super_block', 's_type');
  const name = type === 0n ? 0n : await s.pointer(type, 'file_system_type', 'name');
  const flags = await s.number(mount, 4, 'mount', 'mnt.mnt_flags');
  const own = files === 0n ? 0n : await s.number(files, 8, 'super_block', 's_flags');
  return {
    device: (device === 0n ? undefined : await s.memory.text(device, maxNameBytes)) ?? 'none',
    path,
    type: (name === 0n ? undefined : await s.memory.text(name, maxNameBytes)) ?? '?',
    isReadOnly: (flags & readOnlyMount) !== 0n || (own & readOnlyFiles) !== 0n,
  };
}

/** Where it is mounted, as a path inside the one above. */
async function pointOf(s: Structures, mount: bigint): Promise<string> {
  const names: string[] = [];
  let dentry = await s.pointer(mount, 'mount', 'mnt_mountpoint');
  for (let depth = 0; depth < maxDepth && dentry !== 0n; depth++) {
    const parent = await s.pointer(dentry, 'dentry', 'd_parent');
    if (parent === dentry) break;
    const text = await s.pointer(dentry, 'dentry', 'd_name.name');
    names.unshift((await s.memory.text(text, maxNameBytes)) ?? '?');
    dentry = parent;
  }
  return names.join('/');
}

function join(path: string, below: string): string {
  return below === '' ? path : path === '/' ? `/${below}` : `${path}/${below}`;
}
