import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outcomeText } from '../../src/api/outcome-text.ts';
import { buildElf, buildLines } from '../../src/formats/elf/elf-testing.ts';
import { AllowedFiles } from '../../src/host/files/allowed-files.ts';
import { Desk } from './desk.ts';

let desk: Desk;
const folder = mkdtempSync(join(tmpdir(), 'fp-lines-'));
beforeEach(async () => {
  desk = await Desk.withC64({ boot: false });
});
afterEach(() => desk.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
};

/** Runs an assembler in the folder. */
function build(program: string, ...args: string[]): void {
  spawnIn('.', program, ...args);
}

const address = async (text: string) => (await desk.data('memory_read', { address: text, length: 1 })).address;
const load = (name: string) => desk.call('symbols_load', { path: join(folder, name) });
const stateAt = async (text: string) => {
  await desk.call('registers_write', { values: { PC: text } });
  return outcomeText(await desk.outcome('disassemble', { count: 1 })).split('\n')[0] ?? '';
};

describe('cc65', () => {
  /** With the line of BASIC that starts it. */
  const link = (option: string, program: string, source: string) =>
    build('cl65', '-t', 'c64', '-C', 'c64-asm.cfg', '-u', '__EXEHDR__', '-g', '-Wl', option, '-o', program, source);

  test('assembler: labels, scopes, lines with their text, annotations of the source', async () => {
    const source = [
      '.segment "CODE"',
      '.export start',
      '; @mcp-function: the beginning',
      'start:  lda #1',
      '        sta $d020',
      '; @mcp-timing-critical: eight cycles',
      '.proc draw',
      'loop:   inc $d021 ; @mcp-state: border',
      '        jmp loop',
      '.endproc',
    ].join('\n');
    file('game/src/main.s', source);
    mkdirSync(join(folder, 'game/out'), { recursive: true });
    link('--dbgfile,game/out/game.dbg', 'game/out/game.prg', 'game/src/main.s');
    const answer = await load('game/out/game.dbg');
    expect(answer).toMatch(/\(ca65\);.*\nlines of game\/src\/main.s; main.s:4 is an address\n3 annotations/s);
    const start = Number(await address('start'));
    expect(await address('main.s:5')).toBe(start + 2);
    expect(await address('draw.loop')).toBe(start + 5);
    expect((await desk.data('annotations_read')).annotations).toMatchObject([
      { type: 'function', label: 'start', address: start, line: 3 },
      { type: 'timing-critical', label: 'draw', address: start + 5, line: 6 },
      { type: 'state', label: 'draw.loop', address: start + 5, line: 8 },
    ]);
    await desk.call('program_run', { path: join(folder, 'game/out/game.prg'), start: false });
    expect(await stateAt('main.s:9')).toMatch(/ draw\+3 \(main\.s:9: jmp loop\) /);
  });

  test('C: lines of C win over those of the compiler', async () => {
    file(
      'c/sum.c',
      'int total;\n// @mcp-function: adds one\nvoid add(void)\n{\n  total = total + 1;\n}\nint main(void)\n{\n  add();\n  return 0;\n}\n',
    );
    build('cl65', '-t', 'c64', '-g', '-Wl', '--dbgfile,c/sum.dbg', '-o', 'c/sum.prg', 'c/sum.c');
    expect(await load('c/sum.dbg')).toMatch(/\(ca65\)/);
    const add = Number(await address('_add'));
    expect(await address('sum.c:5')).toBe(add);
    expect(await address('add')).toBe(add);
    expect(await stateAt('sum.c:5')).toMatch(/ add \(sum\.c:5: total = total \+ 1;\)/);
    await desk.call('program_run', { path: join(folder, 'c/sum.prg'), start: false });
    expect(await desk.call('breakpoint_set', { address: 'main' })).toMatch(/ main \(sum.c:/);
    expect(await desk.call('breakpoint_set', { address: 'total', type: 'write' })).toMatch(/ total/);
    expect((await desk.data('annotations_read')).annotations).toMatchObject([{ label: 'add', address: add }]);
  });

  test('C: the variables of the function it stands in, and a hint at the names beside a program', async () => {
    file(
      'c/count.c',
      'unsigned sum;\nvoid twice(unsigned char n)\n{\n  unsigned char k = n + n;\n  sum += k;\n}\nint main(void)\n{\n  twice(21);\n  return 0;\n}\n',
    );
    build(
      'cl65',
      '-t',
      'c64',
      '-g',
      '-Wl',
      '--dbgfile,c/count.dbg',
      '-Ln',
      'c/count.lbl',
      '-o',
      'c/count.prg',
      'c/count.c',
    );
    const path = join(folder, 'c/count.prg');
    expect(await desk.call('program_run', { path, start: false })).toContain(
      `lie beside it and are not loaded: ${join(folder, 'c/count.dbg')}, ${join(folder, 'c/count.lbl')}`,
    );
    await load('c/count.dbg');
    await desk.call('breakpoint_set', { address: 'count.c:5', temporary: true });
    expect(await desk.call('program_run', { path, until: 'count.c:5' })).not.toContain('beside it');
    expect(await desk.call('state_read')).toContain("count.c:5  sum += k;\nn = 21, k = 42 '*'\n");
    expect((await desk.data('state_read')).variables).toContainEqual(
      expect.objectContaining({ name: 'n', text: '21', type: '1 byte' }),
    );
    expect(await desk.call('state_read', { instructions: 0 })).not.toContain('n = 21');
  });

  test('C: of a function with many variables the first are shown, and how many more there are', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => n);
    const debug = [
      'version\tmajor=2,minor=0',
      'seg\tid=0,name="CODE",start=0x00c000,size=0x40,addrsize=absolute,type=ro',
      'span\tid=0,seg=0,start=0,size=8',
      'scope\tid=0,name="",mod=0,size=8,span=0',
      'scope\tid=1,name="_main",mod=0,type=scope,size=8,parent=0,sym=100,span=0',
      'sym\tid=100,name="_main",addrsize=absolute,size=8,scope=0,def=1,val=0xC000,seg=0,type=lab',
      'csym\tid=100,name="main",scope=1,type=0,sc=ext,sym=100',
      ...ids.flatMap((n) => [
        `sym\tid=${n},name="L${n}",addrsize=absolute,size=1,scope=1,def=1,val=0x${(0xc100 + n).toString(16)},seg=0,type=lab`,
        `csym\tid=${n},name="v${n}",scope=1,type=0,sc=static,sym=${n}`,
      ]),
    ];
    file('c/many.dbg', debug.join('\n'));
    await load('c/many.dbg');
    await desk.call('memory_write', {
      address: '$c100',
      bytes: ids.map((n) => (n + 1).toString(16).padStart(2, '0')).join(''),
    });
    await desk.call('registers_write', { values: { PC: '$c000' } });
    expect(await desk.call('state_read')).toMatch(/^v0 = 1, v1 = 2, .*, v15 = 16, and 4 more$/m);
    const { variables, variables_left_out } = await desk.data('state_read');
    expect([(variables as unknown[]).length, variables_left_out]).toEqual([16, 4]);
  });

  test('labels for VICE', async () => {
    file('v/one.s', '.segment "CODE"\n.export one\none: rts\n');
    link('-Ln,v/one.lbl', 'v/one.prg', 'v/one.s');
    expect(await load('v/one.lbl')).toMatch(/\(vice\)/);
    expect(await address('one')).toBe(0x80d);
  });
});

