import { describe, expect, it } from 'vitest';
import { BiosBench } from '../bios-testing.ts';
import { romCode } from '../rom-layout.ts';

describe('timer', () => {
  it('starts with the ticks of the clock and turns over at midnight', () => {
    const bench = new BiosBench();
    const ticks = Math.floor(((12 * 60 + 30) * 60 + 15) * (1_193_182 / 65_536));
    expect(bench.memory.read32(0x46c)).toBe(ticks);
    bench.call(0x08);
    bench.call(0x1a, { ah: 0 });
    expect([bench.guest.cx, bench.guest.dx, bench.guest.al]).toEqual([(ticks + 1) >> 16, (ticks + 1) & 0xffff, 0]);
    bench.call(0x1a, { ah: 1, cx: 0x18, dx: 0xaf });
    bench.call(0x08);
    bench.call(0x1a, { ah: 0 });
    expect([bench.guest.cx, bench.guest.dx, bench.guest.al]).toEqual([0, 0, 1]);
    bench.call(0x1a, { ah: 0 });
    expect(bench.guest.al).toBe(0);
  });

  it('reads and sets the clock', () => {
    const bench = new BiosBench();
    bench.clock.now += 4_000_000 * 46;
    bench.call(0x1a, { ah: 2 });
    expect([bench.guest.cx, bench.guest.dh]).toEqual([0x1231, 0x01]);
    bench.call(0x1a, { ah: 4 });
    expect([bench.guest.cx, bench.guest.dx]).toEqual([0x1992, 0x0304]);
    bench.call(0x1a, { ah: 5, cx: 0x1987, dx: 0x1225 });
    bench.call(0x1a, { ah: 3, cx: 0x0815, dx: 0x3000 });
    expect(bench.rtc.time).toEqual({ year: 1987, month: 12, day: 25, hour: 8, minute: 15, second: 30 });
    bench.call(0x1a, { ah: 0x99 });
    expect(bench.guest.carry).toBe(true);
  });
});

describe('INT 15h', () => {
  it('waits by the clock interrupt for as long as asked', () => {
    const bench = new BiosBench();
    expect(bench.call(0x15, { ah: 0x86, cx: 0, dx: 10_000 })).toBe('wait');
    const start = bench.clock.now;
    let rounds = 0;
    for (; rounds < 100; rounds++) {
      bench.clock.now = bench.rtc.nextEvent();
      bench.rtc.catchUp(bench.clock.now);
      expect(bench.pic.acknowledge()).toBe(0x70);
      bench.call(0x70);
      bench.ports.write8(0xa0, 0x20);
      bench.ports.write8(0x20, 0x20);
      if (bench.call(0x15, { ah: 0x86, cx: 0, dx: 10_000 }) === 'done') break;
    }
    expect((bench.clock.now - start) / 4_000_000).toBeCloseTo(0.01, 2);
    expect(rounds).toBe(10);
    expect(bench.guest.carry).toBe(false);
    expect(bench.rtc.nextEvent()).toBe(Number.POSITIVE_INFINITY);
  });

  it('sets a flag after an event wait, and calls INT 4Ah for an alarm', () => {
    const bench = new BiosBench();
    bench.call(0x15, { ah: 0x83, al: 0, cx: 0, dx: 500, es: 0x2000, bx: 5 });
    bench.clock.now = bench.rtc.nextEvent();
    bench.rtc.catchUp(bench.clock.now);
    bench.call(0x70);
    expect(bench.memory.read8(0x20005)).toBe(0x80);
    bench.call(0x1a, { ah: 6, cx: 0x1230, dx: 0x1700 });
    bench.clock.now = 4_000_000 * 2;
    bench.rtc.catchUp(bench.clock.now);
    expect(bench.call(0x70)).toBe('jump');
    expect(bench.guest.ip).toBe(romCode.alarm);
  });

  it('switches A20, moves blocks, tells sizes', () => {
    const bench = new BiosBench();
    bench.call(0x15, { ax: 0x2401 });
    expect(bench.kbc.a20).toBe(true);
    bench.call(0x15, { ax: 0x2402 });
    expect([bench.guest.ax, bench.guest.carry]).toEqual([1, false]);
    bench.memory.write(0x20000, Uint8Array.from([1, 2, 3, 4]));
    // Descriptors at 3000:0: source 20000h, target 100100h.
    bench.memory.write(0x30010, Uint8Array.from([0xff, 0xff, 0, 0, 2, 0x93, 0, 0, 0xff, 0xff, 0, 1, 0x10, 0x93, 0, 0]));
    bench.call(0x15, { ah: 0x87, cx: 2, es: 0x3000, si: 0 });
    expect([...bench.ram.subarray(0x100100, 0x100104)]).toEqual([1, 2, 3, 4]);
    bench.call(0x15, { ah: 0x88 });
    expect(bench.guest.ax).toBe(1024);
    bench.call(0x15, { ah: 0xc0 });
    expect(bench.memory.read8((bench.guest.es << 4) + bench.guest.bx + 2)).toBe(0xfc);
    bench.call(0x15, { ah: 0x84, dx: 1 });
    expect([bench.guest.ax, bench.guest.dx]).toEqual([1, 4]);
    bench.call(0x15, { ah: 0x33 });
    expect([bench.guest.carry, bench.guest.ah]).toEqual([true, 0x86]);
  });

  it('hands packets of the mouse to a handler', () => {
    const bench = new BiosBench();
    bench.call(0x15, { ax: 0xc207, es: 0x1234, bx: 0x10 });
    bench.call(0x15, { ax: 0xc200, bh: 1 });
    const outcomes: string[] = [];
    const run = () => {
      for (let next = bench.kbc.nextEvent(); next < Number.POSITIVE_INFINITY; next = bench.kbc.nextEvent()) {
        bench.clock.now = next;
        bench.kbc.catchUp(next);
        outcomes.push(bench.call(0x74, { ss: 0x5000, sp: 0x100 }));
      }
    };
    run();
    bench.kbc.moveMouse(-2, 3, 1);
    run();
    expect(outcomes).toEqual(['done', 'done', 'done', 'jump']);
    expect([bench.guest.cs, bench.guest.ip, bench.guest.sp]).toEqual([0x1234, 0x10, 0x100 - 12]);
    const words = [0, 2, 4, 6, 8, 10].map((at) => bench.memory.read16(0x500f4 + at));
    expect(words).toEqual([romCode.pointerReturn, 0xf000, 0, 0xfd, 0xfe, 0x39]);
    const saved = bench.bios.save();
    bench.bios.restore(saved);
    expect(bench.bios.save()).toEqual(saved);
  });
});

describe('configuration', () => {
  it('tells of equipment and memory', () => {
    const bench = new BiosBench();
    bench.call(0x11);
    // A floppy, a mouse, 80 columns, two serial ports, a joystick, a printer.
    expect(bench.guest.ax).toBe(0x5425);
    bench.call(0x12);
    expect(bench.guest.ax).toBe(640);
    bench.ports.write8(0x70, 0x15);
    expect(bench.ports.read8(0x71)).toBe(0x80);
  });
});
