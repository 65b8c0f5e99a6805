import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProcessorMachine } from './processor-machine-testing.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dos-programs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const program = (name: string, ...bytes: (number | string)[]) =>
  writeFileSync(
    join(folder, name),
    Uint8Array.from(bytes.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : [part]))),
  );

function run(commands: string[], keys = ''): ProcessorMachine {
  const machine = new ProcessorMachine(folder, commands);
  for (const key of keys) machine.keys.push({ ascii: key.charCodeAt(0), scan: 0 });
  machine.run(200_000);
  expect(machine.shell.finished, machine.screenText).toBe(true);
  return machine;
}

/** mov ah,4Ch / mov al,code / int 21h */
const exit = (code: number) => [0xb4, 0x4c, 0xb0, code, 0xcd, 0x21];
/** mov ah,2 / mov dl,letter / int 21h */
const print = (letter: string) => [0xb4, 0x02, 0xb2, letter.charCodeAt(0), 0xcd, 0x21];

test('prints and ends by returning to the start of its prefix', () => {
  // mov dx,108h / mov ah,9 / int 21h / ret
  program('hello.com', 0xba, 0x08, 0x01, 0xb4, 0x09, 0xcd, 0x21, 0xc3, 'hello$');
  expect(run(['hello', 'echo done']).screenText).toBe('hellodone\r\n');
});

test('calls functions through CALL 5', () => {
  // mov cl,2 / mov dl,'A' / call 5 / mov dl,'B' / call 5 / exit
  program('five.com', 0xb1, 2, 0xb2, 0x41, 0xe8, 0xfe, 0xfe, 0xb2, 0x42, 0xe8, 0xf9, 0xfe, ...exit(3));
  const machine = run(['five']);
  expect(machine.screenText).toBe('AB');
  expect(machine.shell.errorLevel).toBe(3);
});

test('starts another program and goes on after it with its registers', () => {
  program('child.com', ...print('c'), ...exit(9));
  // Shrinks its block, points the parameter block at its own segment, keeps DI over the call.
  program(
    'parent.com',
    ...[0xb4, 0x4a, 0xbb, 0x40, 0x00, 0xcd, 0x21], // mov ah,4Ah / mov bx,40h / int 21h
    ...[0xbc, 0x00, 0x04], // mov sp,400h
    ...[0x8c, 0x0e, 0x64, 0x01], // mov [164h],cs
    ...[0xbf, 0x5a, 0x00], // mov di,5Ah
    ...[0xba, 0x50, 0x01, 0xbb, 0x60, 0x01], // mov dx,150h / mov bx,160h
    ...[0xb8, 0x00, 0x4b, 0xcd, 0x21], // mov ax,4B00h / int 21h
    ...[0x8b, 0xd7, 0xb4, 0x02, 0xcd, 0x21], // mov dx,di / mov ah,2 / int 21h
    ...[0xb4, 0x4d, 0xcd, 0x21, 0xb4, 0x4c, 0xcd, 0x21], // mov ah,4Dh / int 21h / mov ah,4Ch / int 21h
    ...new Array(0x50 - 42).fill(0x90),
    'CHILD.COM\0\0\0\0\0\0\0',
    ...[0, 0, 0x80, 0, 0, 0, 0x5c, 0, 0, 0, 0x6c, 0, 0, 0],
  );
  const machine = run(['parent']);
  expect(machine.screenText).toBe('cZ');
  expect(machine.shell.errorLevel).toBe(9);
});

test('stays resident and answers its interrupt', () => {
  // mov dx,111h / mov ax,2560h / int 21h / mov dx,20h / mov ax,3100h / int 21h / handler: mov al,'R' / iret
  const install = [0xba, 0x10, 0x01, 0xb8, 0x60, 0x25, 0xcd, 0x21, 0xba, 0x20, 0x00, 0xb8, 0x00, 0x31, 0xcd, 0x21];
  program('tsr.com', ...install, 0xb2, 0x52, 0xcf);
  // int 60h / mov ah,2 / int 21h / int 20h
  program('use.com', 0xcd, 0x60, 0xb4, 0x02, 0xcd, 0x21, 0xcd, 0x20);
  expect(run(['tsr', 'use']).screenText).toBe('R');
});

