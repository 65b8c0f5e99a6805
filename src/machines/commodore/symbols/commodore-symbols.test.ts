import { describe, expect, test } from 'vitest';
import { readSymbols } from '../../../formats/commodore/symbols/read-symbols.ts';
import { CommodoreSymbols } from './commodore-symbols.ts';

/** ROM from $A000 to $BFFF, unless it is switched off. */
function symbols(): { table: CommodoreSymbols; switchRom(on: boolean): void } {
  let isOn = true;
  const table = new CommodoreSymbols((address) => isOn && address >= 0xa000 && address < 0xc000);
  table.addRom({ PRINT: 0xaaa0, last: 0xbff8 });
  return {
    table,
    switchRom: (on) => {
      isOn = on;
    },
  };
}

test('names of ROM end where it ends, and are gone while it is switched off', () => {
  const { table, switchRom } = symbols();
  expect(table.describe(0xaaa2n)).toBe('PRINT+2');
  expect(table.describe(0xbfffn)).toBe('last+7');
  expect(table.describe(0xc000n)).toBeUndefined();
  switchRom(false);
  expect(table.describe(0xaaa0n)).toBeUndefined();
  expect([table.address('PRINT'), table.address('print')]).toEqual([0xaaa0n, 0xaaa0n]);
});

test('names of programs end where ROM begins; of exactly one address they win', () => {
  const { table } = symbols();
  table.load('a.lbl', [{ name: 'end', address: 0x9ff0 }], []);
  expect(table.describe(0x9fffn)).toBe('end+15');
  expect(table.describe(0xa001n)).toBeUndefined();
  table.load('b.lbl', [{ name: 'mine', address: 0xaaa0 }], []);
  expect([table.describe(0xaaa0n), table.describe(0xaaa1n)]).toEqual(['mine', 'PRINT+1']);
});

test('of several names places win over numbers', () => {
  const { table } = symbols();
  const both = [
    { name: 'start', address: 0x1000 },
    { name: 'size', address: 0x1000, isConstant: true },
  ];
  table.load('a.asm', both, []);
  expect(table.describe(0x1000n)).toBe('start');
});

test('a source is replaced as a whole, unloaded, and known by its name', () => {
  const { table } = symbols();
  table.load(
    'a.lbl',
    [
      { name: 'one', address: 1 },
      { name: 'two', address: 2 },
    ],
    [],
  );
  table.load('a.lbl', [{ name: 'two', address: 3 }], []);
  expect(table.address('one')).toBeUndefined();
  expect(table.sources).toEqual([{ name: 'a.lbl', symbols: 1 }]);
  expect(table.unload('a.lbl')).toBe(1);
  expect(table.unload('a.lbl')).toBeUndefined();
  expect(table.address('two')).toBeUndefined();
});

test('what another program overwrites is dropped: places in the range, and numbers of its source', () => {
  const { table } = symbols();
  const names = [
    { name: 'start', address: 0x1000 },
    { name: 'tail', address: 0x1080 },
    { name: 'count', address: 10, isConstant: true },
  ];
  const lines = [
    { address: 0x1000, length: 2, file: 'a.asm', line: 1 },
    { address: 0x1080, length: 2, file: 'a.asm', line: 9 },
  ];
  table.load('a.asm', names, lines);
  table.load('b.asm', [{ name: 'limit', address: 11, isConstant: true }], []);
  expect(table.drop(0x0f00, 0x1010)).toBe(2);
  expect(['start', 'count', 'tail', 'limit'].map((name) => table.address(name))).toEqual([
    undefined,
    undefined,
    0x1080n,
    11n,
  ]);
  expect(table.lineAddress('a.asm:1')).toBe(0x1080n);
});

// As ld65 2.19 writes it for a loop in C.
const debug = [
  'version\tmajor=2,minor=0',
  'file\tid=0,name="sieve.s",size=3433,mtime=0x6AF9F89C,mod=0',
  'file\tid=2,name="src/sieve.c",size=485,mtime=0x6AF9F89C,mod=0',
  'line\tid=1,file=0,line=77,span=1',
  'line\tid=22,file=2,line=20,type=1,span=0+2',
  'line\tid=42,file=2,line=23,type=1,span=1',
  'line\tid=43,file=2,line=30,type=1',
  'seg\tid=0,name="CODE",start=0x000840,size=0x10,addrsize=absolute,type=ro',
  'span\tid=0,seg=0,start=8,size=4',
  'span\tid=1,seg=0,start=12,size=4',
  'span\tid=2,seg=0,start=0,size=4',
  'scope\tid=0,name="",mod=0,size=5,span=0',
  'scope\tid=1,name="_main",mod=0,type=scope,size=16,parent=0,sym=0,span=0',
  'sym\tid=1,name="L0002",addrsize=absolute,scope=1,def=1,val=0x848,seg=0,type=lab',
  'sym\tid=2,name="__C64__",addrsize=zeropage,scope=0,def=1,val=0x1,type=equ',
  'sym\tid=0,name="_main",addrsize=absolute,scope=0,def=1,val=0x840,seg=0,type=lab',
  'csym\tid=0,name="main",scope=1,type=0,sc=ext,sym=0',
].join('\n');

