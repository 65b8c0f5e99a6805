import { expect, test } from 'vitest';
import { assemble } from '../assembler/assemble.ts';
import { readSymbols } from './read-symbols.ts';
import { scanAnnotations } from './scan-annotations.ts';
import { writeSymbolJson } from './symbol-json.ts';

const named = (text: string) => {
  const file = readSymbols(text);
  return { format: file?.format, names: file?.symbols.map(({ name, address }) => [name, address]) };
};

test('VICE label files', () => {
  expect(named('al C:c000 .start\nal c010 .start.loop\nadd_label $d020 .border\nbreak c000\n')).toEqual({
    format: 'vice',
    names: [
      ['start', 0xc000],
      ['start.loop', 0xc010],
      ['border', 0xd020],
    ],
  });
});

test('ACME and 64tass lists', () => {
  expect(named('\tstart\t= $c000\n\tlimit\t= 100\t; unused\nloop = $c010 ; ?\n')).toEqual({
    format: 'acme',
    names: [
      ['start', 0xc000],
      ['limit', 100],
      ['loop', 0xc010],
    ],
  });
});

test('an ACME report: labels on lines of their own are those of the next bytes, if nothing moves between', () => {
  const report = `
; ******** Source: q.a
     2                          * = $c000
     3                          !macro foo {
     4                          inner
     5                           lda #1
     6                          }
     8                          val = 5
     9                          begin
    10                          ; comment
    11                          
    12  c000 a205                ldx #val
    14                          !if 0 {
    15                          hidden
    16                           nop
    17                          }
    18                          second:
    19                          !zone third
    20                          third ; the third
    21                          .loc
    22  c002 00000000000000...  !fill 100
    23                          after
    24  c066 d0fe               last bne last
    25                          moved
    26                          * = $c100
    27  c100 00000000            !fill 4
`;
  expect(named(report)).toEqual({
    format: 'acme',
    names: [
      ['begin', 0xc000],
      ['second', 0xc002],
      ['third', 0xc002],
      ['after', 0xc066],
      ['last', 0xc066],
    ],
  });
  expect(readSymbols(report)?.listed?.find(({ line }) => line === 22)?.length).toBe(100);
});

test('64tass: labels for VICE with scopes, and dumped labels with their lines', () => {
  expect(named('al c000 .start\nal c009 .inner\nal c009 .inner:x1\n').names).toEqual([
    ['start', 0xc000],
    ['inner', 0xc009],
    ['inner.x1', 0xc009],
  ]);
  const dump = [
    'a.tass:2:1: count = 10',
    'a.tass:4:1: start = $c000',
    'a.tass:10:1: inner.x1 = $c009',
    'a.tass:13:1: name = "text"',
    'a.tass:14:1: flag = true',
  ].join('\n');
  expect(readSymbols(dump)).toMatchObject({
    format: '64tass',
    symbols: [
      { name: 'count', address: 10, file: 'a.tass', line: 2 },
      { name: 'start', address: 0xc000, file: 'a.tass', line: 4 },
      { name: 'inner.x1', address: 0xc009, file: 'a.tass', line: 10 },
    ],
  });
});

test('xa: labels, those of blocks with their number', () => {
  const list = 'border, 0xd020, 0, 0x0000\nstart, 0xc000, 0, 0x0000\nagain, 0xc006, 1, 0x0000\n';
  expect(named(list)).toEqual({
    format: 'xa',
    names: [
      ['border', 0xd020],
      ['start', 0xc000],
      ['again@1', 0xc006],
    ],
  });
});

test('KickAssembler symbols', () => {
  expect(
    named('.label start=$c000\n.namespace draw {\n  .label loop=$c010\n}\n.label end=$c020 {\n.label x=$c021\n}\n'),
  ).toEqual({
    format: 'kickassembler',
    names: [
      ['start', 0xc000],
      ['draw.loop', 0xc010],
      ['end', 0xc020],
      ['end.x', 0xc021],
    ],
  });
});

