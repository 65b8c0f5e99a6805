import { posix } from 'node:path';
import type { FileLine } from '../../../formats/commodore/symbols/symbol-file.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { SourceLines } from './source-lines.ts';

/** Lines by the file that told them. */
export type LinesBySource = ReadonlyMap<string, SourceLines>;

/** A file of source, as one debug file names it. */
interface Named {
  readonly file: string;
  /** The debug file. */
  readonly source: string;
  readonly table: SourceLines;
}

const lineForm = /^(.+\.\w+):(\d{1,6})$/;
const mostListed = 8;
/** A debug file often lies in a folder of its own, below the one that the sources are named from. */
const foldersUp = ['.', '..', '../..'];

/** The line that `main.s:41` stands for; undefined when that is no line, or of no file there is. */
export function lineMeant(text: string, lines: LinesBySource): FileLine | undefined {
  const [, wanted = '', digits = ''] = lineForm.exec(text) ?? [];
  if (wanted === '') return undefined;
  const meant = filesMeant(wanted, lines);
  const names = [...new Set(meant.map(({ file }) => file))];
  const [name, another] = names;
  if (name === undefined) return undefined;
  if (another !== undefined) {
    const message = `${names.length} files are called ${wanted}.`;
    throw new MachineError('INVALID_ARGUMENT', message, `Write one of: ${listed(names)}.`);
  }
  const line = Number(digits);
  const found = meant.map(({ table }) => table.lineMeant(name, line));
  const isOne = new Set(found.map((each) => each?.address)).size === 1;
  if (!isOne && !isOneProgram(meant)) throw ofSeveralPrograms(name, meant);
  const [best] = found
    .filter((each) => each !== undefined)
    .toSorted((a, b) => a.line - b.line || a.address - b.address);
  if (best) return best;
  const message = `${name} has no code at line ${line} or after it.`;
  throw new MachineError('INVALID_ARGUMENT', message, 'Use an earlier line, or a symbol.');
}

/** Where there are lines of other files, one of an unknown file is refused by its name. */
export function refuseUnknownFile(text: string, lines: LinesBySource): void {
  const [, file] = lineForm.exec(text) ?? [];
  const known = [...new Set([...lines.values()].flatMap((table) => table.files))];
  if (file === undefined || known.length === 0) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `No lines of ${file.slice(0, 100)} are known.`,
    `Lines of these files are: ${listed(known)}.`,
  );
}

/** The files that a person can mean by this name: of all ways to read it the first that finds any. */
function filesMeant(wanted: string, lines: LinesBySource): readonly Named[] {
  const all = [...lines].flatMap(([source, table]) => table.files.map((file) => ({ file, source, table })));
  const end = plainPath(wanted);
  const isExact = ({ file }: Named) => file === wanted;
  const isEnding = ({ file }: Named) => plainPath(file).endsWith(end);
  const hasFolder = posix.isAbsolute(slashed(wanted)) || /^[a-z]:/i.test(wanted);
  const lies = (up: string) => (each: Named) => hasFolder && plainPath(pathOf(each, up)) === end;
  for (const matches of [...foldersUp.map(lies), isExact, isEnding]) {
    const found = all.filter(matches);
    if (found.length > 0) return found;
  }
  // With folders that the debug file does not have.
  const shorter = all.filter(({ file }) => end.endsWith(plainPath(file)));
  const longest = Math.max(0, ...shorter.map(({ file }) => file.length));
  return shorter.filter(({ file }) => file.length === longest);
}

/** Two debug files of one program agree about every line that both have. */
function isOneProgram([first, ...others]: readonly Named[]): boolean {
  return others.every((other) => first !== undefined && agree(placesOf(first), placesOf(other)));
}

function agree(ours: ReadonlyMap<number, ReadonlySet<number>>, theirs: typeof ours): boolean {
  const shared = [...ours].filter(([line]) => theirs.has(line));
  return shared.length > 0 && shared.every(([line, places]) => [...places].some((at) => theirs.get(line)?.has(at)));
}

function placesOf({ file, table }: Named): ReadonlyMap<number, ReadonlySet<number>> {
  const places = new Map<number, Set<number>>();
  for (const each of table.all) {
    if (each.file !== file || each.length <= 0) continue;
    places.set(each.line, (places.get(each.line) ?? new Set()).add(each.address));
  }
  return places;
}

function ofSeveralPrograms(name: string, meant: readonly Named[]): MachineError {
  const sources = meant.map(({ source }) => source);
  const paths = [...new Set(meant.map((each) => pathOf(each)))];
  const canBeTold = paths.length === meant.length && paths.every((path) => posix.isAbsolute(path));
  return new MachineError(
    'INVALID_ARGUMENT',
    `${name} is a file of ${meant.length} programs: ${listed(sources)}.`,
    canBeTold ? `Write one of: ${listed(paths)}.` : 'Unload the names of one, or use an address.',
  );
}

/** A relative name is taken from the folder of the debug file. */
function pathOf({ file, source }: Named, up = '.'): string {
  const path = slashed(file);
  return posix.isAbsolute(path) || /^[a-z]:/i.test(path) ? path : posix.join(posix.dirname(slashed(source)), up, path);
}

function plainPath(file: string): string {
  return `/${slashed(file)}`.toLowerCase();
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, mostListed).join(', ')}${names.length > mostListed ? ' …' : ''}`;
}
