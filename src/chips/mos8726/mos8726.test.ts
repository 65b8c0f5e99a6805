import { describe, expect, test } from 'vitest';
import { stateWords } from './fields.ts';
import { type BusCycle, Mos8726 } from './mos8726.ts';

const free: BusCycle = { isBaLow: false, isBaLate: false };
const taken: BusCycle = { isBaLow: true, isBaLate: false };

/** A controller with 512 KiB unless told, between two memories that can be looked at. */
function controller(kilobytes = 512, glitches = false) {
  const host = Uint8Array.from({ length: 0x10000 }, (_, at) => at & 255);
  const below = new Uint8Array(0x10000).fill(0xbe);
  const ram = new Map<number, number>();
  const mask = kilobytes === 256 ? 0x7ffff : kilobytes * 1024 - 1;
  const rec = new Mos8726(
    new Int32Array(stateWords),
    {
      read: (address) => host[address] ?? 0,
      write: (address, value) => {
        host[address] = value;
      },
      readBelow: (address) => below[address] ?? 0,
      readRam: (address) => ((address & mask) < kilobytes * 1024 ? (ram.get(address & mask) ?? 0) : undefined),
      writeRam: (address, value) => void ram.set(address & mask, value),
    },
    { kilobytes, glitches },
  );
  rec.powerOn();
  const set = (values: Readonly<Record<number, number>>) => {
    for (const [register, value] of Object.entries(values)) rec.write(Number(register), value, 0);
  };
  const load = (hostAt: number, place: number, length: number) =>
    set({
      2: hostAt & 255,
      3: hostAt >> 8,
      4: place & 255,
      5: (place >> 8) & 255,
      6: place >> 16,
      7: length & 255,
      8: length >> 8,
    });
  /** Starts it and answers how many cycles the processor was off the bus. */
  const go = (command: number, bus: readonly BusCycle[] = []) => {
    set({ 1: command });
    let cycles = -1;
    for (; rec.isActive; cycles += 1) rec.tick(bus[cycles + 1] ?? free);
    return cycles;
  };
  const registers = () => Array.from({ length: 11 }, (_, register) => rec.peek(register));
  return { rec, host, ram, set, load, go, registers };
}

describe('registers', () => {
  test('after power-on, with the bits that are not there read as 1, and again every 32 bytes', () => {
    const { rec, registers } = controller();
    expect(registers()).toEqual([0x10, 0x10, 0, 0, 0, 0, 0xf8, 0xff, 0xff, 0x1f, 0x3f]);
    expect([rec.peek(0x1f), rec.peek(0x20), rec.peek(0xdf06)]).toEqual([0xff, 0x10, 0xf8]);
    expect(controller(128).rec.peek(0)).toBe(0);
  });

  test('writing half of a pair brings back what was written to the other half', () => {
    const { load, go, set, registers } = controller();
    load(0x1234, 0x5678, 0x300);
    go(0x90);
    expect(registers().slice(2, 9)).toEqual([0x34, 0x15, 0x78, 0x59, 0xf8, 1, 0]);
    set({ 2: 0x77 });
    expect(registers().slice(2, 4)).toEqual([0x77, 0x12]);
  });
});

