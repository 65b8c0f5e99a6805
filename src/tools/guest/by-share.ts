import type { SharedFolder } from '../../machine/console.ts';
import type { Rack } from '../../rack/rack.ts';
import { randomWord } from '../console/random-word.ts';
import { fileLimits } from '../file-limits.ts';
import { type GuestShell, quoted } from './guest-shell.ts';

/** A folder of this computer, and where the guest has mounted it. */
export interface MountedShare {
  readonly folder: SharedFolder;
  readonly point: string;
  /** Both sides may, so that nothing stays behind. */
  readonly writable: boolean;
  readonly rack: Rack;
}

/** The guest copies the file out of the shared folder. False where the file is not there and may not be put there. */
export async function putByShare(
  shell: GuestShell,
  { folder, point, writable, rack }: MountedShare,
  source: string,
  bytes: Uint8Array,
  path: string,
): Promise<boolean> {
  const there = `${folder.path}/`;
  const resolved = await rack.files.resolve(source, 'read');
  if (resolved.startsWith(there) && !path.startsWith(`${point}/`)) {
    await copy(shell, `${point}/${resolved.slice(there.length)}`, path);
    return true;
  }
  if (!writable) return false;
  const name = passingName();
  await rack.writeFile(there + name, bytes);
  await passing(shell, `${point}/${name}`, () => copy(shell, `${point}/${name}`, path));
  return true;
}

/** The guest copies the file into the shared folder for a moment. */
export async function getByShare(
  shell: GuestShell,
  { folder, point, rack }: MountedShare,
  path: string,
): Promise<Uint8Array> {
  const name = passingName();
  return passing(shell, `${point}/${name}`, async () => {
    await copy(shell, path, `${point}/${name}`);
    return rack.files.read(`${folder.path}/${name}`, fileLimits.transfer);
  });
}

const passingName = () => `.frontpanel-${randomWord()}`;

async function copy(shell: GuestShell, from: string, to: string): Promise<void> {
  await shell.run(`cat ${quoted(from)} > ${quoted(to)}`, 'copying through the shared folder');
}

async function passing<T>(shell: GuestShell, file: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } finally {
    await shell.run(`rm -f ${quoted(file)}`, 'tidying up the shared folder').catch(() => {});
  }
}
