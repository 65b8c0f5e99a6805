import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNew, type OpenedFile, openEmptied, openExisting } from './open-steps.ts';
import { runNow, type Steps } from './steps.ts';
import { OutsideError } from './walk.ts';

let directory: string;
let root: { readonly given: string; readonly real: string };

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'steps-')));
  const path = join(directory, 'root');
  root = { given: path, real: path };
  mkdirSync(join(path, 'sub'), { recursive: true });
  writeFileSync(join(path, 'sub', 'file'), 'text');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** What a step asks for, as far as it is told apart here. */
interface Request {
  readonly type: string;
  readonly flags?: number;
}

/** Carries the steps out, and something else just before one of them. */
function* interrupted(
  steps: Steps<OpenedFile>,
  isMoment: (request: Request) => boolean,
  before: () => void,
): Steps<OpenedFile> {
  for (let next = steps.next(); ; ) {
    if (next.done) return next.value;
    if (isMoment(next.value)) before();
    try {
      next = steps.next(yield next.value);
    } catch (error) {
      next = steps.throw(error);
    }
  }
}

const { O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

test.each([
  ['to be read', () => openExisting([root], join(root.real, 'sub', 'file'), 'read', 'file'), O_RDONLY],
  ['to be made', () => createNew([root], join(root.real, 'sub', 'new')), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW],
] as const)(
  'a file %s in a folder that leaves the root meanwhile is refused, and nothing stays open',
  (_, steps, flags) => {
    const open = readdirSync('/proc/self/fd').length;
    let moved = 0;
    const leave = () => {
      renameSync(join(root.real, 'sub'), join(directory, 'elsewhere'));
      moved++;
    };
    expect(() => runNow(interrupted(steps(), (step) => step.type === 'open' && step.flags === flags, leave))).toThrow(
      OutsideError,
    );
    expect(moved).toBe(1);
    expect(readdirSync('/proc/self/fd').length).toBe(open);
  },
);

test('a pipe is not emptied like a file, although somebody reads it', () => {
  const pipe = join(root.real, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, O_RDWR);
  const open = readdirSync('/proc/self/fd').length;
  expect(() => runNow(openEmptied([root], pipe))).toThrow(expect.objectContaining({ code: 'ENOTREG' }));
  expect(readdirSync('/proc/self/fd').length).toBe(open);
  closeSync(reader);
});

test('a pipe that takes the place of a file keeps nobody waiting who empties it', () => {
  const path = join(root.real, 'sub', 'file');
  const replace = () => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
    // Whoever waited for a reader gets one.
    late = spawn('sh', ['-c', 'sleep 5; exec cat "$0"', path], { stdio: 'ignore' });
  };
  let late: ChildProcess | undefined;
  const steps = interrupted(openEmptied([root], path), ({ flags = 0 }) => (flags & O_CREAT) !== 0, replace);
  expect(() => runNow(steps)).toThrow(expect.objectContaining({ code: 'ENXIO' }));
  late?.kill();
});

test('a link that becomes a folder before it is read is taken for the folder it is now', () => {
  const link = join(root.real, 'link');
  symlinkSync('sub', link);
  const open = readdirSync('/proc/self/fd').length;
  const replace = () => {
    rmSync(link);
    mkdirSync(link);
    writeFileSync(join(link, 'file'), 'another');
  };
  const steps = openExisting([root], join(link, 'file'), 'read', 'file');
  const { fd, path, size } = runNow(interrupted(steps, ({ type }) => type === 'readlink' && isLink(link), replace));
  closeSync(fd);
  expect({ path, size }).toEqual({ path: join(link, 'file'), size: 'another'.length });
  expect(readdirSync('/proc/self/fd').length).toBe(open);
});

const isLink = (path: string) => lstatSync(path).isSymbolicLink();
