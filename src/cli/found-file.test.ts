import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFoundFile } from './found-file.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'found-file-'));
  path = join(folder, 'frontpanel.config.json');
  writeFileSync(path, '{}', { mode: 0o644 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const me = process.getuid?.() ?? 0;

test('a file of the user that nobody else can write is read, and one of root', () => {
  expect(readFoundFile(path)).toBe('{}');
  chmodSync(path, 0o600);
  expect(readFoundFile(path)).toBe('{}');
  expect(() => readFoundFile(join(folder, 'none'))).toThrow(/ENOENT/);
});

// The group of a user's own has nobody else in it on many systems.
test.each(me === 0 ? [0o666, 0o646, 0o664] : [0o666, 0o646])('one of mode %o is refused', (mode) => {
  chmodSync(path, mode);
  expect(() => readFoundFile(path)).toThrow(
    /^it was found here, not named, and others can write it; take that away with chmod go-w .*, or name it with --config/,
  );
});

test('one of somebody else is refused, and who it belongs to is told', () => {
  if (me === 0) chownSync(path, 65_534, 65_534);
  const reader = me === 0 ? 0 : me + 1;
  expect(() => readFoundFile(path, reader)).toThrow(/it belongs to another user \(number \d+\); name it with --config/);
});

test.runIf(me === 0)('one of root is obeyed whoever starts the server; a hard link is the file itself', () => {
  expect(readFoundFile(path, 1000)).toBe('{}');
  linkSync(path, join(folder, 'other'));
  expect(readFoundFile(join(folder, 'other'), 1000)).toBe('{}');
});

test('what is no plain file is refused at once: a link, a pipe, a folder, a file without end', () => {
  symlinkSync(path, join(folder, 'link'));
  expect(() => readFoundFile(join(folder, 'link'))).toThrow(/it is a link/);
  execFileSync('mkfifo', ['-m', '600', join(folder, 'pipe')]);
  expect(() => readFoundFile(join(folder, 'pipe'))).toThrow(/it is not a file/);
  expect(() => readFoundFile(folder)).toThrow(/it is not a file/);
  writeFileSync(path, Buffer.alloc(1024 * 1024 + 1, 32));
  expect(() => readFoundFile(path)).toThrow(/it has 1,048,577 bytes/);
});
