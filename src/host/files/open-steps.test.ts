import {
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNew, type OpenedFile, openExisting } from './open-steps.ts';
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

/** Carries the steps out, and something else just before the file itself is opened. */
function* interrupted(steps: Steps<OpenedFile>, flags: number, before: () => void): Steps<OpenedFile> {
  for (let next = steps.next(); ; ) {
    if (next.done) return next.value;
    if (next.value.type === 'open' && next.value.flags === flags) before();
    try {
      next = steps.next(yield next.value);
    } catch (error) {
      next = steps.throw(error);
    }
  }
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

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
    expect(() => runNow(interrupted(steps(), flags, leave))).toThrow(OutsideError);
    expect(moved).toBe(1);
    expect(readdirSync('/proc/self/fd').length).toBe(open);
  },
);
