import { beforeEach, describe, expect, test } from 'vitest';
import { driveOf } from '../../board/system-testing.ts';
import { TestMachine } from './test-machine-testing.ts';

const denyAll = 0x10;
const denyWrite = 0x20;
const denyRead = 0x30;
const denyNone = 0x40;
const scratch = 0x9000;

let machine: TestMachine;
beforeEach(() => {
  machine = new TestMachine(driveOf({ 'data.bin': '0123456789' }));
});

const open = (mode: number) => machine.dos(0x3d00 | mode, machine.text('C:\\DATA.BIN'));
const read = (handle: number, cx: number) => machine.dos(0x3f00, { bx: handle, cx, ds: 0x7000, dx: scratch });
const region = (ax: number, bx: number, start: number, length: number) =>
  machine.dos(0x5c00 | ax, { bx, cx: 0, dx: start, si: 0, di: length });
const extended = () => machine.dos(0x5900, { bx: 0 }).ax;
const load = () => machine.kernel.dos.share.load();

test('is not loaded at first: everything may be opened twice, and nothing locked', () => {
  machine.interrupt(0x2f, { ax: 0x1000 });
  expect(machine.guest.al).toBe(0);
  const { ax: handle } = open(denyAll | 2);
  expect(open(denyAll | 2).carry).toBe(false);
  expect(region(0, handle, 0, 5)).toMatchObject({ carry: true, ax: 1 });
  load();
  machine.interrupt(0x2f, { ax: 0x1000 });
  expect(machine.guest.al).toBe(0xff);
});

describe('opening a file again', () => {
  test.for([
    [denyNone | 2, denyNone | 2, true],
    [denyNone | 0, denyWrite | 0, true],
    [denyWrite | 0, denyWrite | 0, true],
    [denyWrite | 0, denyNone | 1, false],
    [denyWrite | 1, denyRead | 0, true],
    [denyWrite | 2, denyNone | 0, true],
    [denyRead | 0, denyNone | 0, false],
    [denyRead | 0, denyNone | 1, true],
    [denyAll | 0, denyNone | 0, false],
    [denyNone | 0, denyAll | 0, false],
    [0, 2, true],
    [2, denyNone | 0, false],
  ] as const)('first %i, then %i: %s', ([first, second, allowed]) => {
    load();
    expect(open(first).carry).toBe(false);
    const again = open(second);
    if (allowed) expect(again.carry).toBe(false);
    else expect([again.carry, again.ax, extended()]).toEqual([true, 5, 32]);
  });

  test('in compatibility mode a conflict is for INT 24h', () => {
    load();
    const { ax: handle } = open(denyAll | 0);
    expect(open(0).outcome).toBe('wait');
    expect(machine.screenText).toContain('Sharing violation reading drive C');
    machine.type('f');
    expect(machine.resume()).toBe('back');
    expect(machine.guest.flags & 1).toBe(1);
    machine.dos(0x3e00, { bx: handle });
    expect(open(0).carry).toBe(false);
  });

  test('function 6Ch knows the modes, and can do without INT 24h', () => {
    load();
    open(denyAll | 0);
    const file = { ds: machine.text('C:\\DATA.BIN').ds, si: machine.text('C:\\DATA.BIN').dx };
    expect(machine.dos(0x6c00, { ...file, bx: 0x2000, cx: 0, dx: 1 })).toMatchObject({ carry: true, ax: 5 });
    expect(extended()).toBe(32);
  });
});

describe('locks', () => {
  test('keep other handles out, their own in, and go with the file', () => {
    load();
    const { ax: one } = open(denyNone | 2);
    const { ax: two } = open(denyNone | 2);
    expect(region(0, one, 2, 3).carry).toBe(false);
    expect(region(0, two, 4, 1)).toMatchObject({ carry: true, ax: 33 });
    expect(region(1, two, 2, 3)).toMatchObject({ carry: true, ax: 33 });
    expect(read(one, 10).ax).toBe(10);
    expect(read(two, 2).ax).toBe(2);
    expect(read(two, 1).outcome).toBe('wait');
    machine.type('f');
    machine.resume();
    expect(machine.guest.flags & 1).toBe(1);
    expect(region(1, one, 2, 2)).toMatchObject({ carry: true, ax: 33 });
    expect(region(1, one, 2, 3).carry).toBe(false);
    expect(read(two, 4).ax).toBe(4);
    region(0, one, 0, 10);
    machine.dos(0x3e00, { bx: one });
    expect(read(two, 10).ax).toBe(4);
  });

  test('are part of a saved machine', () => {
    load();
    const { ax: one } = open(denyNone | 2);
    const { ax: two } = open(denyNone | 2);
    region(0, one, 0, 1);
    const saved = machine.kernel.save();
    region(1, one, 0, 1);
    machine.kernel.restore(saved);
    expect(region(0, two, 0, 1)).toMatchObject({ carry: true, ax: 33 });
  });
});

test('a file server closes a file by its name', () => {
  load();
  const { ax: handle } = open(denyNone | 0);
  const { ds, dx } = machine.text('C:\\DATA.BIN');
  machine.memory.write16(ds * 16 + scratch + 0x06, dx);
  machine.memory.write16(ds * 16 + scratch + 0x0c, ds);
  expect(machine.dos(0x5d02, { ds, dx: scratch }).carry).toBe(false);
  expect(read(handle, 1)).toMatchObject({ carry: true, ax: 6 });
});

test('function 5D05h lists open files and their locks', () => {
  const ask = (file: number, user: number) => {
    const ds = 0x7000;
    machine.memory.write16(ds * 16 + scratch + 2, file);
    machine.memory.write16(ds * 16 + scratch + 4, user);
    return machine.dos(0x5d05, { ds, dx: scratch });
  };
  expect(ask(0, 0)).toMatchObject({ carry: true, ax: 1 });
  load();
  const { ax: handle } = open(denyNone | 2);
  open(denyNone | 0);
  region(0, handle, 2, 3);
  machine.dos(0x3c00, { ...machine.text('C:\\NEW.TXT'), cx: 0 });
  expect(ask(0, 0).carry).toBe(false);
  const { bx, cx, es, di } = machine.guest;
  expect([bx, cx]).toEqual([0, 1]);
  const name = machine.memory.bytes(es * 16 + di, 12);
  expect(String.fromCharCode(...name)).toBe('C:\\DATA.BIN\0');
  expect([ask(0, 1).carry, machine.guest.cx]).toEqual([false, 0]);
  expect(ask(0, 2)).toMatchObject({ carry: true, ax: 18 });
  expect(ask(1, 0).carry).toBe(false);
  expect(ask(2, 0)).toMatchObject({ carry: true, ax: 18 });
  machine.dos(0x3e00, { bx: handle });
  expect(ask(0, 1)).toMatchObject({ carry: true, ax: 18 });
});

test('function 5D00h does what a list of registers says', () => {
  const ds = 0x7000;
  const { dx } = machine.text('C:\\DATA.BIN');
  [0x3d00, 0, 0, dx, 0, 0, ds, ds].forEach((value, index) => {
    machine.memory.write16(ds * 16 + scratch + index * 2, value);
  });
  const { ax: handle } = machine.dos(0x5d00, { ds, dx: scratch });
  expect(read(handle, 20).ax).toBe(10);
});
