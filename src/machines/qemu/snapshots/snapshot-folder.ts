import { constants, existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, open, readdir, rename, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseModestJson } from '../../../formats/modest-json.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import { requireStandalone } from '../disk/prepare-drives.ts';
import type { OpenedFiles } from '../opened-files.ts';
import { type QemuOptions, qemuOptions } from '../qemu-options.ts';

const { COPYFILE_EXCL, COPYFILE_FICLONE, O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

const description = 'snapshot.json';
export const statesFile = 'states.qcow2';

const maxDescriptionBytes = 1024 * 1024;
const maxSnapshots = 1000;
/** It becomes the name of a folder. */
export const nameForm = /^\w[\w.-]{0,47}$/;

const record = z.object({
  name: z.string().regex(nameForm),
  /** QEMU's own name for it in the image. */
  tag: z.string().regex(/^[\w.~-]{1,80}$/),
  virtualMs: z.number(),
  running: z.boolean(),
  /** What QEMU's state lacks. */
  boardTime: z
    .array(z.string().regex(/^[0-9a-f]{16}$/))
    .max(64)
    .default([]),
});

const content = z.object({
  format: z.literal('frontpanel qemu snapshot 1'),
  qemu: z.string().max(40),
  /** The snapshot to begin with, and all that the image holds. */
  name: z.string().max(48),
  snapshots: z.array(record).max(maxSnapshots),
  options: qemuOptions,
});

export type SnapshotRecord = z.output<typeof record>;
export type SnapshotContent = z.output<typeof content>;

/** Options that are not hardware, and so are those of the new machine. */
const free = [
  'vnc',
  'keyboard_layout',
  'write_policy',
  'forward',
  'capture',
  'from_snapshot',
  'snapshot_dir',
  'work_dir',
  'monitor',
  'paused',
  'powerdown_ms',
] as const satisfies readonly (keyof QemuOptions)[];

/** A folder with everything that a fresh process needs to go on from a snapshot. */
export interface SnapshotFolder {
  readonly path: string;
  readonly content: SnapshotContent;
  /** What the new machine is started with. */
  readonly options: QemuOptions;
  readonly record: SnapshotRecord;
}

/** Copies the files beside each other first and then puts all in its place at once. */
export async function writeSnapshotFolder(
  path: string,
  content: SnapshotContent,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  const draft = `${path}.part`;
  await removeFolder(draft);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    await inFolder(draft, async (folder) => {
      for (const [name, source] of files) await copyFile(source, join(folder, name), COPYFILE_EXCL | COPYFILE_FICLONE);
      await writeFile(join(folder, description), JSON.stringify(content, undefined, 1), { mode: 0o600, flag: 'wx' });
    });
    await removeSnapshotFolder(path);
    await rename(draft, path);
  } catch (error) {
    await removeFolder(draft);
    throw error;
  }
}

/** Touches nothing that is not such a folder. */
export async function removeSnapshotFolder(path: string): Promise<void> {
  if (!existsSync(path)) return;
  if (!existsSync(join(path, description))) {
    throw new MachineError('NAME_TAKEN', `${path} exists and is not a snapshot.`, 'Use another name.');
  }
  await removeFolder(path);
}

/** A folder with nothing but files in it. A link of that name goes, and what it leads to stays. */
async function removeFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isDirectory()) return unlink(path);
  await inFolder(path, async (folder) => {
    for (const name of await readdir(folder)) await unlink(join(folder, name));
  });
  await rmdir(path);
}

/** Gives the folder by a name that leads to it even if another one, or a link, is put in its place meanwhile. */
async function inFolder(path: string, work: (folder: string) => Promise<void>): Promise<void> {
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const byDescriptor = `/proc/self/fd/${handle.fd}`;
    await work(existsSync(byDescriptor) ? byDescriptor : path);
  } finally {
    await handle.close();
  }
}

export async function openSnapshotFolder(asked: QemuOptions, files: OpenedFiles): Promise<SnapshotFolder | undefined> {
  const { from_snapshot: named } = asked;
  if (named === undefined) return undefined;
  const text = await files.textIn(named, description, maxDescriptionBytes).catch((error: unknown) => {
    if (error instanceof MachineError && error.type === 'NOT_FOUND') throw refusal(named, `it has no ${description}`);
    throw error;
  });
  const parsed = content.safeParse(parseJson(text));
  if (!parsed.success) throw refusal(named, `${description} is not of a kind that this version reads`);
  const { name, snapshots, options: saved } = parsed.data;
  const found = snapshots.find((each) => each.name === name);
  if (!found) throw refusal(named, `it does not hold ${name}`);
  const own = Object.fromEntries(
    free.map((option) => [option, asked[option]]).filter(([, value]) => value !== undefined),
  );
  const options = qemuOptions.parse({ ...saved, ...own, ...shareOf(asked, saved, named) });
  return { path: named, content: parsed.data, options, record: found };
}

/** The device is hardware, the folder it shares is not. */
function shareOf(asked: QemuOptions, saved: QemuOptions, named: string): Partial<QemuOptions> {
  const { share, share_writable } = asked;
  if (share === undefined) return {};
  if (saved.share === undefined) throw refusal(named, 'it was saved without a "share", so there cannot be one now');
  return { share, share_writable };
}

/** Copies the states of a snapshot to where they are used and changed. */
export async function copyStates({ path }: SnapshotFolder, files: OpenedFiles, to: string): Promise<void> {
  await files.copyIn(path, statesFile, to);
  await requireStandalone(to);
}

function parseJson(text: string): unknown {
  try {
    return parseModestJson(text);
  } catch {
    return undefined;
  }
}

function refusal(path: string, why: string): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `${path} is not a snapshot to start from: ${why}.`,
    advice`Give the folder that ${call('snapshot_save')} wrote below "snapshot_dir".`,
  );
}
