import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SystemBench } from '../board/system-testing.ts';
import { linear } from '../services/dos/far-pointer.ts';
import { commandSegment } from '../services/dos/layout.ts';
import { TestMachine } from '../services/dos/test-machine-testing.ts';
import { expandVariables, parseLine, splitCommand } from './command-line.ts';
import { Shell } from './shell.ts';

let folder = '';
let machine: TestMachine;
let shell: Shell;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dos-shell-'));
  writeFileSync(join(folder, 'hello.txt'), 'hello\r\n');
  writeFileSync(join(folder, 'prog.com'), Uint8Array.of(0xc3));
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'sub', 'inner.txt'), 'inner\r\n');
  machine = TestMachine.over(folder);
  shell = new Shell(machine.kernel, { commands: [], interactive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const enter = (line: string) => machine.enter(line);

const file = (name: string) => enter(`type ${name}`);

test('a program that has written over the handles leaves a shell that speaks on the screen', () => {
  machine.resume();
  const { processes } = machine.kernel.dos;
  processes.setHandle(processes.current, 1, 0xff);
  expect(enter('echo hi')).toBe('hi\r\n');
  expect(enter('nosuch')).toContain('Bad command');
});

describe('lines', () => {
  test('pipes and redirections', () => {
    expect(parseLine('a <in | b "x|y" >>out', () => 'TMP')).toEqual([
      { text: 'a  ', input: 'in', output: 'TMP', append: false },
      { text: ' b "x|y" ', input: 'TMP', temporary: 'TMP', output: 'out', append: true },
    ]);
    expect(parseLine('a >', () => 'TMP')).toBeUndefined();
    expect(parseLine('a | ', () => 'TMP')).toBeUndefined();
  });

  test('names of commands end where DOS ends them', () => {
    expect(splitCommand('cd\\sub')).toEqual({ name: 'cd', tail: '\\sub' });
    expect(splitCommand('dir/w')).toEqual({ name: 'dir', tail: '/w' });
    expect(splitCommand('echo.x')).toEqual({ name: 'echo', tail: '.x' });
    expect(splitCommand('prog.com a')).toEqual({ name: 'prog.com', tail: ' a' });
  });

  test('variables', () => {
    const expand = (line: string) =>
      expandVariables(
        line,
        (index) => `<${index}>`,
        (name) => `{${name}}`,
      );
    expect(expand('%1 %PATH% %%a 5%')).toBe('<1> {PATH} %a 5');
  });
});

describe('files', () => {
  test('shows the prompt, changes directory', () => {
    machine.resume();
    expect(machine.screenText).toBe('\r\nC:\\>');
    expect(enter('cd sub')).toBe('');
    expect(enter('cd')).toBe('C:\\SUB\r\n');
    expect(enter('cd nowhere')).toBe('Invalid directory\r\n');
    expect(enter('cd ..')).toBe('');
    expect(enter('md new')).toBe('');
    expect(enter('md new')).toBe('Directory already exists\r\n');
    expect(enter('rd new')).toBe('');
    expect(enter('rd sub')).toBe('Invalid path, not directory,\r\nor directory not empty\r\n');
    expect(enter('q:')).toBe('Invalid drive specification\r\n');
  });

  test('dir', () => {
    const shown = enter('dir');
    expect(shown).toContain(' Volume in drive C has no label\r\n');
    expect(shown).toContain(' Directory of C:\\\r\n');
    expect(shown).toMatch(/HELLO {4}TXT {9}7 \d\d-\d\d-\d\d/);
    expect(shown).toMatch(/SUB {10}<DIR> /);
    expect(shown).toMatch(/3 file\(s\) {10}8 bytes\r\n +\d+ bytes free/);
    expect(enter('dir /b *.txt')).toBe('HELLO.TXT\r\n');
    expect(enter('dir /b/s *.txt')).toBe('C:\\HELLO.TXT\r\nC:\\SUB\\INNER.TXT\r\n');
    expect(enter('dir /b/ad')).toBe('SUB\r\n');
    expect(enter('dir nothing')).toContain('File not found\r\n');
  });

  test('copy, type, ren, del', () => {
    expect(enter('copy hello.txt h2.txt')).toBe('        1 file(s) copied\r\n');
    expect(enter('copy hello.txt+sub\\inner.txt both.txt')).toBe('        1 file(s) copied\r\n');
    expect(file('both.txt')).toBe('hello\r\ninner\r\n');
    expect(enter('copy *.txt sub')).toBe('        3 file(s) copied\r\n');
    expect(enter('copy hello.txt hello.txt')).toContain('onto itself');
    expect(enter('copy no.txt x')).toBe('File not found - no.txt\r\n');
    expect(enter('ren *.txt *.bak')).toBe('');
    expect(enter('dir /b *.bak')).toBe('HELLO.BAK\r\nH2.BAK\r\nBOTH.BAK\r\n');
    expect(enter('del h2.bak')).toBe('');
    expect(enter('del h2.bak')).toBe('File not found\r\n');
    expect(enter('del sub')).toBe('All files in directory will be deleted!\r\nAre you sure (Y/N)?');
    machine.type('y\r');
    machine.resume();
    expect(enter('dir /b sub')).toBe('File not found\r\n');
    expect(file('no.txt')).toBe('File not found\r\n');
  });

  test('copy con waits for lines until Ctrl-Z', () => {
    enter('copy con new.txt');
    machine.type('one\r');
    expect(machine.resume()).toBe('wait');
    machine.type('two\r\x1a\r');
    machine.resume();
    expect(machine.screenText).toContain('1 file(s) copied');
    expect(file('new.txt')).toBe('one\r\ntwo\r\n');
  });
});

test('mem says how much there is and who has it, help what there is to type', () => {
  expect(enter('mem')).toMatch(/Conventional +655360 +\d{6}\r\n.*Largest program: \d{6} bytes/s);
  expect(enter('mem /c')).toMatch(/free\r\n/);
  expect(enter('help')).toMatch(/MEM {6}Shows how much memory/);
  expect(enter('help dir')).toMatch(/^DIR {2}Lists files/);
  expect(enter('help xyz')).toBe('No help for XYZ\r\n');
});

describe('environment and settings', () => {
  test('set, path, prompt', () => {
    expect(enter('set A=b c')).toBe('');
    expect(enter('set')).toBe('COMSPEC=C:\\COMMAND.COM\r\nPATH=C:\\\r\nA=b c\r\n');
    expect(enter('set x')).toBe('Syntax error\r\n');
    expect(enter('path c:\\sub')).toBe('');
    expect(enter('path')).toBe('PATH=C:\\SUB\r\n');
    expect(enter(`set BIG=${'x'.repeat(100)}`)).toBe('');
    enter('prompt $n$g');
    machine.resume();
    expect(machine.screenText).toMatch(/\r\nC>$/);
  });

  test('ver, vol, date, time, cls', () => {
    expect(enter('ver')).toContain('Version 5.00');
    expect(enter('vol')).toContain('has no label');
    expect(enter('date')).toBe('Current date is Wed 03-04-1992\r\nEnter new date (mm-dd-yy): ');
    machine.type('13-1-93\r');
    machine.resume();
    expect(machine.screenText).toContain('Invalid date');
    machine.type('12-1-93\r');
    machine.resume();
    expect(machine.moment).toMatchObject({ year: 1993, month: 12, day: 1 });
    expect(enter('time 3:04p')).toBe('');
    expect(machine.moment).toMatchObject({ hour: 15, minute: 4, second: 0 });
    expect(enter('time 25:00')).toBe('Invalid time\r\n');
    enter('cls');
    expect(machine.cleared).toHaveLength(1);
  });
});

describe('programs', () => {
  test('runs, with arguments and redirection, and reports what is missing', () => {
    expect(enter('nothing')).toBe('Bad command or file name\r\n');
    enter('prog a:one two >out.txt');
    const process = machine.guest.cs;
    expect(machine.guest.ip).toBe(0x100);
    expect(machine.textAt(process, 0x81).replace(/\r.*/s, '')).toBe(' a:one two ');
    expect(machine.memory.read8(linear(process, 0x5c))).toBe(1);
    expect(machine.textAt(process, 0x5d).slice(0, 11)).toBe('ONE        ');
    machine.dos(0x0900, machine.text('from the program$'));
    machine.dos(0x4c07);
    expect(machine.resume()).toBe('wait');
    expect(shell.errorLevel).toBe(7);
    expect(file('out.txt')).toBe('from the program');
    expect(machine.kernel.dos.processes.current).toBe(commandSegment);
  });

  test('a pipe runs one after the other', () => {
    enter('type hello.txt | prog');
    machine.dos(0x3f00, { bx: 0, cx: 100, ds: 0x7000, dx: 0x9000 });
    expect(machine.guest.ax).toBe(7);
    machine.dos(0x4c00);
    machine.resume();
    expect(enter('dir /b *.$$$')).toBe('File not found\r\n');
  });

  test('INT 2Eh runs a command for a program and comes back', () => {
    enter('prog');
    const process = machine.guest.cs;
    machine.text(`${String.fromCharCode(9)}echo two!\r`, 0x9000);
    machine.screenText = '';
    expect(machine.interrupt(0x2e, { ds: 0x7000, si: 0x9000 })).toBe('back');
    expect(machine.screenText).toBe('two!\r\n');
    expect(machine.kernel.dos.processes.current).toBe(process);
    machine.text(`${String.fromCharCode(4)}prog\r`, 0x9000);
    expect(machine.interrupt(0x2e, { ds: 0x7000, si: 0x9000 })).toBe('back');
    expect(machine.screenText).toContain('Insufficient memory');
    machine.dos(0x4a00, { es: process, bx: 0x100 });
    expect(machine.interrupt(0x2e, { ds: 0x7000, si: 0x9000 })).toBe('away');
    expect(machine.guest.cs).toBeGreaterThan(process);
    const { ss, sp } = machine.guest;
    machine.dos(0x4c05);
    expect(machine.kernel.dos.processes.current).toBe(process);
    expect(shell.errorLevel).toBe(5);
    expect([ss, sp]).toHaveLength(2);
    machine.dos(0x4c00);
    expect(machine.resume()).toBe('wait');
    expect(machine.screenText).toMatch(/C:\\>$/);
  });

  test('EXIT leaves only what has somewhere to go', () => {
    expect(enter('exit')).toBe('');
    expect(enter('cd')).toBe('C:\\\r\n');
  });

  test('without a prompt it ends', () => {
    const alone = new Shell(machine.kernel, { commands: ['echo one >a.txt', 'prog x'], interactive: false });
    expect(machine.resume()).toBe('away');
    expect(alone.finished).toBe(false);
    machine.dos(0x4c03);
    expect(machine.resume()).toBe('wait');
    expect(alone).toMatchObject({ finished: true, errorLevel: 3 });
  });
});

describe('batch files', () => {
  const batch = (name: string, ...lines: string[]) => writeFileSync(join(folder, name), lines.join('\r\n'));

  test('parameters, goto, if, shift, for, call', () => {
    batch(
      'b.bat',
      '@echo off',
      ':again',
      'if "%1"=="" goto end',
      'echo %1',
      'shift',
      'goto again',
      ':end',
      'if exist hello.txt echo there',
      'if not exist hello.txt echo not there',
      'for %%f in (x *.txt) do echo for %%f',
      'call c one',
      'echo %A% done',
    );
    batch('c.bat', 'echo called %1 %0', 'set A=variable');
    expect(enter('b 1 2')).toBe('1\r\n2\r\nthere\r\nfor x\r\nfor HELLO.TXT\r\ncalled one c\r\nvariable done\r\n');
  });

  test('one that FOR calls runs to its end before the next is called; one that is not called ends the FOR', () => {
    batch('c.bat', '@echo first %1', '@call d %1', '@echo last %1');
    batch('d.bat', '@echo inner %1');
    batch('gone.bat', 'goto %1');
    batch(
      'b.bat',
      '@echo off',
      'for %%f in (1 2) do call c %%f',
      'echo rest',
      'for %%f in (3 4) do c %%f',
      'echo never',
    );
    expect(enter('b')).toBe(
      ['first 1', 'inner 1', 'last 1', 'first 2', 'inner 2', 'last 2', 'rest', 'first 3', 'inner 3', 'last 3', ''].join(
        '\r\n',
      ),
    );
    expect(enter('for %f in (a b) do @call gone %f')).toContain('Label not found\r\n\r\nC:\\>goto b');
  });

  test('is over before what was typed after it begins', () => {
    batch('set.bat', '@set NAME=value', '@set OTHER=more');
    batch('show.bat', '@echo %NAME% %OTHER%');
    const alone = new Shell(machine.kernel, { commands: ['set.bat', 'call show', 'echo end'], interactive: false });
    machine.screenText = '';
    machine.resume();
    expect(machine.screenText).toBe('value more\r\nend\r\n');
    expect(alone.finished).toBe(true);
  });

  test('leaves ECHO as its caller had it', () => {
    batch('quiet.bat', '@echo off', 'rem hidden');
    batch('b.bat', '@call quiet', 'rem shown', '@echo off', '@quiet');
    expect(enter('b')).toBe('\r\nC:\\>rem shown\r\n');
    expect(enter('echo')).toBe('ECHO is on\r\n');
    enter('echo off');
    enter('b');
    expect(enter('echo')).toContain('ECHO is off\r\n');
    // There is no prompt either until it is on again.
    expect(machine.screenText).not.toMatch(/C:\\>$/);
    enter('ver');
    expect(machine.screenText).not.toMatch(/C:\\>$/);
    enter('echo on');
    expect(machine.screenText).toMatch(/C:\\>$/);
  });

  test('echoes its lines and pauses; errorlevel', () => {
    batch('d.bat', 'prog', 'if errorlevel 3 pause', 'goto nowhere', 'echo not reached');
    enter('d');
    machine.dos(0x4c03);
    machine.resume();
    expect(machine.screenText).toContain('C:\\>if errorlevel 3 pause\r\nPress any key to continue . . .');
    machine.type('x');
    machine.resume();
    expect(machine.screenText).toContain('Label not found');
    expect(machine.screenText).not.toContain('not reached');
  });

  test('Ctrl-C asks whether to go on', () => {
    batch('e.bat', '@pause', '@echo after');
    enter('e');
    machine.type('\x03');
    machine.resume();
    expect(machine.screenText).toContain('^C\r\nTerminate batch job (Y/N)?');
    machine.type('n\r');
    machine.resume();
    expect(machine.screenText).toContain('after');
  });

  test('an endless batch file leaves the machine its turns, and a snapshot holds its place', () => {
    batch('f.bat', '@echo off', ':top', 'pause', 'echo x', 'goto top');
    enter('f');
    const saved = shell.save();
    machine.type('a');
    machine.resume();
    expect(machine.screenText).toMatch(/x\r\nPress any key/);
    shell.restore(saved);
    machine.type('b');
    machine.resume();
    expect(machine.screenText.match(/x\r\nPress any key/g)).toHaveLength(2);
  });
});

describe('COUNTRY= of CONFIG.SYS', () => {
  const shown = (country: string, commands: readonly string[]) =>
    new SystemBench({ 'config.sys': country, 'a.txt': 'x' }, commands).run(400_000).screen.split('\n');

  test('is how DATE, TIME and DIR write, and what they read', () => {
    const commands = ['date 24.12.93', 'time 17.30.05,50', 'dir a.txt', 'date'];
    const lines = shown('COUNTRY=049', commands);
    expect(lines).toContain('A        TXT         1 01.01.80   0.00');
    expect(lines.find((line) => line.startsWith('Current date'))).toBe('Current date is Fri 24.12.1993');
    expect(lines).toContain('Enter new date (dd-mm-yy):');
  });

  test('24 hours or 12, the year first or last', () => {
    expect(shown('COUNTRY=046', ['time 17:30:05', 'time']).at(-2)).toMatch(/^Current time is 17\.30\.05,\d\d$/);
    expect(shown('COUNTRY=046', ['date'])).toContain('Current date is Sat 1994-01-01');
    expect(shown('COUNTRY=044', ['time 17:30:05', 'time']).at(-2)).toMatch(/^Current time is {2}5:30:05\.\d\dp$/);
    expect(shown('', ['date'])).toContain('Enter new date (mm-dd-yy):');
  });
});

describe('programs that come with DOS', () => {
  beforeEach(() => {
    writeFileSync(join(folder, 'list.txt'), 'pear\r\nApple\r\nfig\r\napple pie\r\n\x1aold');
    writeFileSync(join(folder, 'long.txt'), Array.from({ length: 60 }, (_, line) => `line ${line + 1}\r\n`).join(''));
    machine = TestMachine.over(folder);
    shell = new Shell(machine.kernel, { commands: [], interactive: true });
  });

  test('FIND', () => {
    expect(enter('find "apple" list.txt')).toBe('\r\n---------- LIST.TXT\r\napple pie\r\n');
    expect(enter('find /i /n "APPLE" < list.txt')).toBe('[2]Apple\r\n[4]apple pie\r\n');
    expect(enter('find /v "e" list.txt hello.txt')).toBe(
      '\r\n---------- LIST.TXT\r\nfig\r\n\r\n---------- HELLO.TXT\r\n',
    );
    expect(enter('find /c/v "zzz" list.txt')).toBe('\r\n---------- LIST.TXT: 4\r\n');
    expect(enter('type list.txt | find /c "pp"')).toBe('2\r\n');
    expect(shell.errorLevel).toBe(0);
    expect(enter('find "zzz" list.txt')).toBe('\r\n---------- LIST.TXT\r\n');
    expect(shell.errorLevel).toBe(1);
    expect(enter('find pear list.txt')).toBe('FIND: Parameter format not correct\r\n');
    expect(enter('find /q "a" list.txt')).toBe('Invalid switch - /Q\r\n');
    expect(enter('find "a" none.txt')).toBe('File not found\r\n');
  });

  test('SORT', () => {
    expect(enter('sort < list.txt')).toBe('Apple\r\napple pie\r\nfig\r\npear\r\n');
    expect(enter('type list.txt | sort /r')).toBe('pear\r\nfig\r\napple pie\r\nApple\r\n');
    expect(enter('sort /+3 list.txt')).toBe('pear\r\nfig\r\nApple\r\napple pie\r\n');
    enter('sort list.txt > sorted.txt');
    expect(file('sorted.txt')).toBe('Apple\r\napple pie\r\nfig\r\npear\r\n');
  });

  test('SORT of what is typed ends with Ctrl-Z', () => {
    enter('sort');
    machine.type('two\rone\r\x1a\r');
    machine.resume();
    expect(machine.screenText).toMatch(/\^Z\r\none\r\ntwo\r\n\r\nC:\\>$/);
  });

  test('MORE waits at the keyboard', () => {
    expect(enter('more < long.txt')).toMatch(/^line 1\r\n[\s\S]*line 24\r\n-- More --$/);
    machine.screenText = '';
    machine.type(' ');
    machine.resume();
    expect(machine.screenText).toMatch(/^\r\nline 25\r\n[\s\S]*line 48\r\n-- More --$/);
    machine.type('x');
    machine.resume();
    expect(machine.screenText).toMatch(/line 60\r\n\r\nC:\\>$/);
    enter('type list.txt | more > out.txt');
    expect(file('out.txt')).toBe('pear\r\nApple\r\nfig\r\napple pie\r\n');
  });

  test('CHOICE', () => {
    enter('choice /c:abc Which one');
    expect(machine.screenText).toContain('Which one[A,B,C]?');
    machine.type('xb');
    machine.resume();
    expect(machine.screenText).toMatch(/\?\x07B\r\n/);
    expect(shell.errorLevel).toBe(2);
    expect(enter('choice /c:ab /t:z,5')).toBe('Timeout default not in specified (or default) choices.\r\n');
    enter('choice /n /s /c:aA');
    machine.type('A');
    machine.resume();
    expect(shell.errorLevel).toBe(2);
  });

  test('ATTRIB', () => {
    expect(enter('attrib +r +h hello.txt')).toBe('');
    expect(enter('attrib hello.txt')).toMatch(/^ {2}[A ] {3}HR {5}C:\\HELLO\.TXT\r\n$/);
    expect(enter('del hello.txt')).not.toBe('');
    expect(enter('attrib -r -h -a hello.txt')).toBe('');
    expect(enter('attrib hello.txt')).toBe('             C:\\HELLO.TXT\r\n');
    expect(enter('attrib +a *.txt /s')).toBe('');
    expect(enter('attrib i*.txt /s')).toBe('  A          C:\\SUB\\INNER.TXT\r\n');
    expect(enter('attrib +x hello.txt')).toBe('Parameter format not correct - +x\r\n');
    expect(enter('attrib nothing.txt')).toBe('File not found - NOTHING.TXT\r\n');
  });

  test('one on the drive comes first', () => {
    writeFileSync(join(folder, 'sort.bat'), '@echo own\r\n');
    machine = TestMachine.over(folder);
    shell = new Shell(machine.kernel, { commands: [], interactive: true });
    expect(enter('sort list.txt')).toBe('own\r\n');
  });
});

test.each([
  ['dir /q', 'Invalid switch - /Q'],
  ['dir x:', 'Invalid drive specification'],
  ['copy /q hello.txt b.txt', 'Invalid switch - /Q'],
  ['copy hello.txt a.txt b.txt', 'Too many parameters - b.txt'],
  ['type hello.txt b.txt', 'Too many parameters - b.txt'],
  ['cd sub more', 'Too many parameters - more'],
  ['mem /x', 'Invalid switch - /X'],
])('%s: %s', (line, error) => {
  expect(enter(line)).toBe(`${error}\r\n`);
});

test('DEL /P asks for each file', () => {
  writeFileSync(join(folder, 'other.txt'), '');
  machine = TestMachine.over(folder);
  shell = new Shell(machine.kernel, { commands: [], interactive: true });
  expect(enter('del *.txt /p')).toBe('C:\\HELLO.TXT,    Delete (Y/N)?');
  machine.type('n\ry\r');
  machine.resume();
  expect(enter('dir /b *.txt')).toBe('HELLO.TXT\r\n');
});

describe('LABEL', () => {
  const answer = (text: string) => {
    machine.screenText = '';
    machine.type(`${text}\r`);
    machine.resume();
    return machine.screenText;
  };

  test('names a drive, and takes what cannot be in a name for an error', () => {
    expect(enter('label c:work disk')).toBe('');
    expect(enter('vol c:')).toContain(' Volume in drive C is WORK DISK\r\n');
    for (const wrong of ['a.b', 'twelve chars']) {
      expect(enter(`label ${wrong}`)).toBe('Invalid characters in volume label\r\n');
    }
    expect(enter('label q:x')).toBe('Invalid drive specification\r\n');
    expect(enter('vol')).toContain('is WORK DISK\r\n');
  });

  test('asks for the name, and whether the one there is shall go', () => {
    expect(enter('label')).toMatch(/has no label\r\n.*\r\nVolume label \(11 characters, ENTER for none\)\? $/s);
    expect(answer('')).not.toContain('Delete');
    enter('label');
    answer('mine');
    expect(enter('label')).toContain(' Volume in drive C is MINE\r\n');
    expect(answer('')).toContain('Delete current volume label (Y/N)? ');
    answer('n');
    expect(enter('vol')).toContain('is MINE\r\n');
    enter('label');
    answer('');
    answer('y');
    expect(enter('vol')).toContain('has no label\r\n');
  });

  test('a program of that name comes first', () => {
    writeFileSync(join(folder, 'label.com'), Uint8Array.of(0xc3));
    enter('label');
    expect(machine.screenText).not.toContain('Volume label');
  });
});

test('CHCP tells the code page, and that there is no other', () => {
  expect(enter('chcp')).toBe('\r\nActive code page: 437\r\n');
  expect(enter('chcp 437')).toBe('');
  expect(enter('chcp 850')).toBe('NLSFUNC not installed\r\n');
  expect(enter('chcp x')).toBe('Invalid code page\r\n');
});
