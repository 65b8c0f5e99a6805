import { describe, expect, test } from 'vitest';
import { at, com, dos, exit, label, near, print, short, word } from '../../board/com-testing.ts';
import { SystemBench } from '../../board/system-testing.ts';
import { countryRecord, currentCountry, currentPage } from './country.ts';

type Parts = Parameters<typeof com>[0];

/** A device ECHO$: keeps what was written last (up to 16 bytes) and gives it back in capitals, byte by byte. */
const device = (name: string, attributes: number): Parts => [
  label('header'),
  [word(0xffff), word(0xffff), word(attributes), at('strategy'), at('interrupt'), name.padEnd(8)],
  label('packet'),
  [0, 0, 0, 0],
  label('count'),
  [0],
  label('store'),
  '................',
  label('opened'),
  [0],
  label('strategy'),
  [0x2e, 0x89, 0x1e, at('packet'), 0x2e, 0x8c, 0x06, at('packet', 2), 0xcb], // mov cs:packet,es:bx / retf
  label('interrupt'),
  [0x50, 0x53, 0x51, 0x56, 0x57, 0x1e, 0x06, 0xfc], // push ax bx cx si di ds es / cld
  [0x2e, 0xc4, 0x1e, at('packet'), 0x26, 0xc7, 0x47, 0x03, 0x00, 0x01], // les bx,cs:packet / status done
  [0x26, 0x8a, 0x47, 0x02], // mov al,es:[bx+2]
  [0x3c, 0, 0x74, short('init')],
  [0x3c, 4, 0x75, 3, 0xe9, near('read')],
  [0x3c, 6, 0x74, short('status')],
  [0x3c, 8, 0x75, 3, 0xe9, near('write')],
  [0x3c, 3, 0x74, short('control')],
  [0x3c, 12, 0x74, short('fail')],
  [0x3c, 19, 0x75, 3, 0xe9, near('generic'), 0x3c, 25, 0x75, 3, 0xe9, near('query')],
  [0x3c, 13, 0x75, short('out'), 0x2e, 0xfe, 0x06, at('opened')],
  label('out'),
  [0x07, 0x1f, 0x5f, 0x5e, 0x59, 0x5b, 0x58, 0xcb],
  label('init'),
  [0x26, 0xc7, 0x47, 0x0e, at('end'), 0x26, 0x8c, 0x4f, 0x10, 0xeb, short('out')],
  label('status'),
  [0x2e, 0x80, 0x3e, at('count'), 0x00, 0x75, short('out'), 0x26, 0x80, 0x4f, 0x04, 0x02, 0xeb, short('out')],
  label('fail'),
  [0x26, 0xc7, 0x47, 0x03, 0x0c, 0x81, 0xeb, short('out')], // general failure
  label('control'),
  [0x26, 0xc4, 0x7f, 0x0e, 0x2e, 0xa0, at('opened'), 0x26, 0x88, 0x05, 0xeb, short('out')], // how often it was opened
  label('write'),
  [0x26, 0x8b, 0x4f, 0x12, 0x2e, 0x88, 0x0e, at('count')], // count
  [0x26, 0xc5, 0x77, 0x0e, 0x0e, 0x07, 0xbf, at('store'), 0xf3, 0xa4, 0xeb, short('out')],
  label('read'),
  [0x26, 0x8b, 0x4f, 0x12, 0x2e, 0x3a, 0x0e, at('count'), 0x76, 5, 0x2e, 0x8a, 0x0e, at('count')], // at most what is there
  [0x26, 0x89, 0x4f, 0x12, 0x2e, 0x28, 0x0e, at('count'), 0x26, 0xc4, 0x7f, 0x0e, 0xbe, at('store'), 0x0e, 0x1f],
  [0xe3, short('read-end')],
  label('next'),
  [0xac, 0x3c, 0x61, 0x72, 2, 0x2c, 0x20, 0xaa, 0xe2, short('next')],
  // What is left moves to the front.
  label('read-end'),
  [0x0e, 0x07, 0xbf, at('store'), 0xb9, word(8), 0xf3, 0xa4, 0xe9, near('out')],
  label('generic'),
  [0x26, 0x8b, 0x47, 0x0d, 0x26, 0xc4, 0x7f, 0x13, 0xab, 0xe9, near('out')], // category and function
  label('query'),
  // Only function 41h.
  [0x26, 0x80, 0x7f, 0x0e, 0x41, 0x74, 6, 0x26, 0xc7, 0x47, 0x03, 0x03, 0x81, 0xe9, near('out')],
  label('end'),
];

