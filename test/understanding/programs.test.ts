import { afterEach, expect, test } from 'vitest';
import { assemble } from '../../src/machines/dos/assembler/assemble.ts';
import { here } from '../support/tool-bench.ts';
import { DosDesk } from './dos-desk.ts';

let desk: DosDesk;
afterEach(() => desk?.close());

/** A COM file that prints and waits for a key. */
function printing(text: string, then = 'mov ah,0\nint 16h\nint 20h'): Uint8Array {
  const { bytes, errors } = assemble(`mov ah,9\nmov dx,text\nint 21h\n${then}\ntext: db '${text}$'`);
  expect(errors).toEqual([]);
  return bytes;
}

const screen = () => desk.call('screen_read', { mode: 'text' });

test('of files with the same beginning, the one that was asked for starts', async () => {
  const files = { 'verylongname1.com': printing('first'), 'verylongname2.com': printing('second') };
  desk = await DosDesk.open(files, { program: 'verylongname2.com' });
  expect(await screen()).toContain('second');
  expect(await screen()).not.toContain('first');
});

test('a folder above the program is drive C:, and the program starts where it lies', async () => {
  // Opens a file beside itself: mov ax,3d00; mov dx,name; int 21; jc fail
  const { bytes } = assemble(`
    mov ax,3d00h
    mov dx,name
    int 21h
    mov dx,yes
    jnc .say
    mov dx,no
.say: mov ah,9
    int 21h
    mov ah,0
    int 16h
    int 20h
name: db 'DATA.TXT',0
yes: db 'found it$'
no: db 'lost it$'`);
  const files = { 'games/a long folder/go.com': bytes, 'games/a long folder/data.txt': Buffer.from('x') };
  desk = await DosDesk.open(files, { program: 'games/a long folder/go.com', folder: '.' });
  expect(await screen()).toContain('found it');
});

test('a program that is not on drive C:, or that DOS refuses, is an error', async () => {
  const files = { 'a/go.com': printing('x'), 'b/other.com': printing('y'), 'notes.txt': Buffer.from('hello') };
  await expect(DosDesk.open(files, { program: 'a/go.com', folder: 'b' })).rejects.toThrow(/go\.com is not on drive C:/);
  await expect(DosDesk.open(files, { program: 'notes.txt' })).rejects.toThrow(
    'C:\\NOTES.TXT did not start: Bad command or file name.',
  );
  const huge = new Uint8Array(0x10000).fill(0x90);
  await expect(DosDesk.open({ 'HUGE.COM': huge }, { program: 'HUGE.COM' })).rejects.toThrow(
    /C:\\HUGE\.COM did not start: /,
  );
});

test('a program of a zip file or image is named as DOS does', async () => {
  desk = await DosDesk.open({ 'sub/go.com': printing('from a path') }, { program: 'C:\\SUB\\GO.COM' });
  expect(await screen()).toContain('from a path');
});

test('bytes are a COM file, and a source is assembled', async () => {
  desk = await DosDesk.open({});
  // mov ah,2; mov dl,'!'; int 21; ret
  await desk.call('program_run', { bytes: 'b402 b221 cd21 c3' });
  expect(await screen()).toContain('!');
  const answer = await desk.call('program_run', {
    source: "start: mov ah,9\n mov dx,hello\n int 21h\nwait_here: jmp wait_here\nhello: db 'built here$'",
  });
  expect(answer).toMatch(/loaded ....:0100-....:....*, start ....:0100\n\d+ bytes as C:\\SOURCE\.COM/);
  expect(await desk.call('program_run', { source: 'ret', start: false })).toContain('\n1 byte as C:\\SOURCE.COM');
  expect(await screen()).toContain('built here');
  expect(answer).toMatch(/at ....:0107 wait_here/);
  expect(await desk.call('program_run', { source: 'mov [bx],5\nfoo ax' })).toMatch(
    /The source does not assemble\.\nline 1: How large .*\nline 2: foo is not an instruction/s,
  );
});

test('a machine that is busy refuses another program', async () => {
  desk = await DosDesk.open({ 'EDIT.COM': printing('busy') }, { program: 'EDIT.COM' });
  const answer = await desk.call('program_run', { bytes: 'c3' });
  expect(answer).toMatch(/ERROR C:\\EDIT\.COM is using the machine, so no command can be typed\./);
  expect(answer).toContain('machine_start');
  expect(await screen()).not.toContain('BYTES');
  await desk.call('input_send', { keys: ['a'] });
  await desk.call('run', { frames: 10 });
  await desk.call('input_send', { text: 'dir half' });
  await desk.call('program_run', { bytes: 'b402 b221 cd21 c3' });
  expect(await screen()).toMatch(/C:\\BYTES\.COM\s*\n!/);
});

test('what is on the drive stays: another file of that name gets another one', async () => {
  desk = await DosDesk.open({ 'bytes.com': printing('mine') });
  const answer = await desk.call('program_run', { bytes: 'b402 b221 cd21 c3' });
  expect(answer).toContain('C:\\BYTES~1.COM');
  await desk.call('input_send', { text: 'bytes\n' });
  await desk.call('run', { frames: 20 });
  expect(await screen()).toContain('mine');
});

test('a program that was put there is there again when the past is run again', async () => {
  desk = await DosDesk.open({}, {}, here);
  await desk.call('program_run', { bytes: 'b402 b221 cd21 b400 cd16 c3' });
  const shown = async () => (await screen()).split('\n').slice(2, -1);
  const before = await shown();
  expect(before.join()).toContain('!');
  const { control } = desk.machine;
  const end = control.now;
  await desk.call('run', { back: true, frames: 250 });
  expect(control.now).toBeLessThan(end);
  control.timeline.runTo(end, Number.POSITIVE_INFINITY);
  expect(await shown()).toEqual(before);
});

test('a CONFIG.SYS beside a program is obeyed when somebody asks for it', async () => {
  const files = { 'GO.COM': printing('x'), 'CONFIG.SYS': Buffer.from('DEVICE=NOSUCH.SYS\r\n') };
  desk = await DosDesk.open(files, { program: 'GO.COM' });
  expect(await screen()).not.toContain('NOSUCH');
  await desk.close();
  desk = await DosDesk.open(files, { program: 'GO.COM', config_sys: true });
  expect(await screen()).toContain('NOSUCH');
});

test('the entry of the parent directory has the date of its directory', async () => {
  desk = await DosDesk.open({ 'SUB/X.TXT': Buffer.from('x') }, { commands: ['DIR SUB'] });
  const text = await screen();
  expect(text).toMatch(/\.\. +<DIR> +\d\d-\d\d-\d\d/);
  expect(text).not.toContain('00-80');
});
