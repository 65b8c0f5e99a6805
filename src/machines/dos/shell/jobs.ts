import type { Dos } from '../services/dos/dos.ts';
import { binaryText } from '../services/dos/guest-text.ts';
import { CallingGuest } from '../services/dos/signals.ts';
import { flushInput, readInput, readInputLine } from '../services/dos/standard-streams.ts';
import { listFolder } from './commands/dir.ts';
import { deleteFiles, eraseQuestion } from './commands/files.ts';
import { deleteLabel, takeLabel } from './commands/labels.ts';
import { setDate, setTime } from './commands/system.ts';
import { dateOrder } from './country-formats.ts';
import { removeQuietly } from './redirection.ts';
import type { Shell } from './shell.ts';
import { ShellError } from './shell-command.ts';
import type { Job, KeyWait, ShellContext } from './shell-state.ts';
import { choose, gather, printLines, showMore } from './text-jobs.ts';

const chunkBytes = 32_768;
const pageLines = 24;
const longestAnswer = 80;

/** Goes on with what had to wait. Throws `waiting` as often as it takes; gives what is left to be done, if anything is. */
export function continueJob(dos: Dos, shell: Shell, context: ShellContext, job: Job): Job | undefined {
  switch (job.kind) {
    case 'pause':
      takeKey(dos, job.key);
      shell.print('\r\n');
      return undefined;
    case 'page':
      page(dos, shell, job);
      return undefined;
    case 'delete':
      if (confirmed(dos, shell)) deleteFiles(dos, job.path);
      return undefined;
    case 'erase':
      return erase(dos, shell, job);
    case 'terminateBatch':
      if (confirmed(dos, shell)) {
        context.batches = [];
        context.pending = [];
      }
      return undefined;
    case 'date':
      ask(dos, shell, setDate, `Invalid date\r\nEnter new date (${dateOrder(dos)}): `);
      return undefined;
    case 'time':
      ask(dos, shell, setTime, 'Invalid time\r\nEnter new time: ');
      return undefined;
    case 'label':
      return takeLabel(dos, shell, job.drive, answered(dos, shell)) ? { ...job, kind: 'deleteLabel' } : undefined;
    case 'deleteLabel':
      if (confirmed(dos, shell)) deleteLabel(dos, job.drive);
      return undefined;
    case 'dir':
      return listFolder(dos, shell, job);
    case 'gather':
      return gather(dos, shell, job);
    case 'lines':
      return printLines(shell, job);
    case 'more':
      return showMore(dos, shell, job);
    case 'choice':
      return choose(dos, shell, job);
    case 'copy':
      return copy(dos, shell, job) ? undefined : job;
  }
}

