import { DosError } from '../../drives/dos-error.ts';
import { attributes } from '../../drives/drive.ts';
import { formatName, nameFromPattern, parseName } from '../../drives/names.ts';
import type { Dos } from '../../services/dos/dos.ts';
import type { ShellCommand } from '../shell-command.ts';
import { ShellError } from '../shell-command.ts';
import { entryName, isDirectory, lastName, matchFiles, withWildcards } from '../shell-files.ts';
import { required } from './directories.ts';

const type: ShellCommand = {
  names: ['TYPE'],
  onFiles: true,
  switches: /^$/,
  most: 1,
  run({ dos, context, words }) {
    const name = required(words);
    if (/[*?]/.test(name)) throw new ShellError('Invalid filename or file not found');
    dos.handles.release(dos.handles.openPath(dos.paths.resolve(name), 0));
    const files = [{ source: name, target: '', append: false }];
    context.job = { kind: 'copy', files, source: -1, target: -1, copied: 0, shown: false };
  },
};

const copy: ShellCommand = {
  names: ['COPY'],
  onFiles: true,
  switches: /^-?[ABVY]$/,
  run({ dos, context, tail }) {
    const words = tail
      .replace(/\/[a-z]\b/gi, ' ')
      .replace(/\s*\+\s*/g, '+')
      .trim()
      .split(/[\s,;=]+/);
    const [sources = '', destination = ''] = words;
    if (sources === '') throw new ShellError('Required parameter missing');
    if (words.length > 2) throw new ShellError(`Too many parameters - ${words[2]}`);
    const files = copyPlan(dos, sources.split('+'), destination);
    context.job = { kind: 'copy', files, source: -1, target: -1, copied: 0, shown: true };
  },
};

const remove: ShellCommand = {
  names: ['DEL', 'ERASE'],
  onFiles: true,
  switches: /^P$/,
  most: 1,
  run({ dos, context, shell, words, switches }) {
    const name = withWildcards(dos, required(words));
    if (switches.has('P')) {
      const paths = matchFiles(dos, name, 0).map(({ path }) => path);
      if (paths.length === 0) throw new ShellError('File not found');
      shell.print(eraseQuestion(paths[0] ?? ''));
      context.job = { kind: 'erase', paths };
      return;
    }
    if (/^(.*[\\/:])?\*\.\*$/.test(name)) {
      shell.print('All files in directory will be deleted!\r\nAre you sure (Y/N)?');
      context.job = { kind: 'delete', path: name };
      return;
    }
    deleteFiles(dos, name);
  },
};

const rename: ShellCommand = {
  names: ['REN', 'RENAME'],
  onFiles: true,
  switches: /^$/,
  most: 2,
  run({ dos, words }) {
    const [from = '', to = ''] = words;
    if (to === '') throw new ShellError('Required parameter missing');
    const pattern = parseName(to, true);
    if (pattern === undefined || /[\\/:]/.test(to)) throw new ShellError('Invalid parameter');
    const found = matchFiles(dos, from, attributes.directory).filter(({ entry }) => !entry.name.startsWith('.'));
    if (found.length === 0) throw new ShellError('Duplicate file name or file not found');
    for (const { path, entry } of found) {
      const old = dos.paths.resolve(path);
      const names = [...old.names.slice(0, -1), nameFromPattern(pattern, entry.name)];
      try {
        dos.drives.get(old.drive).rename(old.names, names);
      } catch (error) {
        throw error instanceof DosError ? new ShellError('Duplicate file name or file not found') : error;
      }
    }
  },
};

export const fileCommands = [type, copy, remove, rename] as const;

export function eraseQuestion(path: string): string {
  return `${path},    Delete (Y/N)?`;
}

export function deleteFiles(dos: Dos, name: string): void {
  const found = matchFiles(dos, name, 0);
  if (found.length === 0) throw new ShellError('File not found');
  for (const { path } of found) {
    const resolved = dos.paths.resolve(path);
    dos.drives.get(resolved.drive).delete(resolved.names);
  }
}

/** Which file goes where: one after the other, or several into one. */
function copyPlan(dos: Dos, sources: readonly string[], destination: string) {
  const found = sources.flatMap((source) => {
    const path = dos.paths.resolve(withWildcards(dos, source), true);
    return path.device ? [source] : matchFiles(dos, source, 0).map((match) => match.path);
  });
  if (found.length === 0) throw new ShellError(`File not found - ${sources[0] ?? ''}`);
  const joined = sources.length > 1;
  const target = destination === '' && joined ? (found[0] ?? '') : destination;
  const single =
    joined || (!/[*?]/.test(target) && target !== '' && !/[\\/:]$/.test(target) && !isDirectory(dos, target));
  return found.flatMap((source, index) => {
    const goal = single ? target : targetName(dos, source, target);
    const same = samePath(dos, source, goal);
    if (same && !(joined && index === 0))
      throw new ShellError('File cannot be copied onto itself\r\n        0 file(s) copied');
    if (same) return [];
    const append = single && (index > 0 || (joined && samePath(dos, found[0] ?? '', goal)));
    return [{ source, target: goal, append }];
  });
}

function targetName(dos: Dos, source: string, target: string): string {
  const own = entryNameOf(dos, source);
  const folder =
    target === '' || /[\\/:]$/.test(target) ? target : isDirectory(dos, target) ? `${target}\\` : undefined;
  if (folder !== undefined) return folder + own;
  const last = lastName(target);
  const pattern = parseName(last, true);
  const name = parseName(own);
  if (pattern === undefined || name === undefined) throw new ShellError('Invalid filename');
  const made = nameFromPattern(pattern, name);
  return `${target.slice(0, target.length - last.length)}${formatName(made)}`;
}

function entryNameOf(dos: Dos, source: string): string {
  const path = dos.paths.resolve(source);
  const entry = path.device ? undefined : dos.drives.get(path.drive).lookup(path.names);
  return entry ? entryName(entry) : lastName(source);
}

function samePath(dos: Dos, a: string, b: string): boolean {
  const first = dos.paths.resolve(a);
  const second = dos.paths.resolve(b);
  return (
    first.device === undefined && second.device === undefined && dos.paths.format(first) === dos.paths.format(second)
  );
}