test('ca65 debug files: labels with scopes, and lines', () => {
  const text = [
    'version\tmajor=2,minor=0',
    'file\tid=0,name="main.s",size=10,mtime=0x0,mod=0',
    'line\tid=0,file=0,line=3,span=0',
    'line\tid=1,file=0,line=4,span=1+0',
    'line\tid=2,file=0,line=5',
    'seg\tid=0,name="CODE",start=0x00080D,size=0x10,addrsize=absolute,type=ro',
    'span\tid=0,seg=0,start=0,size=2',
    'span\tid=1,seg=0,start=2,size=3',
    'scope\tid=0,name="",mod=0,size=5,span=0',
    'scope\tid=1,name="draw",mod=0,type=scope,size=5,parent=0,span=0',
    'sym\tid=0,name="main",addrsize=absolute,scope=0,def=0,val=0x80D,seg=0,type=lab',
    'sym\tid=1,name="loop",addrsize=absolute,scope=1,def=1,val=0x80F,seg=0,type=lab',
    'sym\tid=2,name="@x",addrsize=absolute,parent=0,def=1,val=0x80F,seg=0,type=lab',
    'sym\tid=3,name="elsewhere",addrsize=absolute,scope=0,ref=1,type=imp',
  ].join('\n');
  const file = readSymbols(text);
  expect(file?.format).toBe('ca65');
  expect(file?.symbols).toEqual([
    { name: 'main', address: 0x80d, file: 'main.s', line: 3 },
    { name: 'draw.loop', address: 0x80f, file: 'main.s', line: 4 },
    { name: 'main@x', address: 0x80f, file: 'main.s', line: 4 },
  ]);
  expect(file?.lines).toEqual([
    { address: 0x80d, length: 2, file: 'main.s', line: 3 },
    { address: 0x80d, length: 2, file: 'main.s', line: 4 },
    { address: 0x80f, length: 3, file: 'main.s', line: 4 },
  ]);
});

test('a hostile debug file has no more variables than a machine has bytes, and is read in time', () => {
  const count = 70_000;
  const rows = ['version\tmajor=2,minor=0', 'seg\tid=0,name="CODE",start=0x0800,size=2,addrsize=absolute,type=ro'];
  rows.push('span\tid=0,seg=0,start=0,size=1', 'scope\tid=1,name="f",mod=0,type=scope,size=5,sym=0');
  rows.push(`line\tid=0,file=0,line=3,span=${'0+'.repeat(20_000)}0`);
  rows.push('sym\tid=0,name="_f",addrsize=absolute,val=0x800,seg=0,type=lab');
  rows.push(`sym\tid=1,name="far",addrsize=absolute,ref=${'0+'.repeat(20_000)}0,type=imp`);
  for (let id = 0; id < count; id++) rows.push(`csym\tid=${id},name="g${id}",scope=0,sc=ext,sym=0`);
  for (let id = 0; id < 2000; id++) rows.push(`csym\tid=${count + id},name="l${id}",scope=1,sc=auto,offs=-${id}`);
  const scopes = readSymbols(rows.join('\n'))?.scopes ?? [];
  expect(scopes.map(({ name, variables }) => [name, variables.length])).toEqual([
    ['f', 1000],
    ['', 0x10000],
  ]);
  expect(scopes[0]?.uses).toEqual([{ name: 'far', at: Array.from({ length: 1000 }, () => 0x800) }]);
});

const source = [
  '; @mcp-multiplex: 32 sprites',
  '; @mcp-timing-critical: within 63 lines',
  'multiplex:',
  '    lda #0',
  '    jmp $ea31 ; @mcp-irq-exit: standard exit',
].join('\n');

test('our own JSON keeps what the assembler knows', () => {
  const assembly = assemble(source, { fileName: 'a.asm' });
  const file = readSymbols(writeSymbolJson(assembly));
  expect(file?.format).toBe('json');
  expect(file?.symbols).toEqual([{ name: 'multiplex', address: 0xc000, file: 'a.asm', line: 3 }]);
  expect(file?.lines).toEqual(assembly.lines);
  expect(file?.annotations).toEqual(assembly.annotations);
  expect(() =>
    readSymbols('{"format":"frontpanel-symbols","symbols":[{"name":1}],"lines":[],"annotations":[]}'),
  ).toThrow(SyntaxError);
});

test('annotations of a source, with addresses from symbols and lines', () => {
  const { lines } = assemble(source, { fileName: 'a.asm' });
  const wanted = [
    { type: 'multiplex', description: '32 sprites', file: 'a.asm', line: 1, label: 'multiplex', address: 0xc000 },
    {
      type: 'timing-critical',
      description: 'within 63 lines',
      file: 'a.asm',
      line: 2,
      label: 'multiplex',
      address: 0xc000,
    },
    { type: 'irq-exit', description: 'standard exit', file: 'a.asm', line: 5, label: 'multiplex', address: 0xc002 },
  ];
  expect(scanAnnotations(source, 'a.asm', { symbols: [{ name: 'multiplex', address: 0xc000 }], lines })).toEqual(
    wanted,
  );
  expect(scanAnnotations(source, 'a.asm')).toEqual(wanted.map(({ address: _, ...rest }) => rest));
});

test('a text without symbols is none', () => expect(readSymbols('hello world')).toBeUndefined());
