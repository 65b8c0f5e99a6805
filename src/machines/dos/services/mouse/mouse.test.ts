import { describe, expect, it } from 'vitest';
import type { VgaPicture } from '../../../../chips/vga/picture.ts';
import { BiosBench } from '../bios/bios-testing.ts';
import { romCode } from '../bios/rom-layout.ts';
import { mouseService } from './int33.ts';
import { MouseDriver } from './mouse-driver.ts';

function mouse(mode = 3) {
  const bench = new BiosBench();
  bench.call(0x10, { ah: 0, al: mode });
  const irqs: number[] = [];
  const driver = new MouseDriver({ video: bench.bios.video, irq: (level) => irqs.push(level) });
  const row = mouseService(driver);
  const call = (registers: Record<string, number>) => {
    Object.assign(bench.guest, registers);
    row.serve(bench.guest);
    return bench.guest;
  };
  call({ ax: 0 });
  const where = () => {
    const { cx, dx, bx } = call({ ax: 3 });
    return [cx, dx, bx];
  };
  irqs.length = 0;
  return { bench, driver, call, where, irqs, row };
}

describe('INT 33h', () => {
  it('is there, in the middle of the screen', () => {
    const { call, where } = mouse();
    expect(where()).toEqual([320, 96, 0]);
    expect([call({ ax: 0 }).ax, call({ ax: 0 }).bx]).toEqual([0xffff, 3]);
    expect(call({ ax: 0x24 }).bx).toBe(0x0814);
  });

  it('takes places on the picture: characters in text, halved columns in 13h, pixels in 12h', () => {
    const text = mouse();
    text.driver.moveTo(9 * 10 + 4, 16 * 5 + 3, 720, 400);
    expect(text.where()).toEqual([80, 40, 0]);
    const low = mouse(0x13);
    low.driver.moveTo(100, 50, 320, 200);
    expect(low.where()).toEqual([200, 50, 0]);
    const high = mouse(0x12);
    high.driver.moveTo(633, 479, 640, 480);
    expect(high.where()).toEqual([633, 479, 0]);
    // A program that asks for its own range gets it over the whole picture.
    low.call({ ax: 7, cx: 0, dx: 319 });
    low.driver.moveTo(101, 50, 320, 200);
    expect(low.where()).toEqual([101, 50, 0]);
  });

  it('puts a pointer that it draws on the pixel, however a range keeps it inside', () => {
    const { call, driver, where } = mouse(0x13);
    call({ ax: 7, cx: 0, dx: 500 });
    call({ ax: 8, cx: 10, dx: 189 });
    call({ ax: 1 });
    driver.moveTo(50, 40, 320, 200);
    expect(where()).toEqual([100, 40, 0]);
    driver.moveTo(300, 3, 320, 200);
    expect(where()).toEqual([500, 10, 0]);
  });

  it('counts presses and releases with their places, and mickeys', () => {
    const { driver, call, where } = mouse();
    call({ ax: 4, cx: 16, dx: 24 });
    driver.setButtons(1);
    driver.setButtons(0);
    driver.setButtons(3);
    expect(where()).toEqual([16, 24, 3]);
    const pressed = call({ ax: 5, bx: 0 });
    expect([pressed.ax, pressed.bx, pressed.cx, pressed.dx]).toEqual([3, 2, 16, 24]);
    expect(call({ ax: 5, bx: 0 }).bx).toBe(0);
    expect(call({ ax: 6, bx: 0 }).bx).toBe(1);
    driver.moveBy(16, -32);
    expect(where()).toEqual([32, 8, 3]);
    const mickeys = call({ ax: 0x0b });
    expect([mickeys.cx, mickeys.dx]).toEqual([16, 0xffe0]);
    call({ ax: 8, cx: 100, dx: 50 });
    expect(where()[1]).toBe(48);
  });

  it('calls a handler at its interrupt, one event after the other', () => {
    const { bench, driver, call, irqs } = mouse();
    call({ ax: 0x0c, cx: 0x03, es: 0x1234, dx: 0x56 });
    driver.moveTo(90, 80, 720, 400);
    driver.moveTo(99, 80, 720, 400);
    driver.setButtons(1);
    driver.setButtons(0);
    expect(irqs).toContain(1);
    Object.assign(bench.guest, { ss: 0x5000, sp: 0x100 });
    expect(driver.interrupt.serve(bench.guest)).toBe('jump');
    expect([bench.guest.cs, bench.guest.ip, bench.guest.ax, bench.guest.cx]).toEqual([0x1234, 0x56, 1, 88]);
    expect([bench.memory.read16(0x500fc), bench.memory.read16(0x500fe)]).toEqual([romCode.mouseReturn, 0xf000]);
    expect(driver.interrupt.serve(bench.guest)).toBe('jump');
    expect([bench.guest.ax, bench.guest.bx]).toEqual([2, 1]);
    expect(driver.interrupt.serve(bench.guest)).toBe('done');
    expect(irqs.at(-1)).toBe(0);
  });

  it('shows a pointer that leaves nothing behind', () => {
    for (const mode of [3, 4, 0x0d, 0x12, 0x13]) {
      const { bench, driver, call } = mouse(mode);
      const before = bench.vga.picture() as VgaPicture;
      call({ ax: 1 });
      const shown = bench.vga.picture() as VgaPicture;
      const differing = (pixels: Uint8Array) => pixels.filter((value, index) => value !== before.pixels[index]).length;
      expect(differing(shown.pixels), `mode ${mode}`).toBeGreaterThan(60);
      driver.moveTo(3, 3, before.width, before.height);
      driver.interrupt.serve(bench.guest);
      const corner = bench.vga.picture() as VgaPicture;
      expect(differing(corner.pixels)).toBeGreaterThan(60);
      call({ ax: 2 });
      expect(Buffer.compare((bench.vga.picture() as VgaPicture).pixels, before.pixels)).toBe(0);
    }
  });

  it('describes calls, and can be copied', () => {
    const { bench, driver, row } = mouse();
    Object.assign(bench.guest, { ax: 7, cx: 0, dx: 639 });
    expect(row.describe(bench.guest)).toBe('int 33h ax=0007 horizontal range 0 to 639');
    const saved = driver.save();
    driver.setButtons(4);
    driver.restore(saved);
    expect(driver.save()).toEqual(saved);
  });
});