describe('transfers', () => {
  test('to the expansion, back, and a swap, one byte a cycle and two for a swap', () => {
    const { host, ram, load, go, registers } = controller();
    load(0x4000, 0x12345, 0x20);
    expect(go(0x90)).toBe(0x20);
    expect(ram.get(0x12345 + 0x1f)).toBe(0x1f);
    expect(registers()[0]).toBe(0x50);
    load(0x5000, 0x12345, 0x10);
    host.fill(0xaa, 0x5000, 0x5010);
    expect(go(0x92)).toBe(0x20);
    expect([host[0x500f], ram.get(0x12354)]).toEqual([0x0f, 0xaa]);
    load(0x6000, 0x12345, 0x10);
    expect(go(0x91)).toBe(0x10);
    expect(host.subarray(0x6000, 0x6011)).toEqual(new Uint8Array(0x11).fill(0xaa, 0, 0x10).fill(0x10, 0x10));
  });

  test('autoload puts the registers back; fixed addresses stay; length 0 is 65,536', () => {
    const { host, ram, load, set, go, registers } = controller();
    load(0x4000, 0, 8);
    go(0xb0);
    expect(registers().slice(2, 9)).toEqual([0, 0x40, 0, 0, 0xf8, 8, 0]);
    set({ 10: 0x80 });
    go(0xb0);
    expect(ram.get(7)).toBe(0);
    set({ 10: 0x40 });
    go(0xb0);
    expect([ram.get(0), ram.get(1)]).toEqual([7, 0]);
    set({ 10: 0 });
    load(0, 0x10000, 0);
    expect(go(0x90)).toBe(0x10000);
    expect([ram.get(0x1ffff), host[0xffff]]).toEqual([0xff, 0xff]);
  });

  test('the 1700 wraps at 128 KiB, the others at 512, whatever lies in the bits above', () => {
    for (const [kilobytes, last] of [
      [128, 0x1ffff],
      [512, 0x7ffff],
      [2048, 0x17ffff],
    ] as const) {
      const { ram, load, go } = controller(kilobytes);
      load(0x4001, last, 2);
      go(0x90);
      expect(ram.get(last)).toBe(1);
      expect(ram.get(last & ~0x7ffff)).toBe(2);
    }
  });

  test('where no chip is, the last byte on the way stays', () => {
    const { host, load, go } = controller(256);
    load(0x4077, 0x0, 1);
    go(0x90);
    load(0x5000, 0x50000, 2);
    go(0x91);
    expect([host[0x5000], host[0x5001]]).toEqual([0x77, 0x77]);
  });

  test('a comparison ends a cycle after the first difference, and says so', () => {
    const { host, load, go, registers } = controller();
    load(0x4000, 0, 16);
    go(0x90);
    load(0x4000, 0, 16);
    expect(go(0x93)).toBe(16);
    host[0x4005] = 0x99;
    load(0x4000, 0, 16);
    expect(go(0x93)).toBe(7);
    expect(registers().slice(2, 9)).toEqual([6, 0x40, 6, 0, 0xf8, 10, 0]);
    expect(registers()[0]).toBe(0x70);
  });

  test.for([
    ['the last byte differs', [15], 16, 0x70],
    ['only the one before it differs', [14], 16, 0x70],
    ['both differ', [14, 15], 16, 0x30],
  ] as const)('a comparison in which %s', ([, places, cycles, status]) => {
    const { rec, host, load, go } = controller();
    load(0x4000, 0, 16);
    go(0x90);
    rec.read(0);
    for (const place of places) host[0x4000 + place] = 0x99;
    load(0x4000, 0, 16);
    expect(go(0x93)).toBe(cycles);
    expect(rec.read(0)).toBe(status);
    expect(rec.read(0)).toBe(0x10);
  });

  test('$FF00 starts what the command has armed, once; during it no register answers', () => {
    const { rec, ram, load, set } = controller();
    load(0x4002, 0, 2);
    rec.trigger(0);
    expect(rec.isActive).toBe(false);
    set({ 1: 0x80 });
    expect([rec.isArmed, rec.isActive]).toEqual([true, false]);
    rec.trigger(0);
    expect([rec.isArmed, rec.isActive, rec.read(0)]).toEqual([false, true, undefined]);
    set({ 2: 0x99 });
    for (let cycle = 0; cycle < 3; cycle += 1) rec.tick(free);
    expect([rec.isActive, ram.get(1), rec.peek(1), rec.peek(2)]).toEqual([false, 3, 0x10, 4]);
  });

  test('interrupts: when a block ends, or later when they are allowed, until the status is read', () => {
    const { rec, load, set, go } = controller();
    load(0x4000, 0, 2);
    set({ 9: 0xc0 });
    go(0x90);
    expect(rec.read(0)).toBe(0xd0);
    load(0x4000, 0, 2);
    set({ 9: 0 });
    go(0x90);
    expect(rec.peek(0)).toBe(0x50);
    set({ 9: 0xa0 });
    expect(rec.peek(0)).toBe(0x50);
    set({ 9: 0xc0 });
    expect(rec.read(0)).toBe(0xd0);
  });
});

describe('while the VIC-II wants the bus', () => {
  const low = (count: number, from: number) =>
    Array.from({ length: from + count }, (_, cycle) => (cycle < from ? free : taken));

  test('reads wait at once, writes a cycle later', () => {
    const first = controller();
    first.load(0x4000, 0, 16);
    expect(first.go(0x90, low(43, 4))).toBe(16 + 43);
    first.load(0x4000, 0, 16);
    expect(first.go(0x91, low(43, 4))).toBe(16 + 42);
  });

  test('a last byte does not use the cycle in which BA falls', () => {
    const { load, go } = controller();
    load(0x4000, 0, 5);
    expect(go(0x91, low(43, 4))).toBe(5 + 43);
  });

  test('on newer boards a byte comes from the RAM below I/O if BA falls late', () => {
    for (const [glitches, value] of [
      [true, 0xbe],
      [false, 2],
    ] as const) {
      const { ram, load, go } = controller(512, glitches);
      load(0x4000, 0, 4);
      go(0x90, [free, free, { isBaLow: true, isBaLate: true }]);
      expect(ram.get(2)).toBe(value);
    }
  });
});
