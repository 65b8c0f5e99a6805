import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NameBook } from '../../shared/name-book.ts';
import { NameFiles, namedProgram } from '../../shared/name-files.ts';
import { desk } from './desk-testing.ts';

test('names are files of their own, replaced whole, found by the program alone', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fp-names-'));
  try {
    const files = new NameFiles(join(directory, 'names'));
    const program = namedProgram('GAME.COM', Uint8Array.of(1, 2, 3), 0x1000, 0x1002);
    const { addresses } = desk('f4');
    const book = new NameBook(addresses.symbols, files);
    await book.open(program);
    await Promise.all([book.set(0x1000n, { name: 'a' }), book.set(0x1001n, { name: 'b' })]);
    const [file, ...others] = await readdir(join(directory, 'names'));
    expect([file, others]).toEqual([`${program.hash}.names`, []]);
    expect((await stat(join(directory, 'names', file ?? ''))).mode & 0o777).toBe(0o600);
    const again = new NameBook(desk('f4').addresses.symbols, files);
    expect(await again.open({ ...program, first: 0x2000n, last: 0x2002n })).toBe(2);
    expect((await again.list()).map(({ address }) => address)).toEqual([0x2000n, 0x2001n]);
    await expect(files.load('../../etc/passwd')).rejects.toThrow('hash');
  } finally {
    await rm(directory, { recursive: true });
  }
});
