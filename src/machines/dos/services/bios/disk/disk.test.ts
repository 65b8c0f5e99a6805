import { describe, expect, it } from 'vitest';
import { BiosBench } from '../bios-testing.ts';
import type { DiskImage } from './disk-image.ts';

function image(cylinders: number, heads: number, sectorsPerTrack: number, readOnly = false): DiskImage {
  const sectors = cylinders * heads * sectorsPerTrack;
  const bytes = new Uint8Array(sectors * 512);
  for (let sector = 0; sector < sectors; sector++) bytes[sector * 512] = sector;
  return {
    cylinders,
    heads,
    sectorsPerTrack,
    sectors,
    readOnly,
    read: (sector) => bytes.subarray(sector * 512, sector * 512 + 512),
    write: (sector, content) => bytes.set(content, sector * 512),
  };
}

function bench() {
  const made = new BiosBench();
  made.disks.set(0, image(80, 2, 18));
  made.disks.set(0x80, image(100, 4, 17));
  return made;
}

describe('INT 13h', () => {
  it('reads and writes by cylinder, head and sector', () => {
    const b = bench();
    b.call(0x13, { ah: 2, al: 3, cx: 0x0102, dx: 0x0100, es: 0x2000, bx: 0 });
    expect([b.guest.carry, b.guest.ax]).toEqual([false, 3]);
    const first = (1 * 2 + 1) * 18 + 1;
    expect([0, 512, 1024].map((at) => b.ram[0x20000 + at])).toEqual([first, first + 1, first + 2]);
    b.ram[0x20000] = 0xee;
    b.call(0x13, { ah: 3, al: 1, cx: 0x0001, dx: 0, es: 0x2000, bx: 0 });
    expect(b.disks.get(0)?.read(0)[0]).toBe(0xee);
    b.call(0x13, { ah: 4, al: 1, cx: 0x0001, dx: 0 });
    expect(b.guest.carry).toBe(false);
  });

  it('fails where there is nothing, and keeps the status', () => {
    const b = bench();
    b.call(0x13, { ah: 2, al: 1, cx: 0x0013, dx: 0 });
    expect([b.guest.carry, b.guest.ah]).toEqual([true, 4]);
    b.call(0x13, { ah: 1, dl: 0 });
    expect(b.guest.ah).toBe(4);
    b.call(0x13, { ah: 2, al: 1, cx: 1, dx: 1 });
    expect(b.guest.ah).toBe(0x80);
    b.disks.set(0, image(40, 2, 9, true));
    b.call(0x13, { ah: 3, al: 1, cx: 1, dx: 0, es: 0, bx: 0x600 });
    expect([b.guest.ah, b.guest.al]).toEqual([3, 0]);
  });

  it('tells parameters', () => {
    const b = bench();
    b.call(0x13, { ah: 8, dl: 0 });
    expect([b.guest.cx, b.guest.dx, b.guest.bl]).toEqual([0x4f12, 0x0101, 4]);
    b.call(0x13, { ah: 8, dl: 0x80 });
    expect([b.guest.cx, b.guest.dx]).toEqual([0x6311, 0x0301]);
    b.call(0x13, { ah: 0x15, dl: 0x80 });
    expect([b.guest.ah, b.guest.cx, b.guest.dx]).toEqual([3, 0, 6800]);
    expect(b.describe(0x13, { ah: 2, al: 1, cx: 0x0143, dx: 0x80, es: 0, bx: 0x7c00 })).toBe(
      'int 13h ah=02 read 1 sectors, drive 80h cylinder 257 head 0 sector 3, 0000:7C00',
    );
  });

  it('transfers blocks by packets', () => {
    const b = bench();
    b.call(0x13, { ah: 0x41, bx: 0x55aa, dl: 0x80 });
    expect([b.guest.bx, b.guest.carry]).toEqual([0xaa55, false]);
    b.memory.write(0x30000, Uint8Array.from([16, 0, 2, 0, 0, 0, 0, 0x20, 200, 0, 0, 0, 0, 0, 0, 0]));
    b.call(0x13, { ah: 0x42, dl: 0x80, ds: 0x3000, si: 0 });
    expect([b.guest.carry, b.ram[0x20000], b.ram[0x20200]]).toEqual([false, 200, 201]);
    b.memory.write16(0x30000, 26);
    b.call(0x13, { ah: 0x48, dl: 0x80, ds: 0x3000, si: 0 });
    expect(b.memory.read32(0x30010)).toBe(6800);
  });

  it('boots from the floppy, else from a marked hard disk', () => {
    const b = bench();
    expect(b.call(0x19)).toBe('done');
    const frame = [0, 2, 4].map((at) => b.memory.read16(b.guest.sp + at));
    expect([frame, b.guest.dl, b.ram[0x7c00]]).toEqual([[0x7c00, 0, 0x0202], 0, 0]);
    b.disks.delete(0);
    expect(b.call(0x19)).toBe('wait');
    const sector = new Uint8Array(512);
    sector.set([0x12, 0x34]);
    sector.set([0x55, 0xaa], 510);
    b.disks.get(0x80)?.write(0, sector);
    expect(b.call(0x19)).toBe('done');
    expect([b.guest.dl, b.ram[0x7c00]]).toEqual([0x80, 0x12]);
  });
});
