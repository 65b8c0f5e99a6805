import { expect, test } from 'vitest';
import { com, exit, label, print, word } from '../../board/com-testing.ts';
import { driveOf, SystemBench } from '../../board/system-testing.ts';

const files = { 'one.txt': 'first', 'two.txt': 'second' };

test('SUBST makes a drive of a directory, whose root is its own', () => {
  const bench = new SystemBench(files, [
    'md dir',
    'md dir\\sub',
    'copy one.txt dir\\sub\\deep.txt >nul',
    'subst e: c:\\dir',
    'type e:\\sub\\deep.txt',
    'echo .',
    'cd e:\\sub',
    'cd e:',
    'type e:deep.txt',
    'echo .',
    'cd e:..\\..',
    'dir e:\\*. /b',
    'dir e:',
    'subst',
    'rd c:\\dir\\sub',
    'subst e: /d',
    'dir e:',
  ]).run();
  expect(bench.screen).toContain('first.\nE:\\SUB\nfirst.\nInvalid directory\n');
  expect(bench.screen).toContain('Directory of E:\\SUB');
  expect(bench.screen).toContain('E: => C:\\DIR\n');
  expect(bench.screen).toContain('E: => C:\\DIR\nAttempt to remove current directory\n');
  expect(bench.screen.split('\n').at(-1)).toBe('Invalid drive specification');
});

test('JOIN shows a drive below a directory, and only there', () => {
  const other = driveOf({ 'here.txt': 'on D' });
  const bench = new SystemBench(
    {},
    [
      'join d: c:\\mnt',
      'type c:\\mnt\\here.txt',
      'echo .',
      'cd mnt',
      'dir /b',
      'cd',
      'copy here.txt new.txt',
      'cd \\',
      'join',
      'type d:here.txt',
      'join d: /d',
      'type d:new.txt',
      'dir c:\\mnt /b',
    ],
    {
      drives: new Map([
        [2, driveOf({})],
        [3, other],
      ]),
    },
  ).run();
  expect(bench.screen.split('\n')).toEqual([
    'on D.',
    'HERE.TXT',
    'C:\\MNT',
    '        1 file(s) copied',
    'D: => C:\\MNT',
    'Invalid drive specification',
    'on DFile not found',
  ]);
});

test('function 60h gives the true name, and the array of directories is what programs read', () => {
  // mov si,name / mov di,buffer / mov ah,60h / int 21h, and the answer printed up to the $ after it.
  const trueName = com([
    [0xbe, { word: 'name' }, 0xbf, { word: 'buffer' }, 0xb4, 0x60, 0xcd, 0x21],
    print('buffer'),
    // ES:BX list of lists, ES:BX array, E: is the fifth of 58h bytes; its flags at 43h.
    [0xb4, 0x52, 0xcd, 0x21, 0x26, 0xc4, 0x5f, 0x16, 0x26, 0x8b, 0x87, word(4 * 0x58 + 0x43)],
    [0x1e, 0x33, 0xdb, 0x8e, 0xdb, 0xa3, word(0x4f0), 0x1f],
    exit(),
    label('name'),
    'e:x.y\0',
    label('buffer'),
    '...............$',
  ]);
  const bench = new SystemBench({ 'tn.com': trueName }, ['md dir', 'subst e: dir', 'tn']).run();
  expect(bench.screen.replaceAll('\0', ' ')).toContain('C:\\DIR\\X.Y');
  expect(bench.word(0x4f0)).toBe(0x5000);
});
