import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Disk } from '../../drives/fat/disk.ts';
import { FatDrive } from '../../drives/fat/fat-drive.ts';
import { floppyFormats, formatVolume } from '../../drives/fat/format.ts';
import { findVolumes } from '../../drives/fat/volume-layout.ts';
import { linear } from './far-pointer.ts';
import { functions } from './functions/index.ts';
import { TestMachine } from './test-machine-testing.ts';

let folder = '';
let machine: TestMachine;
const home = 0x7000;
const buffer = 0x9000;
const block = 0xa000;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dos-functions-'));
  writeFileSync(join(folder, 'hello.txt'), 'hello, world');
  mkdirSync(join(folder, 'sub'));
  machine = TestMachine.over(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

const word = (offset: number) => machine.memory.read16(linear(home, offset));
const long = (offset: number) => machine.memory.read32(linear(home, offset));
const al = (ax: number, registers = {}) => machine.dos(ax, registers).ax & 0xff;
const bytesAt = (offset: number, length: number) =>
  new TextDecoder('latin1').decode(machine.memory.bytes(linear(home, offset), length));

function floppy(): FatDrive {
  const disk = new Disk(formatVolume({ ...floppyFormats['360K'], serial: 0x1234_abcd }));
  const [layout] = findVolumes(disk);
  return new FatDrive(disk, layout ?? expect.unreachable());
}

/** An FCB for a name of eleven characters, at `block`. */
function control(name: string, drive = 0): { ds: number; dx: number } {
  machine.memory.write(linear(home, block), new Uint8Array(44));
  machine.text(String.fromCharCode(drive) + name, block);
  machine.memory.write8(linear(home, block), drive);
  return { ds: home, dx: block };
}

describe('file control blocks', () => {
  test('create, write, close, open, read', () => {
    const fcb = control('RECORDS DAT');
    expect(al(0x1600, fcb)).toBe(0);
    machine.dos(0x1a00, { ds: home, dx: buffer });
    machine.memory.write16(linear(home, block + 0x0e), 4);
    machine.text('one.two.end', buffer);
    machine.memory.write8(linear(home, block + 0x20), 0);
    expect(al(0x2800, { ...fcb, cx: 2 })).toBe(0);
    expect(machine.guest.cx).toBe(2);
    expect(long(block + 0x10)).toBe(8);
    expect(al(0x1500, fcb)).toBe(0);
    expect(al(0x1000, fcb)).toBe(0);
    expect(al(0x0f00, control('RECORDS DAT'))).toBe(0);
    expect(word(block + 0x0e)).toBe(128);
    expect(al(0x1400, fcb)).toBe(3);
    expect(bytesAt(buffer, 13)).toBe('one.two.one.\0');
    expect(al(0x1400, fcb)).toBe(1);
    machine.memory.write16(linear(home, block + 0x0e), 4);
    machine.memory.write32(linear(home, block + 0x21), 1);
    expect(al(0x2100, fcb)).toBe(0);
    expect(bytesAt(buffer, 4)).toBe('two.');
    machine.text('TWO!', buffer);
    expect(al(0x2200, fcb)).toBe(0);
    machine.dos(0x2400, fcb);
    expect(long(block + 0x21)).toBe(1);
    machine.memory.write32(linear(home, block + 0x21), 0);
    expect(al(0x2700, { ...fcb, cx: 9 })).toBe(1);
    expect(machine.guest.cx).toBe(3);
    expect(bytesAt(buffer, 12)).toBe('one.TWO!one.');
    expect(al(0x2300, fcb)).toBe(0);
    expect(long(block + 0x21)).toBe(3);
  });

  test('a file that is open gets another name and stays open', () => {
    writeFileSync(join(folder, 'old.txt'), 'text');
    machine.dos(0x1a00, { ds: home, dx: buffer });
    expect(al(0x0f00, control('OLD     TXT'))).toBe(0);
    const opened = machine.memory.bytes(linear(home, block), 0x25);
    const fcb = control('OLD     TXT');
    machine.text('OLD     BAK', block + 0x11);
    expect(al(0x1700, fcb)).toBe(0);
    expect(al(0x1300, control('OLD     BAK'))).toBe(0xff);
    machine.memory.write(linear(home, block), opened);
    expect(al(0x1400, fcb)).toBe(3);
    expect(bytesAt(buffer, 4)).toBe('text');
  });

  test('find, rename, delete, and what is not there', () => {
    writeFileSync(join(folder, 'a1.txt'), '');
    writeFileSync(join(folder, 'a2.txt'), '');
    machine.dos(0x1a00, { ds: home, dx: buffer });
    expect(al(0x1100, control('A?      TXT'))).toBe(0);
    expect(bytesAt(buffer, 12)).toBe('\x03A1      TXT');
    expect(al(0x1200, { ds: home, dx: block })).toBe(0);
    expect(bytesAt(buffer, 12)).toBe('\x03A2      TXT');
    expect(al(0x1200, { ds: home, dx: block })).toBe(0xff);
    const fcb = control('A?      TXT');
    machine.text('B?      TXT', block + 0x11);
    expect(al(0x1700, fcb)).toBe(0);
    expect(machine.dos(0x3d00, machine.text('B2.TXT')).carry).toBe(false);
    machine.dos(0x3e00, { bx: 5 });
    expect(al(0x1300, control('B?      TXT'))).toBe(0);
    expect(al(0x1300, control('B?      TXT'))).toBe(0xff);
    expect(al(0x0f00, control('NOT     TXT'))).toBe(0xff);
    expect(al(0x1000, control('NOT     TXT'))).toBe(0xff);
    expect(al(0x1700, control('NOT     TXT'))).toBe(0xff);
    expect(al(0x2300, control('NOT     TXT'))).toBe(0xff);
    expect(al(0x1600, control('NO?     TXT'))).toBe(0xff);
    expect(al(0x0f00, control('HELLO   TXT', 20))).toBe(0xff);
    expect(al(0x1400, control('NOT     TXT'))).toBe(0xff);
  });

  test('an extended block finds the label and directories', () => {
    machine.kernel.mount(0, floppy());
    machine.kernel.dos.drives.get(0).setLabel('MY FLOPPY  ', 0);
    machine.dos(0x1a00, { ds: home, dx: buffer });
    machine.memory.write(linear(home, block), Uint8Array.of(0xff, 0, 0, 0, 0, 0, 8, 1));
    machine.text('???????????', block + 8);
    expect(al(0x1100, { ds: home, dx: block })).toBe(0);
    expect(bytesAt(buffer + 7, 13)).toBe('\x01MY FLOPPY  \x08');
  });

  test('parses names', () => {
    const parse = (text: string, options = 0) => {
      machine.memory.write(linear(home, block), new Uint8Array(16).fill(0x2e));
      const { ds, dx } = machine.text(`${text}\r`);
      const status = al(0x2900 + options, { ds, si: dx, es: home, di: block });
      return [status, bytesAt(block, 12), machine.guest.si - dx];
    };
    expect(parse('a:hi.c more')).toEqual([0, '\x01HI      C  ', 6]);
    expect(parse('  *.t?t')).toEqual([1, '\0????????T?T', 7]);
    expect(parse('z:x')).toEqual([0xff, '\x1aX          ', 3]);
    expect(parse('', 0x0e)).toEqual([0, '............', 0]);
    expect(parse(';name', 1)).toEqual([0, '\0NAME       ', 5]);
  });
});

describe('drives', () => {
  test('current drive, space, parameters', () => {
    machine.kernel.mount(0, floppy());
    expect(al(0x0e00, { dx: 0 })).toBe(26);
    expect(al(0x1900)).toBe(0);
    expect(machine.dos(0x3600, { dx: 0 }).ax).toBe(2);
    expect(machine.guest).toMatchObject({ bx: 354, cx: 512, dx: 354 });
    expect(machine.dos(0x3600, { dx: 9 }).ax).toBe(0xffff);
    expect(al(0x1c00, { dx: 3 })).toBe(32);
    expect(machine.memory.read8(linear(machine.guest.ds, machine.guest.bx))).toBe(0xf8);
    expect(al(0x1b00)).toBe(2);
    expect(machine.memory.read8(linear(machine.guest.ds, machine.guest.bx))).toBe(0xfd);
    expect(al(0x3200, { dx: 1 })).toBe(0);
    expect(machine.memory.read16(linear(machine.guest.ds, machine.guest.bx + 2))).toBe(512);
    expect(al(0x1c00, { dx: 9 })).toBe(0xff);
    expect(al(0x3200, { dx: 9 })).toBe(0xff);
    expect(al(0x1f00)).toBe(0);
    expect(machine.dos(0x6900, { bx: 1, ds: home, dx: buffer }).carry).toBe(false);
    expect(long(buffer + 2)).toBe(0x1234_abcd);
    expect(machine.dos(0x6900, { bx: 9, ds: home, dx: buffer })).toMatchObject({ carry: true, ax: 15 });
    machine.dos(0x0d00);
  });

  test('absolute sectors leave the flags on the stack', () => {
    machine.kernel.mount(0, floppy());
    const { guest } = machine;
    machine.interrupt(0x25, { ax: 0, cx: 1, dx: 0, ds: home, bx: buffer });
    expect(guest.flags & 1).toBe(0);
    expect(bytesAt(buffer + 3, 8)).toBe('FRONTPNL');
    const { sp } = guest;
    machine.text('changed', buffer + 0x100);
    machine.interrupt(0x26, { ax: 0, cx: 1, dx: 0, ds: home, bx: buffer });
    expect(guest.sp).toBe(sp - 2);
    machine.interrupt(0x25, { ax: 0, cx: 1, dx: 5000, ds: home, bx: buffer });
    expect(guest.flags & 1).toBe(1);
    expect(guest.ah).toBe(0x40);
    machine.interrupt(0x25, { ax: 2, cx: 1, dx: 0, ds: home, bx: buffer });
    expect(guest.flags & 1).toBe(1);
  });

  test('IOCTL', () => {
    expect(machine.dos(0x4400, { bx: 0 }).carry).toBe(false);
    expect(machine.guest.dx).toBe(0x80d3);
    expect(machine.dos(0x4401, { bx: 0, dx: 0xf3 }).carry).toBe(false);
    machine.dos(0x4400, { bx: 0 });
    expect(machine.guest.dx).toBe(0x80f3);
    machine.dos(0x3d00, machine.text('HELLO.TXT'));
    machine.dos(0x4400, { bx: 5 });
    expect(machine.guest.dx).toBe(0x42);
    expect(machine.dos(0x4401, { bx: 5, dx: 0 })).toMatchObject({ carry: true, ax: 1 });
    expect(machine.dos(0x4401, { bx: 0, dx: 0x100 })).toMatchObject({ carry: true, ax: 13 });
    expect(al(0x4406, { bx: 5 })).toBe(0xff);
    expect(al(0x4406, { bx: 0 })).toBe(0);
    expect(al(0x4407, { bx: 1 })).toBe(0xff);
    expect(machine.dos(0x4408, { bx: 3 }).ax).toBe(1);
    expect(machine.dos(0x4408, { bx: 9 })).toMatchObject({ carry: true, ax: 15 });
    expect(machine.dos(0x4409, { bx: 3 }).carry).toBe(false);
    expect(machine.guest.dx).toBe(0x1000);
    expect(machine.dos(0x440a, { bx: 5 }).carry).toBe(false);
    expect(machine.dos(0x440d, { bx: 3, cx: 0x866, ds: home, dx: buffer }).carry).toBe(false);
    expect(long(buffer + 2)).toBe(0x1234_5678);
    expect(machine.dos(0x440d, { bx: 3, cx: 0x860, ds: home, dx: buffer }).carry).toBe(false);
    expect(machine.dos(0x440e, { bx: 3 }).carry).toBe(false);
    for (const subfunction of [2, 3, 12]) {
      expect(machine.dos(0x4400 + subfunction, { bx: 0, cx: 0 })).toMatchObject({ carry: true, ax: 1 });
    }
    expect(machine.dos(0x4404, { bx: 3 })).toMatchObject({ carry: true, ax: 1 });
    expect(machine.dos(0x44ff)).toMatchObject({ carry: true, ax: 1 });
  });
});

describe('devices', () => {
  test('PRN, AUX, NUL and CLOCK$ by name, wherever they are said to be', () => {
    expect(machine.dos(0x3d02, machine.text('C:\\SUB\\PRN.TXT')).carry).toBe(false);
    machine.text('page', buffer);
    expect(machine.dos(0x4000, { bx: 5, cx: 4, ds: home, dx: buffer }).ax).toBe(4);
    machine.dos(0x0500, { dx: 0x21 });
    expect(machine.portOutput.get('LPT1')).toBe('page!');
    machine.dos(0x0400, { dx: 0x3f });
    expect(machine.portOutput.get('COM1')).toBe('?');
    expect(machine.dos(0x0300).outcome).toBe('wait');
    machine.portInput.set('COM1', [0x55]);
    expect(machine.resume()).toBe('back');
    expect(machine.guest.al).toBe(0x55);
    expect(machine.dos(0x3d00, machine.text('clock$')).ax).toBe(6);
    expect(machine.dos(0x3f00, { bx: 6, cx: 6, ds: home, dx: buffer }).ax).toBe(6);
    expect(machine.memory.bytes(linear(home, buffer), 6)).toEqual(Uint8Array.of(0x5e, 0x11, 6, 5, 9, 8));
    expect(machine.dos(0x3d02, machine.text('NUL')).ax).toBe(7);
    expect(machine.dos(0x3f00, { bx: 7, cx: 6, ds: home, dx: buffer }).ax).toBe(0);
    expect(machine.dos(0x4000, { bx: 7, cx: 6, ds: home, dx: buffer }).ax).toBe(6);
    expect(machine.dos(0x4100, machine.text('NUL'))).toMatchObject({ carry: true, ax: 5 });
  });

  test('a program may walk the chain and call a driver', () => {
    machine.dos(0x5200);
    const { es, bx } = machine.guest;
    const names: string[] = [];
    let [segment, offset] = [es, bx + 0x22];
    while (offset !== 0xffff) {
      names.push(
        machine
          .textAt(segment, offset + 10)
          .slice(0, 8)
          .trim(),
      );
      const next = machine.memory.read32(linear(segment, offset));
      [segment, offset] = [next >>> 16, next & 0xffff];
    }
    expect(names.slice(0, 5)).toEqual(['NUL', 'CON', 'AUX', 'PRN', 'CLOCK$']);
    machine.kernel.addDevice('EMMXXXX0', 0xc080);
    expect(machine.dos(0x3d00, machine.text('EMMXXXX0')).carry).toBe(false);
    machine.dos(0x4400, { bx: 5 });
    expect(machine.guest.dx & 0x80).toBe(0x80);
    expect(machine.dos(0x3d00, machine.text('EMMXXXX1')).carry).toBe(true);
  });

  test('the structures behind the list of lists are linked', () => {
    machine.dos(0x5200);
    const list = linear(machine.guest.es, machine.guest.bx);
    const { memory } = machine;
    const follow = (address: number) => linear(memory.read16(address + 2), memory.read16(address));
    const first = memory.read16(list - 2);
    expect(memory.read8(linear(first, 0))).toBe(0x4d);
    const directories = follow(list + 0x16);
    expect(new TextDecoder().decode(memory.bytes(directories + 2 * 88, 3))).toBe('C:\\');
    expect(memory.read8(follow(list))).toBe(0);
    const files = follow(list + 4);
    expect(memory.read16(files + 4)).toBe(5);
    expect(memory.read16(follow(files) + 4)).toBe(95);
    expect(memory.read16(files + 6)).toBe(1);
    expect(memory.read8(list + 0x21)).toBe(26);
  });
});

describe('the rest', () => {
  test('version, vectors, transfer area, flags', () => {
    expect(machine.dos(0x3000).ax).toBe(5);
    machine.dos(0x2560, { ds: 0x1234, dx: 0x5678 });
    machine.dos(0x3560);
    expect(machine.guest).toMatchObject({ es: 0x1234, bx: 0x5678 });
    machine.dos(0x1a00, { ds: 0x1111, dx: 0x2222 });
    machine.dos(0x2f00);
    expect(machine.guest).toMatchObject({ es: 0x1111, bx: 0x2222 });
    machine.dos(0x2e01);
    expect(al(0x5400)).toBe(1);
    machine.dos(0x3301, { dx: 1 });
    machine.dos(0x3300, { dx: 0 });
    expect(machine.guest.dl).toBe(1);
    machine.dos(0x3302, { dx: 0 });
    expect(machine.guest.dl).toBe(1);
    machine.dos(0x3305);
    expect(machine.guest.dl).toBe(3);
    machine.dos(0x3306);
    expect(machine.guest.bx).toBe(5);
    expect(al(0x3399)).toBe(0xff);
    machine.dos(0x3701, { dx: 0x2d });
    machine.dos(0x3700);
    expect(machine.guest.dl).toBe(0x2d);
    machine.dos(0x3400);
    expect(machine.memory.read8(linear(machine.guest.es, machine.guest.bx))).toBe(0);
    expect(al(0xff00)).toBe(0);
  });

  test('date and time, valid and not', () => {
    expect(al(0x2a00)).toBe(3);
    expect(machine.guest).toMatchObject({ cx: 1992, dx: 0x304 });
    expect(al(0x2b00, { cx: 2000, dx: 0x21d })).toBe(0);
    expect(al(0x2b00, { cx: 1999, dx: 0x21d })).toBe(0xff);
    expect(machine.moment).toMatchObject({ year: 2000, month: 2, day: 29 });
    expect(al(0x2d00, { cx: 0x173b, dx: 0x3b63 })).toBe(0);
    expect(al(0x2d00, { cx: 0x1800, dx: 0 })).toBe(0xff);
    machine.dos(0x2c00);
    expect(machine.guest).toMatchObject({ cx: 0x173b, dx: 0x3b63 });
  });

  test('country and code page', () => {
    expect(machine.dos(0x3800, { ds: home, dx: buffer }).carry).toBe(false);
    expect(bytesAt(buffer + 2, 1)).toBe('$');
    expect(machine.dos(0x3831, { ds: home, dx: buffer })).toMatchObject({ carry: false, ax: 49 });
    expect(bytesAt(buffer + 2, 2)).toBe('DM');
    expect(machine.dos(0x3807, { ds: home, dx: buffer })).toMatchObject({ carry: true, ax: 2 });
    expect(machine.dos(0x6501, { cx: 41, dx: 0xffff, es: home, di: buffer }).carry).toBe(false);
    expect(word(buffer + 3)).toBe(1);
    expect(machine.dos(0x6502, { cx: 5, es: home, di: buffer }).carry).toBe(false);
    expect(machine.memory.read16(linear(word(buffer + 3), word(buffer + 1)))).toBe(128);
    expect(machine.dos(0x6502, { cx: 2 })).toMatchObject({ carry: true, ax: 1 });
    machine.dos(0x6520, { dx: 0x61 });
    expect(machine.guest.dl).toBe(0x41);
    machine.dos(0x6522, machine.text('straße \x81'));
    expect(machine.textAt(home, 0x8000)).toBe('STRA\xdfE \x9a');
    expect(machine.dos(0x6523, { dx: 0x6e }).ax).toBe(0);
    expect(machine.dos(0x6601).carry).toBe(false);
    expect(machine.guest.bx).toBe(437);
    expect(machine.dos(0x6602, { bx: 850 })).toMatchObject({ carry: true, ax: 2 });
    expect(al(0x6300)).toBe(0);
    expect(al(0x6301)).toBe(0xff);
  });

  test('temporary, new and extended open; true name; commit', () => {
    expect(machine.dos(0x5a00, { ...machine.text('C:\\SUB\\'), cx: 0 }).ax).toBe(5);
    expect(machine.textAt(home, 0x8000)).toMatch(/^C:\\SUB\\[0-9A-F]{8}$/);
    expect(machine.dos(0x5a00, { ...machine.text('C:\\NO\\'), cx: 0 })).toMatchObject({ carry: true, ax: 3 });
    expect(machine.dos(0x5b00, { ...machine.text('NEW'), cx: 0 }).ax).toBe(6);
    expect(machine.dos(0x5b00, { ...machine.text('NEW'), cx: 0 })).toMatchObject({ carry: true, ax: 80 });
    const { ds, dx } = machine.text('MORE');
    expect(machine.dos(0x6c00, { ds, si: dx, bx: 2, cx: 0, dx: 0x01 })).toMatchObject({ carry: true, ax: 2 });
    expect(machine.dos(0x6c00, { ds, si: dx, bx: 2, cx: 0, dx: 0x11 }).ax).toBe(7);
    expect(machine.guest.cx).toBe(2);
    expect(machine.dos(0x6c00, { ds, si: dx, bx: 2, cx: 0, dx: 0x01 }).ax).toBe(8);
    expect(machine.guest.cx).toBe(1);
    expect(machine.dos(0x6c00, { ds, si: dx, bx: 2, cx: 0, dx: 0x10 })).toMatchObject({ carry: true, ax: 80 });
    machine.dos(0x3b00, machine.text('SUB'));
    machine.text('..\\x\\*.c');
    expect(machine.dos(0x6000, { ds: home, si: 0x8000, es: home, di: buffer }).carry).toBe(false);
    expect(machine.textAt(home, buffer)).toBe('C:\\X\\????????.C');
    machine.text('..\\..');
    expect(machine.dos(0x6000, { ds: home, si: 0x8000, es: home, di: buffer })).toMatchObject({ carry: true, ax: 3 });
    expect(machine.dos(0x6800, { bx: 5 }).carry).toBe(false);
    expect(machine.dos(0x6800, { bx: 99 })).toMatchObject({ carry: true, ax: 6 });
    expect(machine.dos(0x5c00, { bx: 5 })).toMatchObject({ carry: true, ax: 1 });
    expect(machine.dos(0x5d06).carry).toBe(false);
    expect(machine.memory.read8(linear(machine.guest.ds, machine.guest.si + 1))).toBe(0);
    expect(machine.dos(0x5d99)).toMatchObject({ carry: true, ax: 1 });
    expect(machine.dos(0x5e00, { ds: home, dx: buffer }).carry).toBe(false);
    expect(machine.dos(0x5f02)).toMatchObject({ carry: true, ax: 18 });
  });

  test('long names are not there, and that is said with the carry, too', () => {
    expect(machine.dos(0x716c)).toMatchObject({ carry: true, ax: 0x7100 });
    expect(machine.dos(0xf0ff)).toMatchObject({ carry: false, ax: 0xf000 });
  });

  test('multiplex: known, registered and unknown numbers', () => {
    machine.interrupt(0x2f, { ax: 0x1a00 });
    expect(machine.guest.al).toBe(0xff);
    machine.kernel.multiplex.register(0x43, (guest) => {
      guest.al = 0x80;
      return 'done';
    });
    machine.interrupt(0x2f, { ax: 0x4300 });
    expect(machine.guest.al).toBe(0x80);
    machine.interrupt(0x2f, { ax: 0x1220, bx: 1 });
    expect(machine.memory.read8(linear(machine.guest.es, machine.guest.di))).toBe(1);
    machine.interrupt(0x2f, { ax: 0x1220, bx: 99 });
    expect(machine.guest.flags & 1).toBe(1);
    machine.interrupt(0x2f, { ax: 0xab00 });
    expect(machine.guest.ax).toBe(0xab00);
  });

  test('fast output and the break key', () => {
    machine.interrupt(0x29, { ax: 0x41 });
    expect(machine.screenText).toBe('A');
    machine.interrupt(0x1b);
    expect(machine.dos(0x0b00).outcome).toBe('back');
    expect(machine.screenText).toBe('A^C\r\n');
  });

  test('the call log names functions, files, results and errors', () => {
    const { kernel, guest } = machine;
    const log = (ax: number, registers: object) => {
      Object.assign(guest, registers, { ax });
      const text = kernel.describe(0x21, guest);
      const { ah } = guest;
      machine.dos(ax, registers);
      // As at the end of the service: the flags are back from the stack here, so they are put there again.
      guest.sp -= 6;
      guest.returnFlags = guest.flags;
      const result = kernel.result(0x21, ah, guest);
      guest.sp += 6;
      return `${text} = ${result}`;
    };
    expect(log(0x3d00, machine.text('HELLO.TXT'))).toBe('int 21h ah=3D open "HELLO.TXT" for read = handle 5');
    expect(log(0x3d00, machine.text('N\x01'))).toBe('int 21h ah=3D open "N\\x01" for read = error 2: file not found');
    expect(log(0x3f00, { bx: 5, cx: 5, ds: home, dx: buffer })).toBe(
      'int 21h ah=3F read 5 (HELLO.TXT), 5 bytes to 7000:9000 = 5 bytes',
    );
    expect(log(0x4800, { bx: 16 })).toMatch(/^int 21h ah=48 allocate memory 16 paragraphs = at [0-9A-F]{4}h$/);
    expect(log(0x2560, { ds: 0x1234, dx: 0x10 })).toBe('int 21h ah=25 set vector 60h to 1234:0010 = ');
    expect(kernel.describe(0x10, guest)).toBeUndefined();
  });
});

test('every function has a number of its own and can be described whatever the registers hold', () => {
  expect(new Set(functions.map(({ number }) => number)).size).toBe(functions.length);
  const register = fc.nat(0xffff);
  fc.assert(
    fc.property(
      fc.constantFrom(...functions.map(({ number }) => number)),
      fc.nat(255),
      fc.record({ bx: register, cx: register, dx: register, si: register, di: register }),
      fc.record({ ds: fc.constantFrom(home, 0x60, 0x7ff0), es: fc.constantFrom(home, 0x60, 0x7ff0) }),
      (ah, sub, registers, segments) => {
        const wild = TestMachine.over(folder);
        const { guest, kernel } = wild;
        Object.assign(guest, registers, segments, { ax: (ah << 8) | sub });
        expect(kernel.describe(0x21, guest)).toMatch(/^int 21h/);
        wild.dos((ah << 8) | sub, { ...registers, ...segments });
        guest.ss = home;
        guest.sp = 0x6000;
        expect(typeof kernel.result(0x21, ah, guest)).toBe('string');
      },
    ),
    { numRuns: 150 },
  );
});