/** Of a job that will not go on: closes what it has open. */
export function abandonJob(dos: Dos, job: Job): void {
  const open = job.kind === 'copy' ? [job.source, job.target] : job.kind === 'gather' ? [job.handle] : [];
  const failures: unknown[] = [];
  for (const file of open.filter((index) => index >= 0).map((index) => dos.files.get(index))) {
    try {
      // What failed to close is closed all the same.
      if (file.references > 0) dos.handles.release(file);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Any key, as COMMAND.COM takes it: one typed before it was asked for does not count, nor does what comes with the key. */
function takeKey(dos: Dos, wait: KeyWait): void {
  if (wait.step === 'before') {
    flushInput(dos);
    wait.step = 'key';
  }
  if (wait.step === 'key') {
    readInput(dos, true);
    wait.step = 'after';
  }
  flushInput(dos);
  wait.step = 'before';
}

function page(dos: Dos, shell: Shell, job: Extract<Job, { kind: 'page' }>): void {
  for (;;) {
    if (job.shown === pageLines) {
      takeKey(dos, job.key);
      job.shown = 0;
    }
    const line = job.lines.shift();
    if (line === undefined) return;
    shell.print(`${line}\r\n`);
    job.shown++;
    if (job.shown === pageLines && job.lines.length > 0) shell.print('Press any key to continue . . .\r\n');
  }
}

/** One file, and asks for the next. */
function erase(dos: Dos, shell: Shell, { paths }: Extract<Job, { kind: 'erase' }>): Job | undefined {
  const [path = '', ...rest] = paths;
  if (confirmed(dos, shell)) deleteFiles(dos, path);
  if (rest.length === 0) return undefined;
  shell.print(eraseQuestion(rest[0] ?? ''));
  return { kind: 'erase', paths: rest };
}

function confirmed(dos: Dos, shell: Shell): boolean {
  return /^\s*y/i.test(answered(dos, shell));
}

function answered(dos: Dos, shell: Shell): string {
  const line = readInputLine(dos, longestAnswer, []);
  shell.print('\n');
  return String.fromCharCode(...line);
}

function ask(dos: Dos, shell: Shell, set: (dos: Dos, text: string) => boolean, again: string): void {
  for (;;) {
    const text = answered(dos, shell);
    if (text.trim() === '' || set(dos, text)) return;
    shell.print(again);
  }
}

/** A piece of a file, so that the machine gets a turn before the next one. True when all is copied. */
function copy(dos: Dos, shell: Shell, job: Extract<Job, { kind: 'copy' }>): boolean {
  const [file] = job.files;
  if (file !== undefined) {
    if (job.source < 0) openPair(dos, job, file);
    const source = dos.files.get(job.source);
    const bytes = dos.handles.read(source, chunkBytes);
    if (bytes.length > 0 && job.target >= 0) {
      if (writeChunk(dos, job, bytes) < bytes.length) {
        closePair(dos, job);
        // What did not fit is not left half there.
        if (!file.append) removeQuietly(dos, file.target);
        throw new ShellError(`Insufficient disk space\r\n${copiedText(job.copied)}`);
      }
    } else if (bytes.length > 0) {
      const text = binaryText(bytes);
      const end = text.indexOf('\x1a');
      shell.print(end < 0 ? text : text.slice(0, end));
    }
    if (bytes.length === 0) {
      closePair(dos, job);
      if (job.shown && !file.append) job.copied++;
      job.files.shift();
    }
    dos.drivers.commit();
    if (job.files.length > 0) return false;
  }
  if (job.shown) shell.print(`${copiedText(Math.max(job.copied, 1))}\r\n`);
  return true;
}

function copiedText(count: number): string {
  return `${String(count).padStart(9)} file(s) copied`;
}

/** Where the target's drive must be asked first, the same bytes are read again. */
function writeChunk(dos: Dos, job: Extract<Job, { kind: 'copy' }>, bytes: Uint8Array): number {
  const source = dos.files.get(job.source);
  const { position } = source;
  try {
    return dos.handles.write(dos.files.get(job.target), bytes);
  } catch (error) {
    if (error instanceof CallingGuest && !source.isDevice) source.position = position - bytes.length;
    throw error;
  }
}

function openPair(dos: Dos, job: Extract<Job, { kind: 'copy' }>, file: (typeof job.files)[number]): void {
  const source = dos.handles.openPath(dos.paths.resolve(file.source), 0);
  job.source = source.index;
  if (file.target === '') return;
  try {
    const path = dos.paths.resolve(file.target);
    const target = file.append ? dos.handles.openPath(path, 2) : dos.handles.createPath(path, 0);
    job.target = target.index;
    if (file.append && !target.isDevice) target.position = dos.handles.size(target);
  } catch (error) {
    closePair(dos, job);
    throw error;
  }
}

/** The time of a copy is that of its source. */
function closePair(dos: Dos, job: Extract<Job, { kind: 'copy' }>): void {
  const source = job.source < 0 ? undefined : dos.files.get(job.source);
  const target = job.target < 0 ? undefined : dos.files.get(job.target);
  if (
    source !== undefined &&
    target !== undefined &&
    !source.isDevice &&
    !target.isDevice &&
    job.files[0]?.append === false
  ) {
    dos.drives.get(target.drive).update(target.id, { stamp: source.stamp });
  }
  if (source !== undefined) dos.handles.release(source);
  if (target !== undefined) dos.handles.release(target);
  job.source = -1;
  job.target = -1;
}
