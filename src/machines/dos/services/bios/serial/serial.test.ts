import { describe, expect, it } from 'vitest';
import { BiosBench } from '../bios-testing.ts';
import { interruptOffset } from '../rom.ts';

function runUart(bench: BiosBench) {
  for (let next = bench.uart.nextEvent(); next < Number.POSITIVE_INFINITY; next = bench.uart.nextEvent()) {
    bench.clock.now = next;
    bench.uart.catchUp(next);
  }
}

describe('INT 14h', () => {
  it('sets the speed, sends when the transmitter is free, receives', () => {
    const bench = new BiosBench();
    bench.call(0x14, { ah: 0, al: 0xa3, dx: 0 });
    expect(bench.guest.ah & 0x60).toBe(0x60);
    bench.uart.write(3, 0x83);
    expect(bench.uart.read(0)).toBe(48);
    bench.uart.write(3, 0x03);
    expect(bench.call(0x14, { ah: 1, al: 0x41, dx: 0 })).toBe('done');
    expect(bench.call(0x14, { ah: 1, al: 0x42, dx: 0 })).toBe('done');
    // Shifter and holding register are full: it loops.
    expect(bench.call(0x14, { ah: 1, al: 0x43, dx: 0 })).toBe('jump');
    expect([bench.guest.cs, bench.guest.ip]).toEqual([0xf000, interruptOffset(0x14)]);
    runUart(bench);
    expect(bench.sent).toEqual([0x41, 0x42]);
    bench.uart.receive(Uint8Array.of(0x7a));
    bench.call(0x14, { ah: 2, dx: 0 });
    expect(bench.guest.ah).toBe(0x80);
    runUart(bench);
    bench.call(0x14, { ah: 3, dx: 0 });
    expect(bench.guest.ah & 1).toBe(1);
    bench.call(0x14, { ah: 2, dx: 0 });
    expect(bench.guest.ax).toBe(0x007a);
    bench.call(0x14, { ah: 1, al: 1, dx: 3 });
    expect(bench.guest.ah).toBe(0x80);
    expect(bench.describe(0x14, { ah: 1, al: 0x41, dx: 0 })).toBe("int 14h ah=01 send byte COM1 'A'");
  });
});

describe('INT 17h', () => {
  it('prints, and tells that nothing is wrong', () => {
    const bench = new BiosBench();
    for (const byte of [0x48, 0x69]) bench.call(0x17, { ah: 0, al: byte, dx: 0 });
    expect(bench.printed).toEqual([0x48, 0x69]);
    bench.call(0x17, { ah: 2, dx: 0 });
    expect(bench.guest.ah).toBe(0x90);
    bench.call(0x17, { ah: 2, dx: 2 });
    expect(bench.guest.ah).toBe(1);
  });
});
