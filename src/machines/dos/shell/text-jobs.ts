import { upperCase } from '../drives/names.ts';
import type { Dos } from '../services/dos/dos.ts';
import { binaryText } from '../services/dos/guest-text.ts';
import { waiting } from '../services/dos/signals.ts';
import { isConsole, readInputLine, tryReadInput } from '../services/dos/standard-streams.ts';
import type { Shell } from './shell.ts';
import { ShellError } from './shell-command.ts';
import type { Job } from './shell-state.ts';

type Gathering = Extract<Job, { kind: 'gather' }>;
type Filter = Gathering['filter'];

const chunkBytes = 32_768;
/** Of all that is read at once. */
const mostChars = 1024 * 1024;
const linesAtOnce = 100;
const rows = 24;
const columns = 80;
const longestLine = 255;
const endOfFile = '\x1a';
const tickAddress = 0x46c;
const standardInput = 0;
const standardOutput = 1;

/** Timer ticks since midnight. */
export function ticksNow({ memory }: Dos): number {
  return [3, 2, 1, 0].reduce((value, index) => value * 256 + memory.read8(tickAddress + index), 0);
}

/** Reads the next piece of a filter's input, so that the machine gets a turn before the next one. */
export function gather(dos: Dos, shell: Shell, job: Gathering): Job | undefined {
  const { files, filter } = job;
  const [name] = files;
  const text = name === undefined ? fromInput(dos, shell) : fromFile(dos, job, name);
  const end = text?.indexOf(endOfFile) ?? 0;
  const whole = job.text + (text === undefined ? '' : end < 0 ? text : text.slice(0, end));
  if (whole.length > mostChars) throw new ShellError('Insufficient memory');
  if (text !== undefined && end < 0) return { ...job, text: whole };
  if (job.handle >= 0) dos.handles.release(dos.files.get(job.handle));
  const read = [...job.read, { name: name ?? '', text: whole }];
  if (files.length > 1) return { ...job, files: files.slice(1), read, handle: -1, text: '' };
  return filtered(shell, filter, read);
}

/** Undefined at its end. */
function fromInput(dos: Dos, shell: Shell): string | undefined {
  const file = dos.handles.file(standardInput);
  if (!isConsole(dos, file)) {
    const bytes = dos.handles.read(file, chunkBytes);
    return bytes.length === 0 ? undefined : binaryText(bytes);
  }
  const line = binaryText(Uint8Array.from(readInputLine(dos, longestLine, [])));
  shell.print('\n');
  return `${line}\r\n`;
}

function fromFile(dos: Dos, job: Gathering, name: string): string | undefined {
  if (job.handle < 0) job.handle = dos.handles.openPath(dos.paths.resolve(name), 0).index;
  const bytes = dos.handles.read(dos.files.get(job.handle), chunkBytes);
  return bytes.length === 0 ? undefined : binaryText(bytes);
}

function filtered(shell: Shell, filter: Filter, read: Gathering['read']): Job | undefined {
  if (filter.name === 'find') {
    const found = read.map((each) => search(filter, each));
    shell.state.errorLevel = found.some(({ count }) => count > 0) ? 0 : 1;
    return { kind: 'lines', lines: found.flatMap(({ lines }) => lines) };
  }
  const lines = read.flatMap(({ text }) => linesOf(text));
  if (filter.name === 'more') return { kind: 'more', lines, shown: 0 };
  const key = (line: string) => upperCase(line.slice(filter.column - 1));
  const keyed = lines.map((line) => ({ line, key: key(line) }));
  const order = filter.reverses ? -1 : 1;
  keyed.sort((a, b) => (a.key < b.key ? -order : a.key > b.key ? order : 0));
  return { kind: 'lines', lines: keyed.map(({ line }) => line) };
}

function search(filter: Extract<Filter, { name: 'find' }>, { name, text }: Gathering['read'][number]) {
  const folded = (line: string) => (filter.folds ? upperCase(line) : line);
  const wanted = folded(filter.text);
  const hits = linesOf(text)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => wanted !== '' && folded(line).includes(wanted) !== filter.inverts);
  const title = name === '' ? '' : `---------- ${upperCase(name)}`;
  const count = hits.length;
  if (filter.counts) return { count, lines: title === '' ? [String(count)] : ['', `${title}: ${count}`] };
  const lines = hits.map(({ line, number }) => (filter.numbers ? `[${number}]${line}` : line));
  return { count, lines: title === '' ? lines : ['', title, ...lines] };
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Some lines, and what is left to be done. */
export function printLines(shell: Shell, job: Extract<Job, { kind: 'lines' }>): Job | undefined {
  for (const line of job.lines.slice(0, linesAtOnce)) shell.print(`${line}\r\n`);
  const lines = job.lines.slice(linesAtOnce);
  return lines.length > 0 ? { kind: 'lines', lines } : undefined;
}

/** Waits for a key at the keyboard, whatever its input is. */
export function showMore(dos: Dos, shell: Shell, job: Extract<Job, { kind: 'more' }>): Job | undefined {
  const pauses = isConsole(dos, dos.handles.file(standardOutput));
  if (pauses && job.shown >= rows) {
    dos.console.read(true);
    shell.print('\r\n');
    job.shown = 0;
  }
  while (job.lines.length > 0 && (!pauses || job.shown < rows)) {
    const line = job.lines.shift() ?? '';
    shell.print(`${line}\r\n`);
    job.shown += Math.max(1, Math.ceil(line.length / columns));
  }
  if (job.lines.length === 0) return undefined;
  shell.print('-- More --');
  return job;
}

export function choose(dos: Dos, shell: Shell, job: Extract<Job, { kind: 'choice' }>): Job | undefined {
  const { keys, isExact, fallback, until } = job;
  for (let byte = tryReadInput(dos); byte !== undefined; byte = tryReadInput(dos)) {
    const key = String.fromCharCode(byte);
    const index = keys.indexOf(isExact ? key : upperCase(key));
    if (index >= 0) return chosen(shell, keys, index);
    shell.print('\x07');
  }
  if (until >= 0 && ticksNow(dos) >= until) return chosen(shell, keys, fallback);
  throw waiting;
}

function chosen(shell: Shell, keys: string, index: number): undefined {
  shell.print(`${keys[index] ?? ''}\r\n`);
  shell.state.errorLevel = index + 1;
  return undefined;
}