describe('ACME', () => {
  const source =
    '* = $c000\nborder = $d020\n; @mcp-function: begin\nstart   lda #1\n        sta border\n!zone draw {\n.loop   inc $d021\n        jmp .loop\n}\n!src "more.a"\n';
  const more = 'other nop\n !byte 1,2,3,4,5,6,7,8,9,10,11,12\nlast rts\n';

  test('its report has lines of all files, its lists have the names', async () => {
    file('acme/main.a', source);
    file('acme/more.a', more);
    spawnIn('acme', 'acme', '-f', 'cbm', '-o', 'a.prg', '-r', 'a.rep', '-l', 'a.lbl', '--vicelabels', 'a.vs', 'main.a');
    expect(await load('acme/a.rep')).toMatch(/\(acme\);.*lines of main.a, more.a/s);
    expect([await address('main.a:8'), await address('more.a:2'), await address('more.a:3')]).toEqual([
      0xc008, 0xc00c, 0xc018,
    ]);
    expect(await stateAt('$c014')).toMatch(/\(more\.a:2: !byte 1,2,3/);
    expect(await load('acme/a.lbl')).toMatch(/^4 symbols .*\(acme\)/);
    expect(await load('acme/a.vs')).toMatch(/^4 symbols .*\(vice\)/);
    expect(await address('last')).toBe(0xc018);
    expect((await desk.data('annotations_read', { address: 'start' })).annotations).toMatchObject([{ line: 3 }]);
  });
});

describe('64tass', () => {
  const source =
    '* = $c000\nborder = $d020\n; @mcp-function: begin\nstart   lda #1\n        sta border\ndraw    .proc\nloop    inc $d021\n        jmp loop\n        .pend\n        .include "more.tass"\n        jsr draw\n';
  const more = 'other nop\n .byte 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18\nlast rts\n';

  test('its listing has no numbers for the first file: the source tells them', async () => {
    file('tass/main.tass', source);
    file('tass/more.tass', more);
    spawnIn('tass', '64tass', '-q', '-o', 't.prg', '-L', 't.lst', '--vice-labels', '-l', 't.vs', 'main.tass');
    spawnIn(
      'tass',
      '64tass',
      '-q',
      '-o',
      't.prg',
      '-L',
      'n.lst',
      '--line-numbers',
      '--dump-labels',
      '-l',
      't.dump',
      'main.tass',
    );
    expect(await load('tass/t.lst')).toMatch(/\(64tass\);.*lines of main.tass, more.tass/s);
    const lines = ['main.tass:5', 'main.tass:8', 'main.tass:11', 'more.tass:2', 'more.tass:3'];
    const expected = [0xc002, 0xc008, 0xc01f, 0xc00c, 0xc01e];
    expect(await Promise.all(lines.map(address))).toEqual(expected);
    expect((await desk.data('annotations_read')).annotations).toMatchObject([{ label: 'start', address: 0xc000 }]);
    expect(await load('tass/n.lst')).toMatch(/\(64tass\)/);
    expect(await load('tass/t.vs')).toMatch(/^5 symbols .*\(vice\)/);
    expect(await address('draw.loop')).toBe(0xc005);
    expect(await load('tass/t.dump')).toMatch(/\(64tass\)/);
  });

  test.each([['-a'], ['--no-monitor'], ['--line-numbers'], ['--tab-size=4']])(
    'with tabs between labels and instructions (%s)',
    async (...options) => {
      const lines = ['* = $c000', 'start\tsei', 'loop\tinc\t$d020\t; more', '\tjsr sub', '\tjmp loop', 'sub\trts'];
      file('tabs/main.tass', `${lines.join('\n')}\ntable\t.byte ${'1,'.repeat(40)}2\n inner: nop\n`);
      spawnIn('tabs', '64tass', '-q', ...options, '-o', 't.prg', '-L', 't.lst', 'main.tass');
      expect(await load('tabs/t.lst')).toMatch(/^5 symbols/);
      const numbers = [2, 3, 4, 5, 6, 7, 8];
      const expected = [0xc000, 0xc001, 0xc004, 0xc007, 0xc00a, 0xc00b, 0xc034];
      expect(await Promise.all(numbers.map((line) => address(`main.tass:${line}`)))).toEqual(expected);
      expect(await Promise.all(['start', 'loop', 'sub', 'table', 'inner'].map(address))).toEqual([
        0xc000, 0xc001, 0xc00a, 0xc00b, 0xc034,
      ]);
    },
  );

  test('without its sources a listing gives names, and says what is missing', async () => {
    file('alone/main.tass', source);
    file('alone/more.tass', more);
    spawnIn('alone', '64tass', '-q', '-o', 't.prg', '-L', 't.lst', 'main.tass');
    rmSync(join(folder, 'alone/main.tass'));
    rmSync(join(folder, 'alone/more.tass'));
    expect(await load('alone/t.lst')).toMatch(/its lines have no numbers, and the sources .* cannot be read/);
  });
});

test('xa: labels', async () => {
  file('xa/x.s', '* = $c000\nstart lda #1\n rts\n');
  spawnIn('xa', 'xa', '-o', 'x.prg', '-l', 'x.lbl', 'x.s');
  expect(await load('xa/x.lbl')).toMatch(/^1 symbol .*\(xa\)/);
  expect(await address('start')).toBe(0xc000);
});

describe('files as other tools write them', () => {
  const kick = (start: string) => `<C64debugger version="1.0">
   <Sources values="INDEX,FILE">
      0,KickAss.jar:/include/autoinclude.asm
      1,main.kick
   </Sources>
   <Segment name="Default" dest="" values="START,END,FILE_IDX,LINE1,COL1,LINE2,COL2">
      <Block name="Basic">
         $0801,$0802,0,12,9,12,11
      </Block>
      <Block name="Code">
         ${start},${start},1,4,1,4,5
      </Block>
   </Segment>
   <Labels values="SEGMENT,ADDRESS,NAME,START,END,FILE_IDX,LINE1,COL1,LINE2,COL2">
      Default,${start},loop,0,9,1,4,1,4,5
   </Labels>
   <Breakpoints values="SEGMENT,ADDRESS,ARGUMENT">
      Default,${start},if X == $05
   </Breakpoints>
   <Watchpoints values="SEGMENT,ADDRESS1,ADDRESS2,ARGUMENT">
      Default,$d020,$d021,store
   </Watchpoints>
</C64debugger>
`;

  test('KickAssembler .dbg: lines, and breakpoints that move with their label when it is loaded again', async () => {
    file('kick/main.kick', '// one\n// two\n// three\nloop: inc $d020 // four\n');
    file('kick/g.dbg', kick('$c000'));
    expect(await load('kick/g.dbg')).toMatch(/\(kickassembler\);.*breakpoints 1, 2 stated in the source set/s);
    expect(await address('main.kick:4')).toBe(0xc000);
    expect(await desk.call('breakpoint_list')).toMatch(/exec \$C000 loop .*X == \$05.*\n.*write \$D020/s);
    file('kick/g.dbg', kick('$c100'));
    expect(await load('kick/g.dbg')).toMatch(/breakpoint 1 moved with loop: \$C000 to \$C100/);
    expect((await desk.data('breakpoint_list')).breakpoints).toMatchObject([
      { id: 1, address: 0xc100, condition: 'X == $05' },
      { id: 2, type: 'write', address: 0xd020, length: 2 },
    ]);
    // One that somebody has deleted stays away; one that the source states no more goes.
    await desk.call('breakpoint_delete', { id: 1 });
    file('kick/g.dbg', kick('$c100').replace('Default,$d020,$d021,store', ''));
    await load('kick/g.dbg');
    expect((await desk.data('breakpoint_list')).breakpoints).toEqual([]);
  });

  test('VICE monitor commands: break and watch beside labels', async () => {
    const commands =
      'al C:c000 .start\nal C:c010 .loop\nbreak c000\nbreak .loop if RL == 100\nwatch store d020\nbreak c020 if nonsense ((\n';
    const answer = await desk.call('symbols_load', { path: file('m.vs', commands) });
    expect(answer).toMatch(/breakpoints 1, 2, 3 stated in the source set\nnot taken over: exec at \$C020, /);
    expect((await desk.data('breakpoint_list')).breakpoints).toMatchObject([
      { type: 'exec', address: 0xc000 },
      { type: 'exec', address: 0xc010, condition: 'raster_line == 100' },
      { type: 'write', address: 0xd020 },
    ]);
  });

  test('Oscar64 .dbj: functions, variables and lines of C', async () => {
    const source = join(folder, 'osc/main.c');
    file('osc/main.c', 'int n;\nint main(void)\n{\n  n = 5;\n  return n;\n}\n');
    const content = {
      memory: [{ name: 'main', xname: 'main()->i16', start: 2176, end: 2229, type: 'NATIVE_CODE', source, line: 2 }],
      variables: [{ name: 'n', start: 7488, end: 7490, typeid: 0, references: [] }],
      functions: [
        {
          name: 'main',
          start: 2176,
          end: 2229,
          source,
          line: 2,
          lines: [
            { start: 2176, end: 2198, source, line: 4 },
            { start: 2198, end: 2229, source, line: 5 },
          ],
        },
      ],
      types: [],
    };
    expect(await desk.call('symbols_load', { path: file('osc/main.dbj', JSON.stringify(content)) })).toMatch(
      /^2 symbols .*\(oscar64\)/,
    );
    expect([await address('n'), await address('main.c:5')]).toEqual([7488, 2198]);
    expect(await stateAt('main.c:4')).toMatch(/main \(main\.c:4: n = 5;\)/);
  });

  test('llvm-mos ELF: names and lines; another processor is refused', async () => {
    const shape = { wide: false, little: true, machine: 6502 };
    const symbols = [{ name: 'main', address: 0x880n, size: 6, global: true }];
    const elf = buildElf(shape, symbols, { '.debug_line': buildLines(shape, 4, 0x880n) });
    expect(await desk.call('symbols_load', { path: file('p.elf', elf) })).toMatch(
      /^1 symbol .*\(elf\);.*main.c:10 is an address/s,
    );
    expect([await address('main'), await address('main.c:11'), await address('main.c:20')]).toEqual([
      0x880, 0x882, 0x884,
    ]);
    const other = buildElf({ ...shape, machine: 62 }, symbols);
    expect(await desk.call('symbols_load', { path: file('x86.elf', other) })).toMatch(
      /for processor 62, not for a 6502/,
    );
    expect(await desk.call('symbols_load', { path: file('cut.elf', elf.subarray(0, 60)) })).toMatch(/^ERROR /);
  });
});

test('our assembler: .break and .watch, and breakpoints that follow labels through a change of the source', async () => {
  const source = (before: string) =>
    `* = $c000\n${before}start ldx #0\n .watch $02a7, "store"\n .break "if x == 3"\nloop inx\n stx $02a8\n jmp loop`;
  expect(await desk.call('program_run', { source: source('') })).toMatch(/breakpoints 1, 2 stated in the source set/);
  await desk.call('breakpoint_set', { address: 'start' });
  expect(await desk.call('run', {})).toMatch(/^breakpoint 2, exec/);
  const answer = await desk.call('program_run', { source: source(' nop\n nop\n'), start: false });
  expect(answer).toMatch(
    /breakpoint 2 moved with loop: \$C002 to \$C004\nbreakpoint 3 moved with start: \$C000 to \$C002/,
  );
  expect(answer).not.toMatch(/stated in the source set/);
});

test('breakpoints between labels follow the label before them', async () => {
  const source = (before: string) =>
    `* = $c000\nstart sei\n${before}loop inc $d020\n .break\n ldx #1\n .watch table+1\n jmp loop\ntable .byte 1,2`;
  await desk.call('program_run', { source: source(''), start: false });
  await desk.call('breakpoint_set', { address: 'loop+5' });
  await desk.call('breakpoint_delete', { id: 1 });
  const answer = await desk.call('program_run', { source: source(' nop\n nop\n'), start: false });
  expect(answer).toMatch(/breakpoint 2 moved with table: \$C00A to \$C00C/);
  // One that somebody has deleted stays away here, too.
  expect(answer).not.toMatch(/stated in the source set/);
  expect((await desk.data('breakpoint_list')).breakpoints).toMatchObject([
    { id: 2, type: 'read', address: 0xc00c },
    { id: 3, type: 'write', address: 0xc00c },
    { id: 4, type: 'exec', address: 0xc008 },
  ]);
});

test('step by lines of source, over subroutines, and back', async () => {
  const lines = ['* = $c000', 'start jsr sub', ' lda #1 : sta $02', ' nop', 'end jmp end', 'sub inc $d020', ' rts'];
  await desk.call('program_run', { source: lines.join('\n') });
  const at = async () => ((await desk.data('state_read')).source as { line: number }).line;
  expect(await at()).toBe(2);
  await desk.call('step', { kind: 'line' });
  expect(await at()).toBe(3);
  await desk.call('step', { kind: 'line', count: 2 });
  expect(await at()).toBe(5);
  await desk.call('step', { kind: 'line', back: true, count: 2 });
  expect(await at()).toBe(3);
  await desk.call('registers_write', { values: { PC: '$e000' } });
  expect(await desk.call('step', { kind: 'line' })).toMatch(/No source line is known here/);
});

test('names beside a program are told once, however the path is written, and none outside the allowed folders', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'fp-outside-'));
  const inside = new Desk({ services: { files: new AllowedFiles({ read: [], write: [folder] }) } });
  await inside.call('machine_start', { kind: 'c64', options: { roms: 'own', boot: false } });
  const path = file('beside/g.prg', Uint8Array.of(0, 0xc0, 0x60));
  const labels = file('beside/g.lbl', 'al C:c000 .begin\n');
  writeFileSync(join(outside, 'g.dbg'), 'version\tmajor=2,minor=0\n');
  symlinkSync(join(outside, 'g.dbg'), join(folder, 'beside/g.dbg'));
  const run = () => inside.call('program_run', { path, start: false });
  expect(await run()).toMatch(new RegExp(`beside it and are not loaded: ${labels}$`, 'm'));
  await inside.call('symbols_load', { path: relative('.', labels) });
  expect(await run()).not.toContain('beside it');
  await inside.close();
  rmSync(outside, { recursive: true });
});

