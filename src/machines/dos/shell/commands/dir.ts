import { hex } from '../../../../formats/hex.ts';
import { attributes, type DirectoryEntry } from '../../drives/drive.ts';
import { formatName } from '../../drives/names.ts';
import type { Dos } from '../../services/dos/dos.ts';
import { formatDate, formatShortTime } from '../country-formats.ts';
import type { Shell } from '../shell.ts';
import type { ShellCommand } from '../shell-command.ts';
import { ShellError } from '../shell-command.ts';
import { isDirectory, matchFiles, withWildcards } from '../shell-files.ts';
import type { Job } from '../shell-state.ts';

const maxFolders = 2_000;
/** Printed in one turn. */
const linesAtOnce = 100;

interface Totals {
  readonly files: number;
  readonly bytes: number;
}

/** DIR, with /W /B /P /S /L, /A:attributes and /O:order. */
export const dir: ShellCommand = {
  names: ['DIR'],
  switches: /^-?(?:[WPBSL]|A:?[-DRHAS]*|O:?[-NEDSG]*)$/,
  most: 1,
  run(call) {
    const { dos, context, words, switches } = call;
    const [word = ''] = words;
    const { drive: asked } = dos.paths.splitDrive(word);
    if (!dos.directories.valid(asked)) throw new ShellError('Invalid drive specification');
    const first = dos.paths.resolve(
      withWildcards(dos, /^\.[^.\\/]/.test(word) ? `*${word}` : bareName(dos, word)),
      true,
    );
    const drive = dos.drives.get(first.drive);
    const lines: string[] = [];
    const bare = switches.has('B');
    const letter = String.fromCharCode(0x41 + (first.letter ?? first.drive));
    if (!bare) {
      const label = drive.label().trimEnd();
      lines.push(
        '',
        label === '' ? ` Volume in drive ${letter} has no label` : ` Volume in drive ${letter} is ${label}`,
      );
      const { serial } = drive;
      if (serial !== 0) lines.push(` Volume Serial Number is ${serialText(serial)}`);
    }
    context.job = {
      kind: 'dir',
      switches,
      drive: first.drive,
      folders: [dos.paths.shown(first)],
      listed: 0,
      lines,
      files: 0,
      bytes: 0,
    };
  },
};

type Listing = Extract<Job, { kind: 'dir' }>;

/**
 * The next folder, or some more lines of the last, so that the machine gets a turn in between. Gives what is left to be done. Where a drive
 * must be asked first, nothing of it has happened yet.
 */
export function listFolder(dos: Dos, shell: Shell, job: Listing): Job | undefined {
  const { switches } = job;
  const bare = switches.has('B');
  const isPaged = switches.has('P');
  if (!isPaged && job.listed > 0 && job.lines.length > 0) return printSome(shell, job);
  const found = list(dos, switches, job.folders[job.listed] ?? '');
  const next: Listing = {
    ...job,
    folders: [...job.folders, ...found.folders],
    listed: job.listed + 1,
    lines: [...job.lines, ...found.lines],
    files: job.files + found.files,
    bytes: job.bytes + found.bytes,
  };
  const isOver = isListed(next);
  if (isOver && next.files === 0 && bare) throw new ShellError('File not found');
  if (isOver && !bare) next.lines.push(...ending(dos, next));
  if (isPaged) return isOver ? { kind: 'page', lines: next.lines, shown: 0, key: { step: 'before' } } : next;
  return printSome(shell, next);
}

function isListed({ listed, folders }: Listing): boolean {
  return listed >= Math.min(folders.length, maxFolders);
}

function printSome(shell: Shell, job: Listing): Listing | undefined {
  for (const line of job.lines.slice(0, linesAtOnce)) shell.print(`${line}\r\n`);
  const lines = job.lines.slice(linesAtOnce);
  return lines.length === 0 && isListed(job) ? undefined : { ...job, lines };
}

function ending(dos: Dos, { switches, drive, files, bytes }: Listing): readonly string[] {
  if (files === 0) return ['File not found', ''];
  const { bytesPerSector, sectorsPerCluster, freeClusters } = dos.drives.get(drive).space();
  return [
    ...(switches.has('S') ? ['Total files listed:', totalLine({ files, bytes })] : []),
    `${String(freeClusters * sectorsPerCluster * bytesPerSector).padStart(28)} bytes free`,
    '',
  ];
}

interface Folder extends Totals {
  readonly lines: string[];
  /** Those below it. */
  readonly folders: readonly string[];
}

function list(dos: Dos, switches: ReadonlySet<string>, pattern: string): Folder {
  const bare = switches.has('B');
  const deep = switches.has('S');
  const folder = pattern.slice(0, Math.max(3, pattern.lastIndexOf('\\')));
  const found = ordered(switches, matchFiles(dos, pattern, searchAttributes(switches))).filter(
    ({ name }) => !bare || !name.startsWith('.'),
  );
  const folders = deep ? foldersIn(dos, folder, pattern) : [];
  const lines: string[] = [];
  if (found.length === 0 && (deep || bare)) return { lines, folders, files: 0, bytes: 0 };
  if (!bare) lines.push(`${deep ? '' : ' '}Directory of ${folder}`, '');
  if (switches.has('W') && !bare) lines.push(...wide(found, switches));
  else
    for (const entry of found) lines.push(bare ? bareLine(entry, deep, folder, switches) : line(dos, entry, switches));
  const here = { files: found.length, bytes: found.reduce((sum, { size }) => sum + size, 0) };
  if (!bare && here.files > 0) lines.push(totalLine(here));
  if (!bare && deep) lines.push('');
  return { lines, folders, ...here };
}

