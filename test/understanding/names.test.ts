import { afterEach, beforeEach, expect, test } from 'vitest';
import { NameBook } from '../../src/machines/shared/name-book.ts';
import { PlainSymbols } from '../../src/machines/shared/plain-symbols.ts';
import { Desk } from './desk.ts';
import { NameShelf, shelf } from './program-toy.ts';

const program = { name: 'GAME.EXE', hash: 'ab'.repeat(32), first: 0x1000n, last: 0x1fffn };
let desk: Desk;
beforeEach(async () => {
  shelf.books.clear();
  shelf.saves = 0;
  desk = await Desk.open();
  desk.toy.chain(3);
});
afterEach(() => desk.toolbox.rack.close());

test('a name works wherever an address is taken, and is gone when it is removed', async () => {
  expect(await desk.call('names_write', { address: '0x1010', name: 'read_map', comment: 'loads  a level' })).toBe(
    '0101:0000 read_map ; loads  a level; no program is loaded, so they are kept only while this machine lives',
  );
  expect(await desk.call('graph_read', { address: 'read_map', depth: 0 })).toContain('#1 0101:0000 read_map');
  await desk.call('names_write', { address: 'read_map', name: 'read_level' });
  expect(await desk.call('graph_read', { address: 'read_map' })).toContain('neither an address nor a known symbol');
  expect(await desk.call('names_write', {})).toContain('names 1-1 of 1; no program');
  expect(await desk.call('names_write', { address: 'read_level', remove: true })).toContain('removed: 0101:0000');
  expect(await desk.call('names_write', {})).toContain('no names');
  expect(await desk.call('names_write', { address: '0x1010', remove: true })).toMatch(
    /^ERROR This address has no name/,
  );
});

test('names are kept with the program and move with it', async () => {
  await desk.toy.names.open(program);
  await desk.call('names_write', { address: '0x1010', name: 'main' });
  await desk.call('names_write', { address: '0xf000', name: 'bios', comment: 'not in the program' });
  const other = new NameBook(new PlainSymbols(), shelf);
  expect(await other.open({ ...program, first: 0x5000n, last: 0x5fffn })).toBe(2);
  expect(await other.list()).toEqual([
    { address: 0x5010n, name: 'main', comment: undefined },
    { address: 0xf000n, name: 'bios', comment: 'not in the program' },
  ]);
  expect(await other.open({ ...program, hash: 'cd' })).toBe(0);
  expect(await other.list()).toEqual([]);
});

test.for(['', 'two words', '1abc', '$c000', 'a\nb', 'a"b', '../../etc/passwd', 'x'.repeat(81), 'a;b', '\u202ename'])(
  'refuses %j as a name',
  async (name) => {
    expect(await desk.call('names_write', { address: '0x1010', name })).toMatch(/^ERROR .* cannot be a name/);
    expect(await desk.toy.names.list()).toEqual([]);
  },
);

test('names that mean something to JavaScript are only names', async () => {
  for (const [index, name] of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].entries()) {
    await desk.call('names_write', { address: `${0x1000 + index}`, name });
    expect(desk.toy.table.address(name)).toBe(BigInt(0x1000 + index));
  }
});

test('one name has one address', async () => {
  await desk.call('names_write', { address: '0x1010', name: 'main' });
  expect(await desk.call('names_write', { address: '0x1020', name: 'main' })).toMatch(
    /^ERROR main is the name of another/,
  );
});

test('comments are one line without controls, in every file', async () => {
  await desk.toy.names.open(program);
  await desk.call('names_write', { address: '0x1010', name: 'main', comment: 'a\n=0 evil\u001b[2J\u2028end' });
  expect(shelf.books.get(program.hash)).toBe('+10 main a =0 evil [2J end\n');
});

test('a book that somebody broke gives what can still be read', async () => {
  const broken = new NameShelf();
  broken.books.set('ab', '+10 good\nrubbish\n+zz bad\n=20 $bad\n=30 - only a comment\n\u0000\n');
  const names = new NameBook(new PlainSymbols(), broken);
  expect(await names.open({ ...program, hash: 'ab' })).toBe(2);
});

test('symbols make the round trip to Ghidra and back', async () => {
  desk.toy.functionList.push({
    address: 0x1010n,
    where: '0101:0000',
    calls: 1,
    callers: [],
    callees: [],
    returns: { aligned: 0, misaligned: 0 },
  });
  await desk.call('names_write', { address: '0x1010', name: 'main', comment: 'entry; of all' });
  await desk.call('names_write', { address: '0x8000', name: 'lives' });
  await desk.call('names_write', { address: '0x8001', comment: 'no name' });
  await desk.call('names_export', { path: desk.path('game.symbols') });
  expect(desk.file('game.symbols').toString()).toBe('main 0x1010 f ; entry; of all\nlives 0x8000 l\n');

  const second = await Desk.open();
  await second.toy.names.open(program);
  expect(await second.call('names_import', { path: desk.path('game.symbols') })).toBe('2 names imported');
  expect(await second.toy.names.list()).toMatchObject([
    { address: 0x1010n, name: 'main', comment: 'entry; of all' },
    { address: 0x8000n, name: 'lives' },
  ]);
  expect(shelf.saves).toBe(1);
  await second.toolbox.rack.close();
});

test('an import says which lines it refused', async () => {
  const text = '# comment\n\ngood 0x10\nbad-name 0x20 f\nlonely\nplace nowhere\nseg 0100:0004 l\n';
  expect(await desk.call('names_import', { text })).toBe(
    [
      '2 names imported, 3 lines refused:',
      'line 5: Not a name and an address.',
      'line 6: "nowhere" is neither an address nor a known symbol.',
      'line 4: "bad-name" cannot be a name.',
    ].join('\n'),
  );
  expect(desk.toy.table.address('seg')).toBe(0x1004n);
  expect(await desk.call('names_import', {})).toContain('exactly one of path and text');
});

test('a listing tells code from data, with labels and comments', async () => {
  await desk.call('names_write', { address: '0x1020', name: 'last', comment: 'the end' });
  await desk.call('names_write', { address: '0x1035', name: 'table' });
  const text = await desk.call('names_export', { as: 'listing', address: '0x1018', length: 48 });
  expect(text).toContain('0101:0008  18191A1B         op 1.8\n');
  expect(text).toContain('last:\n0102:0000  20212223         op 2.0  ; the end\n');
  expect(text).toMatch(/0103:0000 +db 30h, 31h, 32h, 33h, 34h\ntable:\n0103:0005 +db 35h, .*44h\n/);
});

test('memory is dumped byte for byte, DOT whole', async () => {
  expect(await desk.call('names_export', { as: 'memory' })).toContain('A dump needs a file');
  expect(await desk.call('names_export', { as: 'memory', path: desk.path('x') })).toContain('No program is loaded');
  await desk.call('names_export', { as: 'memory', path: desk.path('dump'), address: '0', length: 0x10000 });
  expect(Buffer.compare(desk.file('dump'), desk.toy.ram)).toBe(0);
  await desk.toy.names.open(program);
  await desk.call('names_export', { as: 'memory', path: desk.path('program') });
  expect(desk.file('program')).toHaveLength(0x1000);
  expect(await desk.call('names_export', { as: 'dot', path: desk.path('graph.dot') })).toContain(
    `8 lines in ${desk.path('graph.dot')}`,
  );
  expect(
    await desk.call('names_export', { as: 'memory', path: desk.path('y'), address: '0xfff0', length: 17 }),
  ).toMatch(/^ERROR/);
});