const character = 0x8000;

/** Links the device after NUL and stays. */
const resident = (name: string, attributes: number) =>
  com([
    [0xb4, 0x52, 0xcd, 0x21, 0x26, 0x8b, 0x47, 0x22, 0xa3, at('header'), 0x26, 0x8b, 0x47, 0x24, 0xa3, at('header', 2)],
    [0x26, 0xc7, 0x47, 0x22, at('header'), 0x26, 0x8c, 0x4f, 0x24],
    [0xba, word(0x40), dos(0x3100)],
    device(name, attributes),
  ]);

/** Opens ECHO$ (in BX), in raw mode where wanted. */
const opening = (raw: boolean): Parts => [
  [0xba, at('name'), dos(0x3d02), 0x73, 5, exit(1), 0x89, 0xc3],
  raw ? [dos(0x4400), 0xb6, 0x00, 0x80, 0xca, 0x20, dos(0x4401)] : [],
];

describe('a character device that a program has put into the chain', () => {
  test('is opened by name, written and read, and can fail', () => {
    const user = com([
      opening(true),
      [0xb9, word(5), 0xba, at('text'), 0xb4, 0x40, 0xcd, 0x21, 0x3d, word(5), 0x75, short('bad')],
      [dos(0x4406), 0x3c, 0xff, 0x75, short('bad')],
      [0xb9, word(3), 0xba, at('buffer'), 0xb4, 0x3f, 0xcd, 0x21, 0x3d, word(3), 0x75, short('bad')],
      [0xb9, word(9), 0xba, at('buffer', 3), 0xb4, 0x3f, 0xcd, 0x21, 0x3d, word(2), 0x75, short('bad')],
      [dos(0x4406), 0x3c, 0x00, 0x75, short('bad')],
      [0xb9, word(1), 0xba, at('buffer', 5), dos(0x4402), 0x80, 0x06, at('buffer', 5), 0x30],
      print('buffer'),
      [0xb4, 0x3e, 0xcd, 0x21],
      exit(),
      label('bad'),
      exit(2),
      label('name'),
      'ECHO$\0',
      label('text'),
      'hello',
      label('buffer'),
      '......$',
    ]);
    const files = { 'dev.com': resident('ECHO$', character | 0x4800), 'use.com': user };
    const bench = new SystemBench(files, ['dev', 'use']).run();
    expect([bench.screen, bench.system.shell.errorLevel]).toEqual(['HELLO1', 0]);
  });

  test('takes the output of commands, and gives lines', () => {
    const cooked = com([
      opening(false),
      [0xb9, word(20), 0xba, at('buffer'), 0xb4, 0x3f, 0xcd, 0x21],
      [0x04, 0x30, 0xa2, at('count'), 0xc6, 0x06, at('buffer', 2), 0x24],
      print('count'),
      exit(),
      label('name'),
      'ECHO$\0',
      label('count'),
      '.',
      label('buffer'),
      '....................$',
    ]);
    const files = { 'dev.com': resident('ECHO$', character), 'cooked.com': cooked, 'in.txt': 'ab\rcd' };
    const bench = new SystemBench(files, ['dev', 'copy in.txt echo$ >nul', 'cooked', 'type echo$']).run();
    expect(bench.screen).toBe('3ABCD');
  });

  test('gets generic requests, and is asked whether it knows them', () => {
    const ask = (al: number, cx: number): Parts => [0xb9, word(cx), 0xba, at('text'), dos(0x4400 | al)];
    const user = com([
      opening(true),
      ask(0x0c, 0x4241),
      [0x72, short('bad')],
      ask(0x10, 0x4241),
      [0x72, short('bad')],
      print('text'),
      exit(),
      label('bad'),
      exit(2),
      label('name'),
      'ECHO$\0',
      label('text'),
      '..$',
    ]);
    const files = { 'dev.com': resident('ECHO$', character | 0xc0), 'use.com': user };
    const bench = new SystemBench(files, ['dev', 'use']).run();
    expect([bench.screen, bench.system.shell.errorLevel]).toEqual(['BA', 0]);
    const plain = new SystemBench({ ...files, 'dev.com': resident('ECHO$', character) }, ['dev', 'use']).run();
    expect(plain.system.shell.errorLevel).toBe(2);
  });

  test('a failure is for INT 24h, which is told of the device', () => {
    const user = com([
      opening(true),
      [0xb9, word(1), 0xba, at('name'), dos(0x4403), 0x72, short('failed')],
      exit(),
      label('failed'),
      exit(3),
      label('name'),
      'ECHO$\0',
    ]);
    const files = { 'dev.com': resident('ECHO$', character | 0x4000), 'use.com': user };
    const bench = new SystemBench(files, ['dev', 'use']).run(400_000);
    expect(bench.screen).toContain('General failure reading device ECHO$');
    bench.type('f');
    expect(bench.run().system.shell.errorLevel).toBe(3);
  });
});

