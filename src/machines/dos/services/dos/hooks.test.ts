import { describe, expect, test } from 'vitest';
import { at, com, dos, exit, hook, keepVector, label, print, short, stay, word } from '../../board/com-testing.ts';
import { SystemBench } from '../../board/system-testing.ts';

/** jmp far cs:[name] */
const chain = (name: string) => [0x2e, 0xff, 0x2e, at(name)];
const pointer = (name: string) => [label(name), 0, 0, 0, 0];

/** Counts calls of an interrupt with AH = wanted (or any) in a word at 0:4F0h, then goes on with the old handler. */
const counter = (interrupt: number, wanted?: number) =>
  com([
    keepVector(interrupt, 'old'),
    hook(interrupt, 'handler'),
    stay(),
    pointer('old'),
    label('handler'),
    ...(wanted === undefined ? [] : [0x80, 0xfc, wanted, 0x75, short('on')]), // cmp ah,wanted / jne on
    [0x50, 0x1e, 0x33, 0xc0, 0x8e, 0xd8, 0xff, 0x06, 0xf0, 0x04, 0x1f, 0x58], // inc word [0:4F0]
    label('on'),
    chain('old'),
  ]);

/** INT 29h that shows lower-case letters as upper-case ones. */
const capitals = com([
  keepVector(0x29, 'old'),
  hook(0x29, 'handler'),
  stay(),
  pointer('old'),
  label('handler'),
  [0x3c, 0x61, 0x72, short('on'), 0x3c, 0x7a, 0x77, short('on'), 0x2c, 0x20], // 'a'..'z': sub al,20h
  label('on'),
  chain('old'),
]);

const hello = com([print('text'), exit(), label('text'), 'hello$']);

describe('output', () => {
  test('of every function, of handles and of the command interpreter goes through a hooked INT 29h', () => {
    const all = com([
      [0xb2, 0x61, 0xb4, 0x02, 0xcd, 0x21], // function 2
      [0xb2, 0x62, 0xb4, 0x06, 0xcd, 0x21], // function 6
      print('text'),
      [0xbb, word(1), 0xb9, word(3), 0xba, at('bytes'), 0xb4, 0x40, 0xcd, 0x21], // function 40h
      [0x3d, word(3), 0x75, short('bad')], // cmp ax,3
      exit(),
      label('bad'),
      exit(1),
      label('text'),
      'cd$',
      label('bytes'),
      'efg',
    ]);
    const bench = new SystemBench({ 'caps.com': capitals, 'all.com': all }, ['caps', 'all', 'echo done']).run();
    expect(bench.screen).toBe('ABCDEFGDONE');
    expect(bench.system.shell.errorLevel).toBe(0);
  });

  test('does the same by a hooked INT 10h, escape sequences included', () => {
    const color = com([print('text'), exit(), label('text'), '\x1b[1;33mhi\x1b[0m\x1b[3;5Hlow$']);
    const files = { 'count.com': counter(0x10), 'color.com': color };
    const bench = new SystemBench(files, ['count', 'color']).run();
    expect([bench.cell(0, 0), bench.cell(0, 1)]).toEqual([
      ['h', 0x0e],
      ['i', 0x0e],
    ]);
    expect(bench.cell(2, 4)).toEqual(['l', 0x07]);
    // Two coloured characters (09h and 0Eh each), one movement, three characters.
    expect(bench.word(0x4f0)).toBe(8);
  });

  test('passes both where both are hooked', () => {
    const files = { 'caps.com': capitals, 'count.com': counter(0x10, 0x0e), 'hello.com': hello };
    const bench = new SystemBench(files, ['count', 'caps', 'hello']).run();
    expect([bench.screen, bench.word(0x4f0)]).toEqual(['HELLO', 5]);
  });

  test('calls nobody where nothing is hooked', () => {
    const bench = new SystemBench({ 'hello.com': hello }, ['hello']).run();
    expect(bench.screen).toBe('hello');
    expect(bench.system.kernel.dos.calls.count).toBe(0);
  });

  test('goes on in a machine that was restored while a handler ran', () => {
    const files = { 'caps.com': capitals, 'hello.com': hello };
    const first = new SystemBench(files, ['caps', 'hello']);
    const { board, kernel } = first.system;
    while (kernel.dos.calls.count < 3) board.run(board.instructions + 1);
    while (first.byte(0xb8002) !== 0x45) board.run(board.instructions + 1);
    const second = new SystemBench(files, []);
    second.system.board.restore(board.snapshot());
    second.system.restore(first.system.save());
    expect([second.run().screen, first.run().screen]).toEqual(['HELLO', 'HELLO']);
  });
});

/** INT 16h that gives "Q" before anything typed, once. */
const macro = com([
  keepVector(0x16, 'old'),
  hook(0x16, 'handler'),
  stay(),
  pointer('old'),
  label('left'),
  1,
  label('handler'),
  [0x2e, 0x80, 0x3e, at('left'), 0x00, 0x74, short('on')], // cmp cs:left,0 / je on
  [0x80, 0xe4, 0xef], // and ah,EFh: 10h and 0, 11h and 1 are the same
  [0x80, 0xfc, 0x01, 0x77, short('on'), 0x74, short('look')],
  [0x2e, 0xfe, 0x0e, at('left')],
  label('look'),
  [0xb8, word(0x1051)],
  [0x83, 0xfc, 0x00, 0xca, 0x02, 0x00], // cmp sp,0: not zero / retf 2
  label('on'),
  chain('old'),
]);