test('handles Ctrl-C itself and goes on', () => {
  // mov dx,112h / mov ax,2523h / int 21h / mov ah,8 / int 21h / mov ah,2 / mov dl,al / int 21h …
  program(
    'brk.com',
    ...[0xba, 0x18, 0x01, 0xb8, 0x23, 0x25, 0xcd, 0x21, 0xb4, 0x08, 0xcd, 0x21],
    ...[0x88, 0xc2, 0xb4, 0x02, 0xcd, 0x21, ...exit(0)],
    ...[0x50, 0x52, ...print('!'), 0x5a, 0x58, 0xcf], // push ax / push dx / print / pop dx / pop ax / iret
  );
  expect(run(['brk'], '\x03x').screenText).toBe('^C\r\n!x');
});

test('fails a critical error and reads the code', () => {
  // mov dx,11Ch / mov ax,2524h / int 21h / mov dx,120h / mov ax,3D00h / int 21h / mov ah,4Ch / int 21h
  program(
    'crit.com',
    ...[0xba, 0x16, 0x01, 0xb8, 0x24, 0x25, 0xcd, 0x21, 0xba, 0x19, 0x01, 0xb8, 0x00, 0x3d, 0xcd, 0x21],
    ...[0xb4, 0x4c, 0xcd, 0x21, 0x90, 0x90],
    ...[0xb0, 0x03, 0xcf], // mov al,3 / iret
    'A:X\0',
  );
  expect(run(['crit']).shell.errorLevel).toBe(83);
});

test('calls the console driver by its header', () => {
  program(
    'drv.com',
    ...[0xb4, 0x52, 0xcd, 0x21], // mov ah,52h / int 21h
    ...[0x26, 0xc4, 0x7f, 0x0c], // les di,es:[bx+0Ch]
    ...[0x26, 0x8b, 0x45, 0x06, 0xa3, 0x40, 0x01, 0x8c, 0x06, 0x42, 0x01], // strategy to [140h]
    ...[0x26, 0x8b, 0x45, 0x08, 0xa3, 0x44, 0x01, 0x8c, 0x06, 0x46, 0x01], // interrupt to [144h]
    ...[0x8c, 0x0e, 0x60, 0x01, 0x0e, 0x07, 0xbb, 0x50, 0x01], // buffer segment / es = cs / mov bx,150h
    ...[0xff, 0x1e, 0x40, 0x01, 0xff, 0x1e, 0x44, 0x01, 0xcd, 0x20], // call far twice / int 20h
    ...new Array(0x50 - 49).fill(0),
    ...[0x16, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x70, 0x01], // request 8, buffer 170h
    ...[0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    'dev',
  );
  expect(run(['drv']).screenText).toBe('dev');
});

test('waits for a key with the processor halted, and redirected input needs none', () => {
  // mov ah,1 / int 21h / int 20h
  program('key.com', 0xb4, 0x01, 0xcd, 0x21, 0xcd, 0x20);
  const machine = new ProcessorMachine(folder, ['key']);
  machine.run(5_000);
  expect(machine.shell.finished).toBe(false);
  writeFileSync(join(folder, 'in.txt'), 'Q');
  expect(run(['key <in.txt']).screenText).toBe('Q');
});

test('COMMAND.COM runs one command, or a second interpreter until EXIT, or what a file says', () => {
  program('level.com', ...exit(4));
  expect(run(['z:\\command /c echo inside', 'echo outside']).screenText).toBe('inside\r\noutside\r\n');
  expect(run(['z:\\command /c level']).shell.errorLevel).toBe(4);
  const second = run(
    ['set A=1', 'z:\\command', 'set'],
    `set A=2\rset B=${'x'.repeat(100)}\rset\rlevel\rexit\r`,
  ).screenText;
  expect(second).toContain('PATH=C:\\\r\nA=2\r\nB=xxx');
  expect(second.endsWith('PATH=C:\\\r\nA=1\r\n')).toBe(true);
  writeFileSync(join(folder, 'script.txt'), 'echo one\r\necho two\r\n');
  expect(run(['z:\\command <script.txt >out.txt', 'find.com', 'type out.txt']).screenText).toContain('two\r\n');
});
