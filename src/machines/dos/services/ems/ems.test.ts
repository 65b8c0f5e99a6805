import { describe, expect, it } from 'vitest';
import { BiosBench } from '../bios/bios-testing.ts';
import { ExpandedMemory, PAGE_BYTES } from './expanded-memory.ts';
import { expandedMemoryService, installExpandedMemory } from './int67.ts';

function driver(pages = 16) {
  const bench = new BiosBench();
  const memory = new ExpandedMemory(bench.memory, new Uint8Array(pages * PAGE_BYTES));
  const row = expandedMemoryService(memory);
  const call = (registers: Record<string, number>) => {
    Object.assign(bench.guest, registers);
    row.serve(bench.guest);
    return bench.guest;
  };
  return { bench, memory, call, row };
}

const frame = (page: number) => 0xe0000 + page * PAGE_BYTES;

describe('EMS', () => {
  it('is found by the name in its segment', () => {
    const { bench } = driver();
    installExpandedMemory(bench.memory);
    const segment = bench.memory.read16(0x67 * 4 + 2);
    expect(String.fromCharCode(...bench.memory.bytes((segment << 4) + 10, 8))).toBe('EMMXXXX0');
  });

  it('maps pages that keep what was written to them', () => {
    const { bench, call } = driver();
    expect([call({ ah: 0x41 }).bx, call({ ah: 0x46 }).al]).toEqual([0xe000, 0x40]);
    const handle = call({ ah: 0x43, bx: 6 }).dx;
    for (let page = 0; page < 6; page++) {
      call({ ah: 0x44, al: page & 1, bx: page, dx: handle });
      bench.ram[frame(page & 1)] = 100 + page;
    }
    const seen = Array.from({ length: 6 }, (_, page) => {
      call({ ah: 0x44, al: 3, bx: page, dx: handle });
      return bench.ram[frame(3)];
    });
    expect(seen).toEqual([100, 101, 102, 103, 104, 105]);
    expect(call({ ah: 0x44, al: 4, bx: 0, dx: handle }).ah).toBe(0x8b);
    expect(call({ ah: 0x44, al: 0, bx: 6, dx: handle }).ah).toBe(0x8a);
    expect(call({ ah: 0x44, al: 0, bx: 0, dx: 77 }).ah).toBe(0x83);
  });

  it('counts, resizes and releases', () => {
    const { call } = driver();
    const handle = call({ ah: 0x43, bx: 10 }).dx;
    expect([call({ ah: 0x42 }).bx, call({ ah: 0x42 }).dx]).toEqual([6, 16]);
    expect(call({ ah: 0x43, bx: 7 }).ah).toBe(0x88);
    expect(call({ ah: 0x43, bx: 17 }).ah).toBe(0x87);
    expect(call({ ah: 0x43, bx: 0 }).ah).toBe(0x89);
    call({ ah: 0x51, bx: 3, dx: handle });
    expect([call({ ah: 0x4c, dx: handle }).bx, call({ ah: 0x42 }).bx]).toEqual([3, 13]);
    expect(call({ ah: 0x4b }).bx).toBe(2);
    expect(call({ ah: 0x45, dx: handle }).ah).toBe(0);
    expect(call({ ah: 0x42 }).bx).toBe(16);
  });

  it('saves and restores page maps, several pages at a time', () => {
    const { bench, call } = driver();
    const handle = call({ ah: 0x43, bx: 4 }).dx;
    bench.memory.write(0x30000, Uint8Array.from([2, 0, 0, 0, 3, 0, 1, 0]));
    expect(call({ ah: 0x50, al: 0, cx: 2, dx: handle, ds: 0x3000, si: 0 }).ah).toBe(0);
    bench.ram[frame(0)] = 0x22;
    bench.ram[frame(1)] = 0x33;
    call({ ah: 0x47, dx: handle });
    expect(call({ ah: 0x47, dx: handle }).ah).toBe(0x8d);
    call({ ah: 0x4e, al: 0, es: 0x3100, di: 0 });
    call({ ah: 0x44, al: 0, bx: 0xffff, dx: handle });
    call({ ah: 0x44, al: 1, bx: 0, dx: handle });
    expect(bench.ram[frame(1)]).toBe(0);
    call({ ah: 0x48, dx: handle });
    expect([bench.ram[frame(0)], bench.ram[frame(1)]]).toEqual([0x22, 0x33]);
    call({ ah: 0x44, al: 0, bx: 1, dx: handle });
    call({ ah: 0x4e, al: 1, ds: 0x3100, si: 0 });
    expect(bench.ram[frame(0)]).toBe(0x22);
  });

  it('moves between memories, exchanges, names handles', () => {
    const { bench, call, memory } = driver();
    const handle = call({ ah: 0x43, bx: 2 }).dx;
    call({ ah: 0x44, al: 0, bx: 0, dx: handle });
    bench.memory.write(0x20000, Uint8Array.from([1, 2, 3, 4]));
    // Four bytes from 2000:0000 to the handle's page 0 at 3FFEh: across the page.
    bench.memory.write(0x30000, Uint8Array.from([4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20, 1, handle, 0, 0xfe, 0x3f, 0, 0]));
    expect(call({ ah: 0x57, al: 0, ds: 0x3000, si: 0 }).ah).toBe(0);
    expect([bench.ram[frame(0) + 0x3ffe], bench.ram[frame(0) + 0x3fff]]).toEqual([1, 2]);
    call({ ah: 0x44, al: 1, bx: 1, dx: handle });
    expect([bench.ram[frame(1)], bench.ram[frame(1) + 1]]).toEqual([3, 4]);
    bench.ram[0x20000] = 9;
    call({ ah: 0x57, al: 1, ds: 0x3000, si: 0 });
    expect([bench.ram[0x20000], bench.ram[frame(0) + 0x3ffe]]).toEqual([1, 9]);
    bench.memory.write(0x31000, Uint8Array.from([...'FRONTPNL'].map((c) => c.charCodeAt(0))));
    call({ ah: 0x53, al: 1, dx: handle, ds: 0x3100, si: 0 });
    expect(call({ ah: 0x54, al: 1, dx: 0, ds: 0x3100, si: 0 }).dx).toBe(handle);
    const saved = memory.save();
    memory.reset();
    memory.restore(saved);
    expect(memory.find(handle)?.name).toBe('FRONTPNL');
  });

  it('describes calls and refuses what it does not know', () => {
    const { bench, call, row } = driver();
    Object.assign(bench.guest, { ah: 0x44, al: 1, bx: 3, dx: 2 });
    expect(row.describe(bench.guest)).toBe('int 67h ah=44 map page physical 1 logical 3 handle 2');
    expect(call({ ah: 0x99 }).ah).toBe(0x84);
  });
});
