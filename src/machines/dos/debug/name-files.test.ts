import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { KeptBreakpoints } from '../../shared/kept-breakpoints.ts';
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

test('breakpoints move with the program, beside its names; lines that nobody understands are told of', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fp-names-'));
  const spec = { length: 1, logOnly: false, temporary: false, keep: true };
  try {
    const files = new NameFiles(directory);
    const program = namedProgram('GAME.COM', Uint8Array.of(1, 2, 3), 0x10000, 0x10fff);
    const open = () => {
      const { addresses, breakpoints } = desk('f4');
      const book = new NameBook(addresses.symbols, files);
      const told: string[] = [];
      return { book, told, kept: new KeptBreakpoints(breakpoints, book, (text) => told.push(text)) };
    };
    const { book, kept } = open();
    await book.open(program);
    await kept.set({ ...spec, type: 'write', address: 0x10200n, length: 4, condition: 'value > 3' });
    await kept.set({ ...spec, type: 'out', address: 0x3c8n });
    await kept.set({ ...spec, type: 'access', address: 0x10300n });
    await book.set(0x10200n, { name: 'lives', comment: 'of the player' });
    const file = join(directory, `${program.hash}.names`);
    await writeFile(file, `!{"at":"+0","type":"nothing"}\n!{\n${await readFile(file, 'utf8')}`);
    const again = open();
    await again.kept.set({ ...spec, keep: false, type: 'exec', address: 0n });
    await again.book.open({ ...program, first: 0x20000n, last: 0x20fffn });
    await vi.waitUntil(() => again.told.length > 0);
    expect(await again.kept.list()).toMatchObject([
      { id: 1, type: 'exec' },
      { type: 'write', address: 0x20200n, length: 4, condition: 'value > 3', keep: true },
      { type: 'out', address: 0x3c8n, keep: true },
      { type: 'access', address: 0x20300n, keep: true },
    ]);
    expect(again.told).toEqual(['3 breakpoints kept with GAME.COM set again; 2 could not be set: it cannot be read']);
    // Another program has none of them; they come back with their own.
    await again.book.open(namedProgram('OTHER.COM', Uint8Array.of(4), 0x20000, 0x20fff));
    await vi.waitUntil(async () => (await again.kept.list()).length === 1);
    await again.book.open(program);
    expect((await again.kept.list()).map(({ address }) => address)).toEqual([0n, 0x10200n, 0x3c8n, 0x10300n]);
    expect(again.book.program).toBe(program);
    expect(await again.book.list()).toMatchObject([{ address: 0x10200n, name: 'lives' }]);
  } finally {
    await rm(directory, { recursive: true });
  }
});