function foldersIn(dos: Dos, folder: string, pattern: string): readonly string[] {
  const start = folder.endsWith('\\') ? folder : `${folder}\\`;
  const name = pattern.slice(pattern.lastIndexOf('\\') + 1);
  return matchFiles(dos, `${start}*.*`, attributes.directory).flatMap(({ entry, path }) =>
    entry.attributes & attributes.directory && !entry.name.startsWith('.') ? `${path}\\${name}` : [],
  );
}

function searchAttributes(switches: ReadonlySet<string>): number {
  const wanted = [...switches].find((option) => option.startsWith('A'));
  if (wanted === undefined) return attributes.directory;
  return attributes.directory | attributes.hidden | attributes.system;
}

const letters: Readonly<Record<string, number>> = { D: 0x10, R: 0x01, H: 0x02, S: 0x04, A: 0x20 };
const orders: Readonly<Record<string, (a: DirectoryEntry, b: DirectoryEntry) => number>> = {
  N: (a, b) => compare(a.name.slice(0, 8), b.name.slice(0, 8)),
  E: (a, b) => compare(a.name.slice(8), b.name.slice(8)),
  S: (a, b) => a.size - b.size,
  D: (a, b) => a.stamp - b.stamp,
  G: (a, b) => (b.attributes & attributes.directory) - (a.attributes & attributes.directory),
};

function ordered(switches: ReadonlySet<string>, found: { entry: DirectoryEntry }[]): DirectoryEntry[] {
  const options = [...switches];
  const filter =
    options
      .find((option) => option.startsWith('A'))
      ?.slice(1)
      .replace(':', '') ?? '';
  const order = options
    .find((option) => option.startsWith('O'))
    ?.slice(1)
    .replace(':', '');
  const entries = found.map(({ entry }) => entry);
  const wanted = [...filter.matchAll(/(-?)([A-Z])/g)];
  const kept = entries.filter((entry) =>
    wanted.every(([, minus, letter = '']) => {
      const has = (entry.attributes & (letters[letter] ?? 0)) !== 0;
      return minus === '-' ? !has : has;
    }),
  );
  if (order === undefined) return kept;
  const keys = [...(order || 'GN').matchAll(/(-?)([A-Z])/g)];
  return kept.sort((a, b) => {
    for (const [, minus, letter = ''] of keys) {
      const difference = orders[letter]?.(a, b) ?? 0;
      if (difference !== 0) return minus === '-' ? -difference : difference;
    }
    return 0;
  });
}

function line(dos: Dos, entry: DirectoryEntry, switches: ReadonlySet<string>): string {
  const stem = entry.name.slice(0, 8);
  const name = entry.name.startsWith('.') ? entry.name.trimEnd().padEnd(12) : `${stem} ${entry.name.slice(8)}`;
  const size = entry.attributes & attributes.directory ? ' <DIR>    ' : String(entry.size).padStart(10);
  return `${cased(name, switches)}${size} ${dateText(dos, entry.stamp)}`;
}

function bareLine(entry: DirectoryEntry, deep: boolean, folder: string, switches: ReadonlySet<string>): string {
  const start = deep ? (folder.endsWith('\\') ? folder : `${folder}\\`) : '';
  return cased(start + formatName(entry.name), switches);
}

function wide(found: DirectoryEntry[], switches: ReadonlySet<string>): string[] {
  const cells = found.map((entry) => {
    const name = cased(formatName(entry.name), switches);
    return (entry.attributes & attributes.directory ? `[${name}]` : name).padEnd(16);
  });
  const rows: string[] = [];
  for (let i = 0; i < cells.length; i += 5)
    rows.push(
      cells
        .slice(i, i + 5)
        .join('')
        .trimEnd(),
    );
  return rows;
}

function cased(text: string, switches: ReadonlySet<string>): string {
  return switches.has('L') ? text.toLowerCase() : text;
}

function totalLine({ files, bytes }: Totals): string {
  return `${String(files).padStart(9)} file(s) ${String(bytes).padStart(10)} bytes`;
}

function dateText(dos: Dos, stamp: number): string {
  const date = stamp >>> 16;
  const day = { year: 1980 + (date >> 9), month: (date >> 5) & 15, day: date & 31 };
  return `${formatDate(dos, day, true)} ${formatShortTime(dos, (stamp >> 11) & 31, (stamp >> 5) & 63)}`.trimEnd();
}

export function serialText(serial: number): string {
  const text = hex(serial, 8);
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/** A name without extension means any extension. */
function bareName(dos: Dos, word: string): string {
  if (isDirectory(dos, word)) return word;
  return word !== '' && !/[.:\\/]$/.test(word) && !/\.[^\\/]*$/.test(word) ? `${word}.*` : word;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
