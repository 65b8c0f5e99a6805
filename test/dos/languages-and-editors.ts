import { expect } from 'vitest';
import type { PlayedProgram } from './played-program.ts';
import { built } from './program-stage.ts';

const numbered = Array.from({ length: 40 }, (_, index) => `line ${index + 1}\r\n`).join('');

const basicProgram = [
  '100 print "gcd ";a',
  '30 if b=0 then 100',
  '10 let a=1071',
  '20 let b=462',
  '40 let c=a/b',
  '50 c=a-c*b',
  '60 a=b',
  '70 b=c',
  '80 goto 30',
  '110 input n',
  '115 f=1',
  '120 gosub 200',
  '125 if n>0 then 120',
  '130 print "factorial ";f;" and ";-(2+3)*4/3',
  '140 end',
  '200 f=f*n',
  '210 n=n-1',
  '220 return',
];

/** Squares that a remainder is 4 of, when 7 divides them; the number of turns is what it ends with. */
const compiled = `
  n = 1; c = 0;
  while n < 12 {
    r = n*n - (n*n/7)*7;
    d = (r-4)*(r-4);
    while d < 1 { print n*n; d = 1; }
    c = c + 1;
    n = n + 1;
  }
  print 3-10;
  exit c*2;
`;

export const languagesAndEditors: readonly PlayedProgram[] = [
  {
    name: 'editor',
    files: { 'NOTES.TXT': 'first line\r\nsecond line\r\nlast\r\n', 'LONG.TXT': numbered },
    async play(stage) {
      await stage.enter('editor notes.txt', 'second line');
      const [status = '', ...rows] = await stage.rows();
      expect(status).toMatch(/^ notes\.txt\s+1\s+12:00:\d\d$/);
      expect(rows.slice(0, 4)).toEqual(['first line', 'second line', 'last', '']);
      expect(await stage.attribute(0, 0)).toBe(0x1f);
      await stage.press('down', 'end', 'left', 'left', 'delete');
      await stage.type('v\nx\b');
      await stage.press('up', 'home');
      await stage.type('A ');
      expect((await stage.machine.screen.text())?.cursor).toEqual({ column: 2, row: 2 });
      expect((await stage.rows()).slice(0, 5).map((row) => row.replace(/\d\d$/, ''))).toEqual([
        expect.stringMatching(/^ notes\.txt +\* +2 +12:00:$/),
        'first line',
        'A second liv',
        'e',
        'last',
      ]);
      await stage.press('f2');
      expect(stage.file('NOTES.TXT')).toBe('first line\r\nA second liv\r\ne\r\nlast\r\n');
      const before = (await stage.rows())[0];
      await stage.frames(75);
      expect((await stage.rows())[0]).not.toBe(before);
      await stage.press('esc');
      await stage.enter('editor long.txt', 'line 24');
      for (let count = 0; count < 26; count++) await stage.press('down');
      const shown = await stage.rows();
      expect([shown[1], shown[24]]).toEqual(['line 4', 'line 27']);
      await stage.press('esc');
      await stage.ended();
    },
  },
  {
    name: 'lineed',
    files: { 'POEM.TXT': 'one\r\ntwo\r\nthree\r\n' },
    async play(stage) {
      await stage.enter('lineed poem.txt', '*');
      await stage.enter('l', '3:three');
      expect(await stage.screen()).toContain('1:one\n2:two\n3:three\n*');
      await stage.enter('2d', '/\\*\\s*$/');
      await stage.type('2i\nzwei\nzwei einhalb\n.\ni\nvier\n.\n');
      await stage.enter('l', '5:vier');
      expect(await stage.screen()).toContain('1:one\n2:zwei\n3:zwei einhalb\n4:three\n5:vier\n*');
      await stage.enter('e', 'saved');
      await stage.ended();
      expect(stage.file('POEM.TXT')).toBe('one\r\nzwei\r\nzwei einhalb\r\nthree\r\nvier\r\n');
      expect(stage.file('POEM.BAK')).toBe('one\r\ntwo\r\nthree\r\n');
      await stage.enter('lineed', 'LINEED FILE');
      expect(stage.exitCode).toBe(1);
    },
  },
  {
    name: 'basic',
    async play(stage) {
      await stage.enter('basic', 'Ok');
      await stage.type(`${basicProgram.join('\n')}\ncls\n`);
      await stage.see('Syntax error');
      await stage.enter('list', '220 return');
      const listed = (await stage.rows()).filter((row) => /^\d+ [a-z]/.test(row));
      const sorted = basicProgram.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
      expect(listed.slice(-sorted.length)).toEqual(sorted);
      await stage.enter('run', '?');
      await stage.enter('7', '/factorial.*\\s+Ok/');
      expect(await stage.screen()).toContain('gcd 21\n?7\nfactorial 5040 and -6\nOk');
      await stage.enter('print 1/0', 'Division by zero');
      await stage.enter('80 goto 35', '80 goto 35');
      await stage.enter('run', 'No such line in 80');
      await stage.enter('bye', '/C:\\\\>\\s*$/');
    },
  },
  {
    name: 'compiler',
    files: { 'SQUARES.SRC': compiled, 'WRONG.SRC': 'a = (1+2;' },
    async play(stage) {
      await stage.enter('compiler squares', 'exit code');
      await stage.ended();
      expect(await stage.screen()).toContain('compiler squares\n4\n25\n81\n-7\nexit code 22\n');
      await stage.enter('squares', '-7\n');
      expect(await stage.screen()).toMatch(/>squares\n4\n25\n81\n-7\n/);
      expect(stage.exitCode).toBe(22);
      await stage.enter('compiler wrong', 'This is no program.');
      expect([stage.exitCode, stage.has('WRONG.COM')]).toEqual([1, false]);
    },
  },
  {
    name: 'packer',
    files: { 'SEGMENTS.EXE': built('segments') },
    async play(stage) {
      await stage.enter('segments', 'the table is right');
      await stage.ended();
      expect(stage.exitCode).toBe(42);
      await stage.enter('cls', '/^\\s*C:/');
      await stage.enter('packer', 'packed');
      await stage.ended();
      expect(stage.file('PACKED.EXE').length).toBeLessThan(stage.file('SEGMENTS.EXE').length / 2);
      await stage.enter('packed', 'the table is right');
      expect(await stage.screen()).toMatch(/>packed\nfour segments\nthe table is right\n/);
      await stage.ended();
      expect(stage.exitCode).toBe(42);
    },
  },
  {
    name: 'overlay',
    async play(stage) {
      await stage.enter('overlay', '3873');
      expect(await stage.screen()).toContain(`${'one two '.repeat(5)}3873`);
      await stage.ended();
      expect(stage.exitCode).toBe(0);
    },
  },
];