test('lines of C are addresses, the next line with code stands for one without, and names show them', () => {
  const { table } = symbols();
  const file = readSymbols(debug);
  table.load('sieve.dbg', file?.symbols ?? [], file?.lines ?? []);
  expect(['sieve.c:20', 'src/sieve.c:21', 'sieve.s:77'].map((line) => table.lineAddress(line))).toEqual([
    0x840n,
    0x84cn,
    0x84cn,
  ]);
  expect(table.lineAddress('other.c:20')).toBeUndefined();
  expect(() => table.knownLineAddress('other.c:20')).toThrow('No lines of other.c are known.');
  expect(table.knownLineAddress('nowhere')).toBeUndefined();
  // The debug file need not know all folders.
  expect(table.knownLineAddress('/home/me/game/src/sieve.c:20')).toBe(0x840n);
  expect(() => table.knownLineAddress('/home/me/game/other/sieve.c:20')).toThrow(/^No lines of/);
  expect(table.lineAddress('1000')).toBeUndefined();
  expect(() => table.lineAddress('sieve.c:30')).toThrow(/no code at line 30/);
  expect([table.describe(0x84cn), table.describe(0x840n, 0n)]).toEqual(['main+12 (sieve.c:23)', 'main']);
  expect([table.address('main'), table.address('_main')]).toEqual([0x840n, 0x840n]);
  expect(file?.symbols.map(({ name, isConstant }) => [name, isConstant ?? false])).toEqual([
    ['__C64__', true],
    ['_main', false],
    ['main', false],
  ]);
});

test('labels of C that a list tells nothing else of are known without their underscore, and keep it', () => {
  const { table } = symbols();
  table.add([
    ['_main', 0x840n],
    ['_chrout', 0x900n],
    ['chrout', 0x910n],
  ]);
  expect(['main', '_main', 'chrout', '_chrout'].map((name) => table.address(name))).toEqual([
    0x840n,
    0x840n,
    0x910n,
    0x900n,
  ]);
  expect(table.describe(0x840n)).toBe('_main');
});

test('a name reaches as far as the lines of its program do', () => {
  const { table } = symbols();
  const lines = [{ address: 0x1000, length: 8, file: 'a.c', line: 1 }];
  table.load(
    'a.dbg',
    [
      { name: 'draw', address: 0x1000 },
      { name: 'buffer', address: 0x1100 },
    ],
    lines,
  );
  const described = [0x1007n, 0x1008n, 0x1104n].map((address) => table.describe(address));
  expect(described).toEqual(['draw+7 (a.c:1)', undefined, 'buffer+4']);
});

test('a small number with a name names no memory far after it', () => {
  const { table } = symbols();
  const constants = [
    { name: 'five', address: 5, isConstant: true },
    { name: 'pointer', address: 0xfb, isConstant: true },
    { name: 'screen', address: 0x400, isConstant: true },
  ];
  table.load('x', constants, []);
  expect([5n, 0x20n, 0xfcn, 0xfdn, 0x428n].map((address) => table.describe(address))).toEqual([
    'five',
    undefined,
    'pointer+1',
    undefined,
    'screen+40',
  ]);
});

test('two files of one name have to be told apart', () => {
  const { table } = symbols();
  const line = { length: 1, line: 1 };
  table.load(
    'x',
    [],
    [
      { ...line, address: 1, file: 'a/main.s' },
      { ...line, address: 2, file: 'b/main.s' },
    ],
  );
  expect(() => table.lineAddress('main.s:1')).toThrow(/2 files are called main.s/);
  expect(table.lineAddress('b/main.s:1')).toBe(2n);
});

describe('one file of two programs', () => {
  const lineOf = (line: number, address: number, file = 'main.s') => ({ address, length: 2, file, line });

  test('has to be told apart, by the folder of its debug file', () => {
    const { table } = symbols();
    table.load('/games/a/out/a.dbg', [], [lineOf(2, 0xc000), lineOf(9, 0xc002)]);
    table.load('/games/b/b.dbg', [], [lineOf(2, 0x1000), lineOf(9, 0xc002), lineOf(30, 0x1010)]);
    const refusal = expect.objectContaining({
      message: 'main.s is a file of 2 programs: /games/a/out/a.dbg, /games/b/b.dbg.',
      fix: 'Write one of: /games/a/out/main.s, /games/b/main.s.',
    });
    for (const line of [2, 30]) expect(() => table.lineAddress(`main.s:${line}`)).toThrow(refusal);
    // Both go on to line 9, at one address: there is nothing to tell apart.
    expect(table.lineAddress('main.s:3')).toBe(0xc002n);
    expect(table.lineAddress('/games/a/out/main.s:2')).toBe(0xc000n);
    expect(table.lineAddress('/games/a/main.s:2')).toBe(0xc000n);
    expect(table.lineAddress('/games/b/main.s:30')).toBe(0x1010n);
    expect(() => table.lineAddress('/games/a/main.s:30')).toThrow('main.s has no code at line 30 or after it.');
    table.unload('/games/b/b.dbg');
    expect(table.lineAddress('main.s:2')).toBe(0xc000n);
  });

  test('is one where a debug file and a listing of the same program tell of it', () => {
    const { table } = symbols();
    table.load('a.lst', [], [lineOf(2, 0xc000), lineOf(9, 0xc002)]);
    table.load('a.dbg', [], [lineOf(2, 0xc000), lineOf(4, 0xc001), lineOf(9, 0xc002), lineOf(12, 0xc004)]);
    expect([2, 3, 4, 9, 12].map((line) => table.lineAddress(`main.s:${line}`))).toEqual([
      0xc000n,
      0xc001n,
      0xc001n,
      0xc002n,
      0xc004n,
    ]);
  });

  test('a name with folders is of the program whose file ends so', () => {
    const { table } = symbols();
    table.load('one.dbg', [], [lineOf(2, 0xc000)]);
    table.load('two.dbg', [], [lineOf(2, 0x1000, '/games/two/main.s')]);
    expect(table.lineAddress('two/main.s:2')).toBe(0x1000n);
    expect(table.lineAddress('main.s:2')).toBe(0xc000n);
  });
});
