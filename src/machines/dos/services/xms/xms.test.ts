import { describe, expect, it } from 'vitest';
import { BiosBench } from '../bios/bios-testing.ts';
import { romCode } from '../bios/rom-layout.ts';
import { XmsDriver } from './xms-driver.ts';

function driver(kilobytes = 1024) {
  const bench = new BiosBench();
  const xms = new XmsDriver({
    memory: bench.memory,
    extended: new Uint8Array(kilobytes * 1024),
    upperMemory: { first: 0xc900, end: 0xca00 },
    a20: () => bench.kbc.a20,
    setA20: (on) => bench.ports.write8(0x92, on ? 2 : 0),
  });
  const call = (registers: Record<string, number>) => {
    Object.assign(bench.guest, registers);
    xms.entry.serve(bench.guest);
    return bench.guest;
  };
  return { bench, xms, call };
}

describe('XMS', () => {
  it('is found by INT 2Fh', () => {
    const { bench, xms } = driver();
    Object.assign(bench.guest, { ax: 0x4300 });
    xms.multiplex(bench.guest);
    expect(bench.guest.al).toBe(0x80);
    Object.assign(bench.guest, { ax: 0x4310 });
    xms.multiplex(bench.guest);
    expect([bench.guest.es, bench.guest.bx]).toEqual([0xf000, romCode.xmsEntry]);
    expect([...bench.ram.subarray(0xf0000 + romCode.xmsEntry).subarray(0, 2)]).toEqual([0xeb, 3]);
  });

  it('allocates, tells what is left, frees', () => {
    const { call } = driver();
    expect(call({ ah: 0 }).ax).toBe(0x0300);
    expect([call({ ah: 8 }).ax, call({ ah: 8 }).dx]).toEqual([1024, 1024]);
    const first = call({ ah: 9, dx: 100 }).dx;
    const second = call({ ah: 9, dx: 800 }).dx;
    expect([call({ ah: 8 }).ax, call({ ah: 9, dx: 200 }).bl]).toEqual([124, 0xa0]);
    call({ ah: 0x0a, dx: first });
    expect([call({ ah: 8 }).ax, call({ ah: 8 }).dx]).toEqual([124, 224]);
    expect(call({ ah: 0x0e, dx: second }).dx).toBe(800);
    expect(call({ ah: 0x0a, dx: 99 }).bl).toBe(0xa2);
  });

  it('locks with an address, and refuses to free what is locked', () => {
    const { call } = driver();
    const handle = call({ ah: 9, dx: 64 }).dx;
    const locked = call({ ah: 0x0c, dx: handle });
    expect([locked.dx, locked.bx]).toEqual([0x11, 0]);
    expect(call({ ah: 0x0a, dx: handle }).bl).toBe(0xab);
    expect(call({ ah: 0x0d, dx: handle }).ax).toBe(1);
    expect(call({ ah: 0x0d, dx: handle }).bl).toBe(0xaa);
    expect(call({ ah: 0x0a, dx: handle }).ax).toBe(1);
  });

  it('moves to extended memory and back, and resizes with what is in it', () => {
    const { bench, call, xms } = driver();
    const packet = (length: number, from: number, fromAt: number, to: number, toAt: number) => {
      bench.memory.write32(0x30000, length);
      bench.memory.write16(0x30004, from);
      bench.memory.write32(0x30006, fromAt);
      bench.memory.write16(0x3000a, to);
      bench.memory.write32(0x3000c, toAt);
      return call({ ah: 0x0b, ds: 0x3000, si: 0 });
    };
    bench.memory.write(0x20000, Uint8Array.from([1, 2, 3, 4]));
    const handle = call({ ah: 9, dx: 4 }).dx;
    call({ ah: 9, dx: 4 });
    expect(packet(4, 0, 0x2000_0000, handle, 16).ax).toBe(1);
    expect([...xms.wires.extended.subarray(16, 20)]).toEqual([1, 2, 3, 4]);
    expect(call({ ah: 0x0f, dx: handle, bx: 8 }).ax).toBe(1);
    expect(packet(4, handle, 16, 0, 0x2100_0000).ax).toBe(1);
    expect([...bench.ram.subarray(0x21000, 0x21004)]).toEqual([1, 2, 3, 4]);
    expect(packet(3, 0, 0, handle, 0).bl).toBe(0xa7);
    expect(packet(2, 77, 0, handle, 0).bl).toBe(0xa3);
    expect(packet(2, 0, 0, handle, 9000).bl).toBe(0xa6);
  });

  it('has a high memory area, switches A20, and can be copied', () => {
    const { bench, call, xms } = driver();
    expect([call({ ah: 1, dx: 0xffff }).ax, call({ ah: 1, dx: 0xffff }).bl]).toEqual([1, 0x91]);
    call({ ah: 5 });
    expect([bench.kbc.a20, call({ ah: 7 }).ax]).toEqual([true, 1]);
    const saved = xms.save();
    call({ ah: 6 });
    expect(bench.kbc.a20).toBe(false);
    xms.restore(saved);
    expect([xms.a20Locks, xms.highMemoryTaken]).toEqual([1, true]);
    expect(call({ ah: 0x10, dx: 1 }).bl).toBe(0xb1);
    Object.assign(bench.guest, { ah: 9, dx: 64 });
    expect(xms.entry.describe(bench.guest)).toBe('xms ah=09 allocate 64 KB');
  });
});

describe('upper memory', () => {
  it('is requested, resized and released by segments', () => {
    const { call, xms } = driver();
    xms.reset(true);
    const first = call({ ah: 0x10, dx: 0x40 });
    expect([first.ax, first.bx, first.dx]).toEqual([1, 0xc900, 0x40]);
    expect(call({ ah: 0x10, dx: 0x40 }).bx).toBe(0xc940);
    const greedy = call({ ah: 0x10, dx: 0xffff });
    expect([greedy.ax, greedy.bl, greedy.dx]).toEqual([0, 0xb0, 0x80]);
    expect(call({ ah: 0x12, dx: 0xc900, bx: 0x41 }).bl).toBe(0xb0);
    expect(call({ ah: 0x12, dx: 0xc940, bx: 0xc0 }).ax).toBe(1);
    const full = call({ ah: 0x10, dx: 1 });
    expect([full.ax, full.bl, full.dx]).toEqual([0, 0xb1, 0]);
    const saved = xms.save();
    expect([call({ ah: 0x11, dx: 0xc900 }).ax, call({ ah: 0x11, dx: 0xc900 }).bl]).toEqual([1, 0xb2]);
    xms.restore(saved);
    expect(call({ ah: 0x11, dx: 0xc900 }).ax).toBe(1);
  });
});
