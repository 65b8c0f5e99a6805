import { constants } from 'node:fs';
import { access, readdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Check, Finding } from './finding.ts';

const oldestNode = [20, 19] as const;
const lowSpaceBytes = 200_000_000;
const noSpaceBytes = 10_000_000;

export const checkNode: Check = async () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  const detail = `${process.version} at ${process.execPath}`;
  if (isNewEnough) return [{ check: 'Node.js', status: 'ok', detail }];
  return [{ check: 'Node.js', status: 'fail', detail, fix: `Install Node.js ${oldestNode.join('.')} or newer.` }];
};

export const checkSerialport: Check = async () => {
  const check = 'serial devices';
  try {
    await import('serialport');
    return [{ check, status: 'ok', detail: 'the package serialport can be loaded' }];
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
    const detail = `the package serialport cannot be loaded, so devices such as /dev/ttyUSB0 cannot be opened: ${reason}`;
    return [{ check, status: 'warn', detail, fix: 'npm install serialport' }];
  }
};

export const checkPrograms: Check = async ({ env, qemuFolders = [] }) => {
  const names = await programsIn((env.PATH ?? '').split(delimiter), /^(tmux|socat|l?sz|x64sc|qemu-system-[\w-]+)$/);
  for (const name of await programsIn(qemuFolders, /^qemu-system-[\w-]+$/)) names.add(name);
  const optional = (check: string, use: string): Finding =>
    names.has(check)
      ? { check, status: 'ok', detail: 'installed' }
      : { check, status: 'warn', detail: `not installed; ${use}`, fix: `Install ${check} if you need that.` };
  const engines = [...names].filter((name) => name.startsWith('qemu-system-')).sort();
  return [
    ...(names.has('x64sc') ? [viceFound] : []),
    optional('tmux', 'it shows consoles in windows on a computer without a desktop'),
    optional('socat', 'it makes pseudo-terminals and bridges for experiments'),
    names.has('sz') || names.has('lsz')
      ? { check: 'lrzsz', status: 'ok', detail: 'installed' }
      : {
          check: 'lrzsz',
          status: 'warn',
          detail: 'not installed; file_put and file_get need it for X-, Y- and ZMODEM',
          fix: 'Install lrzsz if you need that.',
        },
    engines.length > 0
      ? { check: 'QEMU', status: 'ok', detail: engines.map((name) => name.replace('qemu-system-', '')).join(', ') }
      : {
          check: 'QEMU',
          status: 'warn',
          detail: 'no qemu-system-* program is installed; machines of kind qemu need one',
          fix: 'Install the package of the system you want to emulate, such as qemu-system-x86.',
        },
  ];
};

const viceFound: Finding = {
  check: 'VICE',
  status: 'ok',
  detail: 'installed, for machines of kind vice; --roms takes its data folder',
};

export const checkDisk: Check = async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  const free = bavail * bsize;
  const found = { check: 'disk', detail: `${Math.floor(free / 1e6)} MB free in ${tmpdir()}` };
  if (free >= lowSpaceBytes) return [{ ...found, status: 'ok' }];
  return [{ ...found, status: free < noSpaceBytes ? 'fail' : 'warn', fix: `Free some space in ${tmpdir()}.` }];
};

async function programsIn(directories: readonly string[], wanted: RegExp): Promise<Set<string>> {
  const found = new Set<string>();
  for (const directory of directories.filter((entry) => entry !== '')) {
    const files = await readdir(directory).catch(() => []);
    for (const file of files.filter((name) => wanted.test(name))) {
      const runs = await access(join(directory, file), constants.X_OK).then(
        () => true,
        () => false,
      );
      if (runs) found.add(file);
    }
  }
  return found;
}