test('the text of a source that lies outside the allowed folders is not shown', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'fp-outside-'));
  writeFileSync(join(outside, 'secret.a'), '; @mcp-state: secret\nstart lda #42 ; secret\n');
  const inside = new Desk({ services: { files: new AllowedFiles({ read: [], write: [join(folder, 'in')] }) } });
  const report = `\n; ******** Source: ${join(outside, 'secret.a')}\n     2  c000 a92a               start   lda #42\n`;
  const path = file('in/a.rep', report);
  await inside.call('machine_start', { kind: 'c64', options: { roms: 'own', boot: false } });
  expect(await inside.call('symbols_load', { path })).toMatch(/secret\.a:2 is an address/);
  expect((await inside.data('annotations_read')).total).toBe(0);
  await inside.call('registers_write', { values: { PC: '$c000' } });
  expect((await inside.data('state_read')).source).toEqual({ file: join(outside, 'secret.a'), line: 2 });
  await inside.close();
  rmSync(outside, { recursive: true });
});

function spawnIn(below: string, program: string, ...args: string[]): void {
  const { error, status, stderr, stdout } = spawnSync(program, args, { cwd: join(folder, below), encoding: 'utf8' });
  if (error) throw new Error(`${program} is needed here: npm test installs it as root (${error.message})`);
  if (status !== 0) throw new Error(`${program} failed: ${stdout}${stderr}`);
}