/** Reads with a function and shows what came in brackets. */
const reader = (ax: number) =>
  com([dos(ax), [0x88, 0xc2, 0xb4, 0x02, 0xcd, 0x21], [0xb2, 0x5d, 0xb4, 0x02, 0xcd, 0x21], exit()]);

describe('keys', () => {
  test.for([0x0100, 0x0700, 0x0800, 0x0c07, 0x0c08])('function %i takes them from a hooked INT 16h', (ax) => {
    const bench = new SystemBench({ 'macro.com': macro, 'read.com': reader(ax) }, ['macro', 'read']).run(400_000);
    const flushed = ax >= 0x0c00;
    if (flushed) bench.type('x');
    bench.run();
    const seen = flushed ? 'x' : 'Q';
    expect(bench.screen).toBe(ax === 0x0100 ? `${seen}${seen}]` : `${seen}]`);
  });

  test('lines and reads by handle too, with what is typed after them', () => {
    const line = com([
      [0xba, at('buffer'), 0xb4, 0x0a, 0xcd, 0x21],
      [0xbb, word(0), 0xb9, word(20), 0xba, at('second'), 0xb4, 0x3f, 0xcd, 0x21],
      [0xa2, word(0x4f0)], // mov [4F0h],al in the program's own segment
      [0x1e, 0x33, 0xdb, 0x8e, 0xdb, 0xa2, word(0x4f0), 0x1f], // and in segment 0
      [0x8a, 0x1e, at('buffer', 1), 0x1e, 0x33, 0xc0, 0x8e, 0xd8, 0x88, 0x1e, word(0x4f1), 0x1f],
      exit(),
      label('buffer'),
      [20, 0],
      '....................',
      label('second'),
      '....................',
    ]);
    const bench = new SystemBench({ 'macro.com': macro, 'line.com': line }, ['macro', 'line']).run(400_000);
    bench.type('ab\rcde\r');
    bench.run();
    expect(bench.screen).toBe('cde');
    expect([bench.byte(0x4f0), bench.byte(0x4f1)]).toEqual([5, 3]);
  });

  test('function 6 and 0Bh ask without waiting', () => {
    const ask = com([
      [0xb4, 0x0b, 0xcd, 0x21, 0x04, 0x31, 0x88, 0xc2, 0xb4, 0x02, 0xcd, 0x21], // FFh + '1' = '0'
      [0xb2, 0xff, 0xb4, 0x06, 0xcd, 0x21, 0x74, short('none'), 0x88, 0xc2, 0xb4, 0x02, 0xcd, 0x21],
      [0xb2, 0xff, 0xb4, 0x06, 0xcd, 0x21, 0x75, short('end')],
      label('none'),
      [0xb2, 0x2d, 0xb4, 0x02, 0xcd, 0x21],
      label('end'),
      exit(),
    ]);
    const bench = new SystemBench({ 'macro.com': macro, 'ask.com': ask }, ['macro', 'ask']).run();
    expect(bench.screen).toBe('0Q-');
  });
});

test('the prompt takes its lines through hooked interrupts too', () => {
  const files = { 'macro.com': macro, 'caps.com': capitals };
  const bench = new SystemBench(files, ['caps', 'macro'], { interactive: true }).run(400_000);
  bench.type('\becho typed\r');
  bench.run(400_000);
  expect(bench.screen.split('\n').filter((line) => line !== '')).toEqual(['C:\\>ECHO TYPED', 'TYPED', 'C:\\>']);
});

describe('Ctrl-Break', () => {
  test('a program hooks INT 1Bh and INT 23h and goes on', () => {
    const program = com([
      keepVector(0x1b, 'old'),
      hook(0x1b, 'break'),
      hook(0x23, 'handler'),
      [0xb4, 0x08, 0xcd, 0x21], // waits for a key
      [0x88, 0xc2, 0xb4, 0x02, 0xcd, 0x21],
      [0xba, at('old'), 0x1e, 0xc5, 0x16, at('old'), dos(0x251b), 0x1f],
      exit(),
      pointer('old'),
      label('break'),
      [0x50, 0x1e, 0x33, 0xc0, 0x8e, 0xd8, 0xff, 0x06, 0xf0, 0x04, 0x1f, 0x58],
      chain('old'),
      label('handler'),
      [0x50, 0x52, 0xb2, 0x21, 0xb4, 0x02, 0xcd, 0x21, 0x5a, 0x58, 0xcf],
    ]);
    const bench = new SystemBench({ 'brk.com': program }, ['brk']).run(200_000);
    const { board } = bench.system;
    for (const [code, down] of [
      [0x1d, true],
      [0x146, true],
      [0x146, false],
      [0x1d, false],
    ] as const)
      board.kbc.key(code, down);
    board.reschedule();
    bench.run(200_000);
    bench.type('k');
    bench.run();
    expect(bench.screen).toBe('^C\n!k');
    expect(bench.word(0x4f0)).toBe(1);
  });
});
