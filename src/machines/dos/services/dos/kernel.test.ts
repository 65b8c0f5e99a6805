import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { linear } from './far-pointer.ts';
import { commandSegment } from './layout.ts';
import { TestMachine } from './test-machine-testing.ts';

let folder = '';
let machine: TestMachine;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dos-kernel-'));
  writeFileSync(join(folder, 'hello.txt'), 'hello, world');
  mkdirSync(join(folder, 'sub'));
  machine = TestMachine.over(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

const buffer = 0x9000;
const home = 0x7000;
const bytesAt = (offset: number, length: number) =>
  new TextDecoder('latin1').decode(machine.memory.bytes(linear(home, offset), length));

function start(name: string, bytes: number[], tail = ''): void {
  writeFileSync(join(folder, name), Uint8Array.from(bytes));
  const block = 0xa000;
  const { memory } = machine;
  const tailText = String.fromCharCode(tail.length) + tail;
  for (const [i, value] of [0, 0xa100, home, 0xa200, home, 0xa200, home].entries()) {
    memory.write16(linear(home, block + i * 2), value);
  }
  machine.text(`${tailText}\r`, 0xa100);
  expect(machine.dos(0x4b00, { ...machine.text(`C:\\${name.toUpperCase()}`), es: home, bx: block }).outcome).toBe(
    'away',
  );
}

describe('handles', () => {
  test('open, read, seek, write, close', () => {
    const opened = machine.dos(0x3d02, machine.text('C:\\HELLO.TXT'));
    expect(opened).toMatchObject({ carry: false, ax: 5 });
    expect(machine.dos(0x3f00, { bx: 5, cx: 5, ds: home, dx: buffer }).ax).toBe(5);
    expect(bytesAt(buffer, 5)).toBe('hello');
    expect(machine.dos(0x4202, { bx: 5, cx: 0xffff, dx: 0xfffb })).toMatchObject({ carry: false, ax: 7 });
    machine.text('WORLD!', buffer);
    expect(machine.dos(0x4000, { bx: 5, cx: 6, ds: home, dx: buffer }).ax).toBe(6);
    expect(machine.dos(0x4200, { bx: 5, cx: 0, dx: 0 }).ax).toBe(0);
    expect(machine.dos(0x3f00, { bx: 5, cx: 100, ds: home, dx: buffer }).ax).toBe(13);
    expect(bytesAt(buffer, 13)).toBe('hello, WORLD!');
    expect(machine.dos(0x3e00, { bx: 5 }).carry).toBe(false);
    expect(machine.dos(0x3e00, { bx: 5 })).toMatchObject({ carry: true, ax: 6 });
    expect(machine.dos(0x5900, { bx: 0 }).ax).toBe(6);
  });

  test('failures carry the code of DOS', () => {
    expect(machine.dos(0x3d00, machine.text('NO.TXT'))).toMatchObject({ carry: true, ax: 2 });
    expect(machine.dos(0x3d00, machine.text('NO\\NO.TXT'))).toMatchObject({ carry: true, ax: 3 });
    expect(machine.dos(0x3d00, machine.text('Z:\\NO.TXT'))).toMatchObject({ carry: true, ax: 3 });
    expect(machine.dos(0x3d00, machine.text('SUB'))).toMatchObject({ carry: true, ax: 5 });
    expect(machine.dos(0x3d07, machine.text('HELLO.TXT'))).toMatchObject({ carry: true, ax: 12 });
    expect(machine.dos(0x3f00, { bx: 77, cx: 1 })).toMatchObject({ carry: true, ax: 6 });
    expect(machine.dos(0x4100, machine.text('NO.TXT'))).toMatchObject({ carry: true, ax: 2 });
  });

  test('create, duplicate, redirect and delete', () => {
    expect(machine.dos(0x3c00, { ...machine.text('SUB\\NEW.DAT'), cx: 0 }).ax).toBe(5);
    expect(machine.dos(0x4500, { bx: 5 }).ax).toBe(6);
    machine.text('abc', buffer);
    machine.dos(0x4000, { bx: 6, cx: 3, ds: home, dx: buffer });
    expect(machine.dos(0x4600, { bx: 5, cx: 1 }).carry).toBe(false);
    machine.dos(0x0200, { dx: 0x58 });
    expect(machine.dos(0x4201, { bx: 5, cx: 0, dx: 0 }).ax).toBe(4);
    expect(machine.dos(0x4100, machine.text('SUB\\NEW.DAT'))).toMatchObject({ carry: true, ax: 5 });
    for (const handle of [1, 5, 6]) machine.dos(0x3e00, { bx: handle });
    expect(machine.dos(0x4100, machine.text('SUB\\NEW.DAT')).carry).toBe(false);
  });

  test('runs out of handles and of nothing else', () => {
    for (let i = 5; i < 20; i++) expect(machine.dos(0x3d00, machine.text('HELLO.TXT')).ax).toBe(i);
    expect(machine.dos(0x3d00, machine.text('HELLO.TXT'))).toMatchObject({ carry: true, ax: 4 });
    expect(machine.dos(0x6700, { bx: 40 }).carry).toBe(false);
    expect(machine.dos(0x3d00, machine.text('HELLO.TXT')).ax).toBe(20);
  });
});

describe('directories and searches', () => {
  test('find first and next', () => {
    writeFileSync(join(folder, 'a.txt'), 'a');
    machine.dos(0x1a00, { ds: home, dx: buffer });
    expect(machine.dos(0x4e00, { ...machine.text('*.TXT'), cx: 0 }).carry).toBe(false);
    expect(machine.textAt(home, buffer + 0x1e)).toBe('A.TXT');
    expect(machine.dos(0x4f00).carry).toBe(false);
    expect(machine.textAt(home, buffer + 0x1e)).toBe('HELLO.TXT');
    expect(machine.memory.read32(linear(home, buffer + 0x1a))).toBe(12);
    expect(machine.dos(0x4f00)).toMatchObject({ carry: true, ax: 18 });
    expect(machine.dos(0x4e00, { ...machine.text('*.*'), cx: 0x10 }).carry).toBe(false);
    expect(machine.dos(0x4e00, { ...machine.text('NO\\*.*'), cx: 0x10 })).toMatchObject({ carry: true, ax: 3 });
  });

  test('make, change, ask and remove', () => {
    expect(machine.dos(0x3900, machine.text('SUB\\DEEP')).carry).toBe(false);
    expect(machine.dos(0x3b00, machine.text('\\SUB\\DEEP')).carry).toBe(false);
    machine.dos(0x4700, { dx: 0, ds: home, si: buffer });
    expect(machine.textAt(home, buffer)).toBe('SUB\\DEEP');
    expect(machine.dos(0x3a00, machine.text('\\SUB\\DEEP'))).toMatchObject({ carry: true, ax: 16 });
    expect(machine.dos(0x3b00, machine.text('..\\..')).carry).toBe(false);
    expect(machine.dos(0x3b00, machine.text('..'))).toMatchObject({ carry: true, ax: 3 });
    expect(machine.dos(0x3a00, machine.text('SUB\\DEEP')).carry).toBe(false);
    expect(machine.dos(0x3b00, machine.text('HELLO.TXT'))).toMatchObject({ carry: true, ax: 3 });
    expect(machine.dos(0x4700, { dx: 9, ds: home, si: buffer })).toMatchObject({ carry: true, ax: 15 });
  });

  test('attributes, times, renaming', () => {
    expect(machine.dos(0x4301, { ...machine.text('HELLO.TXT'), cx: 1 }).carry).toBe(false);
    machine.dos(0x4300, machine.text('HELLO.TXT'));
    expect(machine.guest.cx).toBe(1);
    expect(machine.dos(0x3d01, machine.text('HELLO.TXT'))).toMatchObject({ carry: true, ax: 5 });
    const { ds, dx } = machine.text('SUB\\H2.TXT', 0x8100);
    expect(machine.dos(0x5600, { ...machine.text('HELLO.TXT'), es: ds, di: dx }).carry).toBe(false);
    expect(machine.dos(0x5600, { ...machine.text('HELLO.TXT'), es: ds, di: dx })).toMatchObject({ carry: true, ax: 2 });
    machine.dos(0x3d00, machine.text('SUB\\H2.TXT'));
    machine.dos(0x5701, { bx: 5, cx: 0x1234, dx: 0x5678 });
    machine.dos(0x5700, { bx: 5, cx: 0, dx: 0 });
    expect(machine.guest).toMatchObject({ cx: 0x1234, dx: 0x5678 });
  });
});

describe('memory', () => {
  test('allocates, resizes, frees, and says how much there is', () => {
    const all = machine.dos(0x4800, { bx: 0xffff });
    expect(all).toMatchObject({ carry: true, ax: 8 });
    const largest = machine.guest.bx;
    expect(largest).toBeGreaterThan(0x9000);
    const { ax: first } = machine.dos(0x4800, { bx: 0x100 });
    const { ax: second } = machine.dos(0x4800, { bx: 0x200 });
    expect(second).toBe(first + 0x101);
    expect(machine.dos(0x4a00, { es: first, bx: 0x101 })).toMatchObject({ carry: true, ax: 8 });
    expect(machine.guest.bx).toBe(0x100);
    expect(machine.dos(0x4a00, { es: first, bx: 0x80 })).toMatchObject({ carry: false, ax: first });
    expect(machine.dos(0x4900, { es: second }).carry).toBe(false);
    expect(machine.dos(0x4900, { es: 0x1111 })).toMatchObject({ carry: true, ax: 9 });
    machine.dos(0x5801, { bx: 2 });
    const { ax: high } = machine.dos(0x4800, { bx: 0x10 });
    expect(high).toBe(0xa000 - 0x10);
    machine.memory.write8(linear(high - 1, 0), 0);
    expect(machine.dos(0x4800, { bx: 1 })).toMatchObject({ carry: true, ax: 7 });
  });
});

describe('programs', () => {
  test('a COM program gets its prefix, and its parent its code', () => {
    start('P.COM', [0xcd, 0x20], ' one two');
    const { guest, memory } = machine;
    const process = guest.cs;
    expect(guest).toMatchObject({ ip: 0x100, ds: process, es: process, ss: process, sp: 0xfffe });
    expect(memory.read16(linear(process, 0))).toBe(0x20cd);
    expect(memory.read16(linear(process, 0x16))).toBe(commandSegment);
    expect(memory.read8(linear(process, 0x80))).toBe(8);
    expect(machine.textAt(process, 0x81).slice(0, 9)).toBe(' one two\r');
    const environment = memory.read16(linear(process, 0x2c));
    const text = new TextDecoder('latin1').decode(memory.bytes(linear(environment, 0), 60));
    expect(text.slice(0, 44)).toBe('COMSPEC=C:\\COMMAND.COM\0PATH=C:\\\0\0\x01\0C:\\P.COM\0');
    expect(memory.bytes(linear(process, 0x18), 6)).toEqual(Uint8Array.of(0, 1, 2, 3, 4, 0xff));
    expect(machine.dos(0x4c2a)).toMatchObject({ outcome: 'back', carry: false });
    expect(machine.dos(0x4d00).ax).toBe(0x2a);
    expect(machine.dos(0x5100).outcome).toBe('back');
    expect(machine.guest.bx).toBe(commandSegment);
  });

  test('a child prefix is the one in use from then on', () => {
    machine.dos(0x5100);
    const parent = machine.guest.bx;
    const { ax: child } = machine.dos(0x4800, { bx: 0x10 });
    expect(machine.dos(0x5500, { dx: child, si: 0x9000 }).outcome).toBe('back');
    machine.dos(0x6200);
    expect(machine.guest.bx).toBe(child);
    expect([0x16, 0x02].map((at) => machine.memory.read16(linear(child, at)))).toEqual([parent, 0x9000]);
  });

  test('an EXE program is relocated and gets what it asks for', () => {
    const header = new Uint8Array(32);
    const view = new DataView(header.buffer);
    const words = [0x5a4d, 32 + 16, 1, 1, 2, 0x10, 0x20, 1, 0x80, 0, 4, 0, 0x1c, 0, 2, 0];
    for (const [index, word] of words.entries()) view.setUint16(index * 2, word, true);
    const image = [0xb8, 0, 1, 0, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90];
    start('E.EXE', [...header, ...image]);
    const { guest, memory } = machine;
    const process = guest.ds;
    expect(guest).toMatchObject({ cs: process + 0x10, ip: 4, ss: process + 0x11, sp: 0x80 });
    expect(memory.read16(linear(guest.cs, 2))).toBe(process + 0x11);
    expect(memory.read16(linear(process - 1, 3))).toBe(0x10 + 1 + 0x20);
    expect(machine.dos(0x4c00).outcome).toBe('back');
  });

  test('what is missing or broken is an error, and leaks no memory', () => {
    machine.dos(0x4800, { bx: 0xffff });
    const before = machine.guest.bx;
    expect(machine.dos(0x4b00, { ...machine.text('NO.COM'), es: home, bx: 0xa000 })).toMatchObject({
      carry: true,
      ax: 2,
    });
    const broken = new Uint8Array(64);
    broken.set([0x4d, 0x5a, 0, 0, 1, 0, 0, 0, 0xff, 0xff]);
    writeFileSync(join(folder, 'bad.exe'), broken);
    machine.dos(0x3b00, machine.text('\\'));
    expect(machine.dos(0x4b00, { ...machine.text('HELLO.TXT'), es: home, bx: 0xa000 }).outcome).toBe('away');
    machine.dos(0x4c00);
    machine.dos(0x4800, { bx: 0xffff });
    expect(machine.guest.bx).toBe(before);
  });

  test('loads without running, and overlays to where they are wanted', () => {
    writeFileSync(join(folder, 'o.com'), Uint8Array.of(1, 2, 3, 4));
    const { memory } = machine;
    for (const [i, value] of [0, 0xa100, home, 0xa200, home, 0xa200, home].entries()) {
      memory.write16(linear(home, 0xa000 + i * 2), value);
    }
    machine.text('\0\r', 0xa100);
    expect(machine.dos(0x4b01, { ...machine.text('O.COM'), es: home, bx: 0xa000 })).toMatchObject({ carry: false });
    const process = memory.read16(linear(home, 0xa014));
    expect(memory.read16(linear(home, 0xa012))).toBe(0x100);
    expect(memory.read16(linear(home, 0xa00e))).toBe(0xfffc);
    expect(machine.kernel.dos.processes.current).toBe(process);
    machine.dos(0x4c00);
    memory.write16(linear(home, 0xa000), 0x6000);
    memory.write16(linear(home, 0xa002), 0x6000);
    expect(machine.dos(0x4b03, { ...machine.text('O.COM'), es: home, bx: 0xa000 }).carry).toBe(false);
    expect(memory.bytes(linear(0x6000, 0), 4)).toEqual(Uint8Array.of(1, 2, 3, 4));
    expect(machine.dos(0x4b02, { ...machine.text('O.COM'), es: home, bx: 0xa000 })).toMatchObject({
      carry: true,
      ax: 1,
    });
    expect(machine.dos(0x4b03, { ...machine.text('NO'), es: home, bx: 0xa000 })).toMatchObject({ carry: true, ax: 2 });
  });

  test('INT 27h keeps what lies below DX', () => {
    writeFileSync(join(folder, 'Q.COM'), Uint8Array.of(0));
    start('R.COM', [0]);
    const process = machine.guest.cs;
    expect(machine.interrupt(0x27, { dx: 0x210 })).toBe('back');
    expect(machine.kernel.dos.blocks.read(process - 1)).toMatchObject({ owner: process, paragraphs: 0x21 });
    start('Q.COM', [0]);
    expect(machine.interrupt(0x20)).toBe('back');
    expect(machine.dos(0x4d00).ax).toBe(0);
  });

  test('a file that EXEPACK made lies above the first 64 KiB', () => {
    const header = new Uint8Array(32);
    const view = new DataView(header.buffer);
    const words = [0x5a4d, 32 + 16, 1, 0, 2, 0x10, 0xffff, 1, 0x80, 0, 4, 0, 0x1c, 0, 0, 0];
    for (const [index, word] of words.entries()) view.setUint16(index * 2, word, true);
    start('K.EXE', [...header, 0x90, 0x90, 0x52, 0x42, ...new Array(12).fill(0x90)]);
    expect(machine.guest.ds).toBe(0x1000);
    machine.dos(0x4c00);
  });

  test('stays resident with its memory and files', () => {
    start('T.COM', [0]);
    const process = machine.guest.cs;
    expect(machine.dos(0x3107, { dx: 0x30 }).outcome).toBe('back');
    expect(machine.dos(0x4d00).ax).toBe(0x307);
    const block = [...machine.kernel.dos.blocks.walk()].find(({ control }) => control === process - 1);
    expect(block).toMatchObject({ owner: process, paragraphs: 0x30, name: 'T' });
  });
});

test('what a looker-on sees', () => {
  start('V.COM', [0], ' some arguments');
  const process = machine.guest.cs;
  machine.dos(0x3d00, machine.text('HELLO.TXT'));
  const view = machine.kernel.view();
  expect(view.processes.map(({ segment }) => segment)).toEqual([process, commandSegment]);
  expect(view.processes[0]).toMatchObject({
    program: 'C:\\V.COM',
    arguments: 'some arguments',
    parent: commandSegment,
  });
  expect(view.processes[0]?.environment[0]).toBe('COMSPEC=C:\\COMMAND.COM');
  expect(view.processes[0]?.handles.at(-1)).toMatchObject({
    handle: 5,
    file: { name: 'HELLO.TXT', drive: 'C:', size: 12 },
  });
  expect(view.blocks).toContainEqual(expect.objectContaining({ segment: process, owner: process, name: 'V' }));
  expect(view.files.map(({ name }) => name)).toEqual(['CON', 'CON', 'CON', 'AUX', 'PRN', 'HELLO.TXT']);
});

test('a drive put in under another system touches no memory, and power keeps the drives', () => {
  machine.dos(0x3c00, { ...machine.text('KEPT.TXT'), cx: 0 });
  machine.kernel.powerOn();
  const before = machine.memory.ram.slice();
  machine.kernel.mount(3, machine.kernel.dos.drives.get(2));
  expect(Buffer.compare(machine.memory.ram, before)).toBe(0);
  machine.kernel.install();
  expect(machine.dos(0x3d00, machine.text('D:\\KEPT.TXT')).carry).toBe(false);
  const saved = machine.kernel.save();
  machine.kernel.mount(4, TestMachine.over(folder).kernel.dos.drives.get(2));
  machine.kernel.restore(saved);
  expect(machine.dos(0x3d00, machine.text('E:\\HELLO.TXT')).carry).toBe(false);
});

test('a snapshot of memory and kernel brings everything back, in the middle of a wait too', () => {
  machine.memory.write8(linear(home, buffer), 9);
  expect(machine.dos(0x0a00, { ds: home, dx: buffer }).outcome).toBe('wait');
  machine.type('ab');
  machine.resume();
  const saved = structuredClone(machine.kernel.save());
  const ram = machine.memory.ram.slice();
  const registers = { ss: machine.guest.ss, sp: machine.guest.sp, ip: machine.guest.ip, cs: machine.guest.cs };
  for (const end of ['c\r', 'dd\r']) {
    machine.type(end);
    expect(machine.resume()).toBe('back');
    expect(bytesAt(buffer + 2, 2 + end.length)).toBe(`ab${end}`);
    machine.memory.ram.set(ram);
    machine.kernel.restore(saved);
    Object.assign(machine.guest, registers, { ax: 0x0a00 });
  }
});

describe('console', () => {
  test('writes characters, strings and tabs', () => {
    machine.dos(0x0200, { dx: 0x41 });
    machine.dos(0x0900, machine.text('bc$not this'));
    machine.dos(0x0200, { dx: 9 });
    machine.dos(0x0600, { dx: 0x21 });
    expect(machine.screenText).toBe('Abc     !');
  });

  test('waits for a key, and goes on where it was', () => {
    expect(machine.dos(0x0100).outcome).toBe('wait');
    expect(machine.memory.read8(linear(0x80, 0x201))).toBe(1);
    machine.type('x');
    expect(machine.resume()).toBe('back');
    expect(machine.guest.al).toBe(0x78);
    expect(machine.screenText).toBe('x');
    expect(machine.memory.read8(linear(0x80, 0x201))).toBe(0);
    expect(machine.dos(0x06ff, { dx: 0xff }).outcome).toBe('back');
    expect(machine.guest.flags & 0x40).toBe(0x40);
    machine.keys.push({ ascii: 0, scan: 0x3b });
    expect(machine.dos(0x0700).ax & 0xff).toBe(0);
    expect(machine.dos(0x0b00).ax & 0xff).toBe(0xff);
    expect(machine.dos(0x0800).ax & 0xff).toBe(0x3b);
  });

  test('edits a line over several waits', () => {
    machine.memory.write8(linear(home, buffer), 6);
    expect(machine.dos(0x0a00, { ds: home, dx: buffer }).outcome).toBe('wait');
    machine.type('ab\b');
    expect(machine.resume()).toBe('wait');
    machine.type('cdefgh\r');
    expect(machine.resume()).toBe('back');
    expect(bytesAt(buffer, 8)).toBe('\x06\x05acdef\r');
    expect(machine.screenText).toBe('ab\b \bcdef\x07\x07\r');
    machine.keys.push({ ascii: 0, scan: 0x3d });
    machine.type('\r');
    machine.dos(0x0a00, { ds: home, dx: buffer });
    expect(bytesAt(buffer, 8)).toBe('\x06\x05acdef\r');
  });

  test('reads a line by handle in pieces', () => {
    machine.type('line\r');
    expect(machine.dos(0x3f00, { bx: 0, cx: 3, ds: home, dx: buffer }).ax).toBe(3);
    expect(machine.dos(0x3f00, { bx: 0, cx: 30, ds: home, dx: buffer + 3 }).ax).toBe(3);
    expect(bytesAt(buffer, 6)).toBe('line\r\n');
    machine.type('\x1a\r');
    expect(machine.dos(0x3f00, { bx: 0, cx: 30, ds: home, dx: buffer }).ax).toBe(0);
  });

  test('Ctrl-C calls INT 23h, which may go on or end the program', () => {
    start('C.COM', [0]);
    const { cs, ss, sp } = machine.guest;
    machine.dos(0x2523, { ds: 0x5000, dx: 0x10 });
    machine.type('\x03y');
    expect(machine.dos(0x0800).outcome).toBe('away');
    expect(machine.guest).toMatchObject({ cs: 0x5000, ip: 0x10 });
    expect(machine.screenText).toBe('^C\r\n');
    expect(machine.iret()).toBe('back');
    expect(machine.guest.al).toBe(0x79);
    expect(machine.guest).toMatchObject({ ss, sp });
    machine.type('\x03');
    expect(machine.dos(0x0800).outcome).toBe('away');
    expect(machine.retf(true)).toBe('back');
    expect(machine.dos(0x4d00).ax).toBe(0x100);
    expect(cs).toBeGreaterThan(0x400);
  });

  test('a drive that is not ready goes through INT 24h', () => {
    start('N.COM', [0]);
    expect(machine.dos(0x3d00, machine.text('A:\\X')).outcome).toBe('wait');
    expect(machine.screenText).toContain('Drive not ready reading drive A\r\nAbort, Retry, Fail? ');
    machine.type('xf');
    expect(machine.resume()).toBe('back');
    expect(machine.guest.ax).toBe(83);
    machine.dos(0x2524, { ds: 0x5000, dx: 0x20 });
    expect(machine.dos(0x3d00, machine.text('A:\\X')).outcome).toBe('away');
    expect(machine.guest).toMatchObject({ cs: 0x5000, ip: 0x20, di: 2 });
    machine.guest.al = 2;
    expect(machine.iret()).toBe('back');
    expect(machine.dos(0x4d00).ax).toBe(0x200);
  });

  test('obeys escape sequences and answers them', () => {
    machine.kernel.dos.console.writeRaw(0x41);
    machine.dos(0x0900, machine.text('\x1b[5;10H\x1b[6n\x1b[1;33;44m\x1b[2J$'));
    expect(machine.screenText).toBe('A');
    expect(machine.attribute).toBe(0x1e);
    expect(machine.cleared).toEqual(['0 0 25 0 30']);
    let answer = '';
    for (let i = 0; i < 8; i++) answer += String.fromCharCode(machine.dos(0x0800).ax & 0xff);
    expect(answer).toBe('\x1b[5;10R\r');
  });
});