/** A console that shows capitals by INT 29h and takes keys from INT 16h. */
const capitalConsole: Parts = [
  [word(0xffff), word(0xffff), word(0x8003), at('strategy'), at('interrupt'), 'CON     '],
  label('packet'),
  [0, 0, 0, 0],
  label('strategy'),
  [0x2e, 0x89, 0x1e, at('packet'), 0x2e, 0x8c, 0x06, at('packet', 2), 0xcb],
  label('interrupt'),
  [0x50, 0x53, 0x51, 0x56, 0x57, 0x1e, 0x06, 0xfc],
  [0x2e, 0xc4, 0x1e, at('packet'), 0x26, 0xc7, 0x47, 0x03, 0x00, 0x01, 0x26, 0x8a, 0x47, 0x02],
  [0x3c, 0, 0x74, short('init'), 0x3c, 4, 0x74, short('read'), 0x3c, 8, 0x74, short('write')],
  label('out'),
  [0x07, 0x1f, 0x5f, 0x5e, 0x59, 0x5b, 0x58, 0xcb],
  label('init'),
  [0x26, 0xc7, 0x47, 0x0e, at('end'), 0x26, 0x8c, 0x4f, 0x10, 0xeb, short('out')],
  label('read'),
  [0x26, 0xc4, 0x7f, 0x0e, 0xb4, 0x00, 0xcd, 0x16, 0xaa, 0xeb, short('out')], // int 16h / stosb
  label('write'),
  [0x26, 0x8b, 0x4f, 0x12, 0x26, 0xc5, 0x77, 0x0e, 0xe3, short('out')],
  label('next'),
  [0xac, 0x3c, 0x61, 0x72, 6, 0x3c, 0x7a, 0x77, 2, 0x2c, 0x20, 0xcd, 0x29, 0xe2, short('next'), 0xeb, short('out')],
  label('end'),
];

test('a console of the guest takes the place of ours, line editing included', () => {
  const files = { 'config.sys': 'device=caps.sys', 'caps.sys': com(capitalConsole, 0), 'read.com': readLine };
  const bench = new SystemBench(files, [], { interactive: true }).run(400_000);
  bench.type('ex\bcho ab');
  bench.run(200_000);
  bench.type('\rread\r');
  bench.run(200_000);
  bench.type('xyz\r');
  bench.run(400_000);
  expect(bench.screen.split('\n').filter((line) => line !== '')).toEqual([
    'C:\\>ECHO AB',
    'AB',
    'C:\\>READ',
    'XYZ',
    '5',
    'C:\\>',
  ]);
});

/** Reads a line from handle 0 and prints how long it was, after it. */
const readLine = com([
  [0xbb, word(0), 0xb9, word(20), 0xba, at('buffer'), 0xb4, 0x3f, 0xcd, 0x21],
  [0x04, 0x30, 0xa2, at('count'), 0xc6, 0x06, at('count', 1), 0x24],
  print('count'),
  exit(),
  label('count'),
  '..',
  label('buffer'),
  '....................',
]);