test('addresses, names and lines take an offset', async () => {
  await desk.call('program_run', { source: '* = $c000\nstart lda #1\n sta $d020\n rts', start: false });
  const places = ['start+2', '$C000+2', '49152 + 2', 'source.asm:2+2', '$C012-0x10'];
  expect(await Promise.all(places.map(address))).toEqual(places.map(() => 0xc002));
  expect(await desk.call('memory_read', { address: '$10-$20', length: 1 })).toMatch(/"\$10-\$20" is neither/);
  expect(await desk.call('memory_read', { address: '0400+1', length: 1 })).toMatch(/"0400" can be read in two ways/);
});

test('a range is not taken for the difference of its ends', async () => {
  for (const range of ['$C000-$C0FF', '$C0FF-$0FFF', '0xC000..0xC0FF', '$C000-C0FF']) {
    expect(await desk.call('breakpoint_set', { address: range })).toMatch(
      /is a range, and this takes one address[\s\S]*a length/,
    );
  }
});

describe('a breakpoint at a line', () => {
  const run = (...lines: readonly string[]) => desk.call('program_run', { source: lines.join('\n'), start: false });
  const at = async (id: number) => {
    const { breakpoints } = (await desk.data('breakpoint_list')) as { breakpoints: { id: number; address: string }[] };
    return Number(breakpoints.find((each) => each.id === id)?.address);
  };

  test('says where it is by the lines of its own file', async () => {
    const debug = (line: number) =>
      [
        'version\tmajor=2,minor=0',
        'file\tid=0,name="sieve.s",size=1,mtime=0x1,mod=0',
        'file\tid=1,name="sieve.c",size=1,mtime=0x1,mod=0',
        `line\tid=1,file=0,line=${line},span=1`,
        'line\tid=2,file=1,line=23,type=1,span=1',
        'seg\tid=0,name="CODE",start=0x000840,size=0x10,addrsize=absolute,type=ro',
        'span\tid=1,seg=0,start=12,size=4',
      ].join('\n');
    const path = file('own/sieve.dbg', debug(77));
    await load('own/sieve.dbg');
    const set = await desk.call('breakpoint_set', { address: 'sieve.s:77' });
    expect(set).toMatch(/\$084C \(sieve\.c:23\)/);
    expect(set).not.toContain('no code of its own');
    expect(await desk.call('breakpoint_set', { address: 'sieve.s:23' })).toMatch(
      /line 23 has no code of its own, so it is at sieve\.s:77$/m,
    );
    expect(await desk.call('breakpoint_set', { id: 1, temporary: true })).not.toContain('no code of its own');
    await desk.call('breakpoint_delete', { id: 2 });
    writeFileSync(path, debug(78));
    expect(await load('own/sieve.dbg')).toContain('breakpoint 1 has moved on to line 78, since sieve.s:77 has no code');
  });

  test('follows the line of the source, not the label before it', async () => {
    await run('* = $c000', 'start lda #1', ' sta $d020', ' sta $d021', ' rts');
    const { id } = (await desk.data('breakpoint_set', { address: 'source.asm:4' })) as { id: number };
    expect(await at(id)).toBe(0xc005);
    // The same line begins later.
    const longer = await run('* = $c000', 'start jsr $ffd2', ' sta $d020', ' sta $d021', ' rts');
    expect(longer).toMatch(new RegExp(`breakpoint ${id} moved with source.asm:4: \\$C005 to \\$C006`));
    expect(await at(id)).toBe(0xc006);
    const other = await run('* = $c000', 'start jsr $ffd2', ' nop', ' sta $d020', ' sta $d021', ' rts');
    expect(other).toMatch(/:4, which was "sta \$d021" and is "sta \$d020" now: \$C006 to \$C004/);
    const empty = await run('* = $c000', 'start jsr $ffd2', ' nop', '; nothing', ' sta $d021', ' rts');
    expect(empty).toMatch(/has moved on to line 5, since \S+:4 has no code now: at \$C004/);
    const short = await run('* = $c000', 'start jsr $ffd2', ' rts');
    expect(short).toMatch(/stays at \$C004: \S+ has no code at line 4 or after it/);
    const again = await run('* = $c000', 'start nop', ' nop', ' nop', ' rts');
    expect(again).toMatch(/:4: \$C004 to \$C002/);
    expect(await at(id)).toBe(0xc002);
  });
});
