import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DosError } from '../drives/dos-error.ts';
import { Disk } from '../drives/fat/disk.ts';
import { FatDrive } from '../drives/fat/fat-drive.ts';
import { floppyFormats, formatVolume } from '../drives/fat/format.ts';
import { findVolumes } from '../drives/fat/volume-layout.ts';
import { TestMachine } from '../services/dos/test-machine-testing.ts';
import { Shell } from './shell.ts';

/** Two clusters of 1 KiB less than a disk of 360K holds. */
const nearlyAll = 352 * 1024;

let folder = '';
let machine: TestMachine;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dos-errors-'));
  writeFileSync(join(folder, 'hello.txt'), 'hello\r\n');
  writeFileSync(join(folder, 'large.dat'), new Uint8Array(nearlyAll));
  writeFileSync(join(folder, 'five.dat'), new Uint8Array(5000));
  mkdirSync(join(folder, 'sub'));
  machine = TestMachine.over(folder);
  new Shell(machine.kernel, { commands: [], interactive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const enter = (line: string) => machine.enter(line);

function insert(readOnly = false): void {
  const disk = new Disk(formatVolume({ ...floppyFormats['360K'], serial: 1 }), { readOnly });
  const [layout] = findVolumes(disk);
  machine.kernel.mount(0, new FatDrive(disk, layout ?? expect.unreachable()));
}

// What COMMAND.COM of MS-DOS 4 and later says.
test.each([
  ['cd ..', 'Invalid directory'],
  ['cd nowhere\\deep', 'Invalid directory'],
  ['cd hello.txt\\deep', 'Invalid directory'],
  ['cd x:\\', 'Invalid drive specification'],
  ['cd x:', 'Invalid drive specification'],
  ['md sub', 'Directory already exists'],
  ['md hello.txt', 'Unable to create directory'],
  ['md nowhere\\deep', 'Unable to create directory'],
  ['md x:\\a', 'Invalid drive specification'],
  ['rd x:\\a', 'Invalid drive specification'],
  ['type x:a', 'Invalid drive specification'],
  ['copy hello.txt x:', 'Invalid drive specification'],
  ['del x:a', 'Invalid drive specification'],
  ['ren x:a b', 'Invalid drive specification'],
  ['md a:\\new', 'Drive not ready'],
  ['cd a:\\new', 'Drive not ready'],
  ['echo x > nowhere\\nul', 'Path not found'],
])('%s: %s', (line, message) => {
  expect(enter(line)).toBe(`${message}\r\n`);
});

test.each([
  ['sub\\nul', true],
  ['\\sub\\nul', true],
  ['c:\\nul', true],
  ['nul', true],
  ['\\dev\\nul', true],
  ['nowhere\\nul', false],
  ['hello.txt\\nul', false],
  ['c:\\nowhere\\con', false],
  ['x:\\nul', false],
])('if exist %s is %s: a device is in every directory, and in none that is not there', (name, isThere) => {
  expect(enter(`if exist ${name} echo yes`)).toBe(isThere ? 'yes\r\n' : '');
});

test('what does not fit on a disk is not left half there, and output that does not fit is told', () => {
  insert();
  expect(enter('copy large.dat a:')).toBe('        1 file(s) copied\r\n');
  expect(enter('copy five.dat a:')).toBe('Insufficient disk space\r\n        0 file(s) copied\r\n');
  expect(enter('dir a: /b')).toBe('LARGE.DAT\r\n');
  expect(enter('copy hello.txt a:one')).toBe('        1 file(s) copied\r\n');
  expect(enter('copy hello.txt a:two')).toBe('        1 file(s) copied\r\n');
  expect(enter('echo three > a:three')).toBe('Insufficient disk space\r\n');
  expect(enter('type hello.txt > a:four')).toBe('Insufficient disk space\r\n');
  expect(enter('md a:\\new')).toBe('Unable to create directory\r\n');
  expect(enter('echo on the screen')).toBe('on the screen\r\n');
});

describe('a command that is given up gives the screen back', () => {
  const fill = () => {
    insert();
    for (const copy of ['copy large.dat a:', 'copy hello.txt a:one', 'copy hello.txt a:two']) enter(copy);
  };
  const breakOff = () => {
    machine.screenText = '';
    machine.type('\x03');
    machine.resume();
    return machine.screenText;
  };

  test('also where its output finds no room', () => {
    fill();
    enter('pause > a:three');
    expect(breakOff()).toContain('^C\r\nInsufficient disk space\r\n');
    expect(enter('echo on the screen')).toBe('on the screen\r\n');
  });

  test('also where its output cannot be written at all', () => {
    insert();
    enter('pause < con > a:three');
    insert(true);
    expect(breakOff()).toMatch(/\^C\r\n.+\r\n/);
    expect(enter('echo on the screen')).toBe('on the screen\r\n');
  });

  const nothingCloses = () =>
    vi.spyOn(machine.kernel.dos.handles, 'commit').mockImplementation(() => {
      throw new DosError('writeFault');
    });

  test('also where what it was redirected to does not close', () => {
    enter('pause < con > three.txt');
    const commit = nothingCloses();
    expect(breakOff()).toContain('^C\r\nWrite fault\r\n');
    commit.mockRestore();
    expect(enter('echo on the screen')).toBe('on the screen\r\n');
  });

  test('also where the copy does not close, and both files are closed once', () => {
    const { files, handles } = machine.kernel.dos;
    const closed = vi.spyOn(handles, 'release');
    const commit = vi.spyOn(handles, 'commit').mockImplementation((file) => {
      if (file.mode !== 0) throw new DosError('writeFault');
    });
    expect(enter('copy hello.txt two.txt')).toContain('Write fault\r\n');
    const [source, copied] = closed.mock.calls.map(([file]) => file.index);
    commit.mockRestore();
    expect(closed.mock.calls.filter(([file]) => file.index === copied)).toHaveLength(1);
    expect([source, copied].map((index) => files.get(index ?? 0).references)).toEqual([0, 0]);
    expect(enter('echo on the screen')).toBe('on the screen\r\n');
  });

  test('and closes what it had open itself', () => {
    const { files } = machine.kernel.dos;
    const open = () => [...Array(8).keys()].reduce((sum, index) => sum + files.get(index).references, 0);
    enter('echo hello');
    const before = open();
    for (const line of ['copy con typed.txt', 'sort', 'find "a" con']) {
      enter(line);
      expect(breakOff()).toContain('^C');
      expect([line, open()]).toEqual([line, before]);
    }
  });

  test('also where a program has ended, and the file that it wrote does not close', () => {
    writeFileSync(join(folder, 'prog.com'), Uint8Array.of(0xc3));
    enter('prog > three.txt');
    const commit = nothingCloses();
    machine.screenText = '';
    machine.dos(0x4c00);
    machine.resume();
    expect(machine.screenText).toContain('Write fault\r\n');
    commit.mockRestore();
    expect(enter('echo on the screen')).toBe('on the screen\r\n');
  });
});

test('a disk that is write-protected says so', () => {
  insert(true);
  for (const line of ['copy hello.txt a:', 'echo x > a:x', 'md a:\\new']) {
    expect(enter(line)).toBe('Disk is write-protected\r\n');
  }
});

test('/? says what a command is for, and HELP knows its other names', () => {
  expect(enter('dir /?')).toBe('DIR  Lists files: /W /P /B /S /A /O.\r\n');
  expect(enter('copy hello.txt /?')).toBe('COPY  Copies files, or joins them with +.\r\n');
  expect(enter('help mkdir')).toBe(enter('md /?'));
  expect(enter('echo what /?')).toBe('what /?\r\n');
  expect(enter('help constructor')).toBe('No help for CONSTRUCTOR\r\n');
});

test('FOR shows what it runs, unless the echo is off', () => {
  expect(enter('for %a in (1 2) do echo %a')).toBe('\r\nC:\\>echo 1\r\n1\r\n\r\nC:\\>echo 2\r\n2\r\n');
  enter('echo off');
  machine.screenText = '';
  machine.type('for %a in (1 2) do echo %a\r');
  machine.resume();
  expect(machine.screenText).toContain('1\r\n2\r\n');
});

test('a command after @ runs and is not shown: in the body of FOR, after IF and CALL, and at the prompt', () => {
  expect(enter('for %a in (1 2) do @echo %a')).toBe('1\r\n2\r\n');
  expect(enter('for %a in (@echo echo) do %a x')).toBe('x\r\n\r\nC:\\>echo x\r\nx\r\n');
  expect(enter('for %a in (1) do @for %b in (2) do echo %b')).toBe('FOR cannot be nested\r\n');
  expect(enter('@echo hello')).toBe('hello\r\n');
  expect(enter('if a==a @echo same')).toBe('same\r\n');
  expect(enter('call @echo called')).toBe('called\r\n');
  writeFileSync(join(folder, 'b.bat'), '@for %%a in (1 2) do @echo %%a\r\n@for %%a in (3) do echo %%a\r\n');
  expect(enter('b')).toBe('1\r\n2\r\n\r\nC:\\>echo 3\r\n3\r\n');
});

describe('PAUSE', () => {
  const press = (...keys: number[]) => {
    machine.screenText = '';
    for (const ascii of keys) machine.keys.push({ ascii, scan: 0 });
    machine.resume();
    return machine.screenText;
  };

  test('ends its line, and goes on in the next', () => {
    expect(enter('pause')).toBe('Press any key to continue . . .\r\n');
    expect(press(0x78)).toBe('\r\n\r\nC:\\>');
  });

  test('takes all of a function key', () => {
    enter('pause');
    press(0, 0x3b);
    expect(enter('echo here')).toBe('here\r\n');
  });

  test('forgets what was typed before and with the key, as COMMAND.COM does', () => {
    machine.type('pause\rahead');
    machine.resume();
    expect(press(0x78, 0x79)).toBe('\r\n\r\nC:\\>');
    expect(press(0x0d)).toBe('\r\n\r\nC:\\>');
  });

  test('of a file or a device in the place of the keyboard it takes a byte, and leaves the keys', () => {
    machine.type('pause < hello.txt\recho here\r');
    machine.resume();
    expect(machine.screenText).toContain('echo here\r\nhere\r\n');
  });

  test('says what it says where it is redirected to, and reads from there', () => {
    expect(enter('pause > said.txt')).toBe('');
    expect(press(0x78)).toBe('\r\nC:\\>');
    expect(enter('type said.txt')).toBe('Press any key to continue . . .\r\n\r\n');
    expect(enter('pause < hello.txt')).toBe('Press any key to continue . . .\r\n\r\n');
    expect(enter('echo.| pause > nul')).toBe('');
  });

  test('leaves the error level of the program before', () => {
    writeFileSync(join(folder, 'prog.com'), Uint8Array.of(0xc3));
    writeFileSync(
      join(folder, 'b.bat'),
      '@prog\r\n@pause > nul\r\n@if errorlevel 3 if not errorlevel 4 echo three\r\n',
    );
    enter('b');
    machine.dos(0x4c03);
    machine.resume();
    expect(press(0x78)).toContain('three\r\n');
  });
});