describe('CONFIG.SYS', () => {
  /** As a file of drivers: it starts at 0. */
  const file = (name: string, attributes: number) => com(device(name, attributes), 0);
  const ask = com([
    opening(true),
    [0xb9, word(2), 0xba, at('text'), 0xb4, 0x40, 0xcd, 0x21],
    [0xb9, word(2), 0xba, at('text'), 0xb4, 0x3f, 0xcd, 0x21],
    print('text'),
    exit(),
    label('name'),
    'ECHO$\0',
    label('text'),
    'ok$',
  ]);

  test('loads drivers, low and high, and keeps what they need of memory', () => {
    const files = {
      'config.sys': 'DEVICE=C:\\ECHO.SYS /x\r\nDEVICEHIGH = other.sys\r\ndevice=himem.sys\r\n',
      'echo.sys': file('ECHO$', character),
      'other.sys': file('OTHER$', character),
      'ask.com': ask,
    };
    const bench = new SystemBench(files, ['ask']).run();
    expect(bench.screen).toBe('OK');
    const { blocks } = bench.system.kernel.view();
    const find = (name: string) => blocks.find((block) => block.name === name);
    expect(find('ECHO')).toMatchObject({ owner: 8, paragraphs: (files['echo.sys'].length + 15) >> 4 });
    expect(find('OTHER')?.segment).toBeGreaterThan(0xc800);
    expect(bench.system.kernel.dos.blocks.linked).toBe(false);
  });

  test('says what is missing or means nothing', () => {
    const bench = new SystemBench({ 'config.sys': 'FILES=20\r\nDEVICE=no.sys\r\nFROBNICATE=1\r\n' }, ['echo go']).run();
    expect(bench.screen.split('\n')).toEqual([
      'Unrecognized command in CONFIG.SYS',
      'Error in CONFIG.SYS line 3',
      'Bad or missing no.sys',
      'Error in CONFIG.SYS line 2',
      'go',
    ]);
  });

  test('sets files, buffers, break, high memory and what runs first', () => {
    const text =
      'FILES=10\r\nBUFFERS=30,8\r\nBREAK=ON\r\nDOS=HIGH,NOUMB\r\nINSTALL=c:\\dos\\share.exe\r\nREM x\r\nLASTDRIVE=Z\r\n';
    const { system, screen } = new SystemBench({ 'config.sys': text }, ['echo go']).run();
    const { dos: kernel } = system.kernel;
    expect(screen).toBe('go');
    expect([kernel.share.loaded, kernel.area.breakCheck, kernel.high]).toEqual([true, true, true]);
    expect([system.xms.highMemoryTaken, system.xms.upper?.largest]).toEqual([true, 0xe000 - 0xc830]);
    expect(kernel.blocks.upperHead).toBeUndefined();
    expect(kernel.memory.read16(0x80 * 16 + 0x26 + 0x3f)).toBe(30);
    // Of ten files, the interpreter has five open.
    for (let i = 0; i < 5; i++) kernel.files.allocate();
    expect(() => kernel.files.allocate()).toThrow('too many open files');
  });

  test('chooses a country, of which programs get the record', () => {
    const german = new SystemBench({ 'config.sys': 'COUNTRY=049,,C:\\DOS\\COUNTRY.SYS' }, ['echo go']);
    const { kernel } = german.run().system;
    expect(currentCountry(kernel.dos.memory)).toBe(49);
    const record = countryRecord(49) ?? expect.unreachable();
    expect([record[0], String.fromCharCode(record[2] ?? 0, record[3] ?? 0), record[9]]).toEqual([1, 'DM', 0x2c]);
    const page = new SystemBench({ 'config.sys': 'COUNTRY=034,850' }, ['echo go']).run().system.kernel.dos.memory;
    expect([currentCountry(page), currentPage(page)]).toEqual([34, 850]);
    // A small i with an accent has a capital there.
    expect(page.read8(0xc8010 + 2 + 0x21)).toBe(0xd6);
    expect(String.fromCharCode(...(countryRecord(34, 850)?.subarray(2, 5) ?? []))).toBe('Pts');
    const other = new SystemBench({ 'config.sys': 'COUNTRY=049,866' }, ['echo go']).run();
    expect(other.screen).toBe('Invalid country code or code page\ngo');
    const nowhere = new SystemBench({ 'config.sys': 'COUNTRY=777' }, ['echo go']).run();
    expect(nowhere.screen).toBe('Invalid country code or code page\ngo');
  });

  test('is left alone where it is not wanted', () => {
    const bench = new SystemBench({ 'config.sys': 'NONSENSE' }, ['echo go'], { config: false }).run();
    expect(bench.screen).toBe('go');
  });
});
