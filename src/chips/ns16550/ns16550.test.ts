import { describe, expect, it } from 'vitest';
import { stateWords } from './fields.ts';
import { Ns16550 } from './ns16550.ts';

const IPS = 4_000_000;

function uart() {
  const clock = { now: 0 };
  const sent: [number, number][] = [];
  const irqs: number[] = [];
  const chip = new Ns16550(new Int32Array(stateWords), {
    now: () => clock.now,
    instructionsPerSecond: IPS,
    irq: (level) => irqs.push(level),
    transmit: (byte) => sent.push([clock.now, byte]),
  });
  chip.powerOn();
  const runTo = (count: number) => {
    for (let next = chip.nextEvent(); next <= count; next = chip.nextEvent()) {
      clock.now = next;
      chip.catchUp(next);
    }
    clock.now = count;
  };
  return { chip, clock, sent, irqs, runTo };
}

describe('16550', () => {
  it('sends at the speed of its divisor: ten bits of 9600 baud', () => {
    const { chip, sent, runTo } = uart();
    expect(chip.read(5)).toBe(0x60);
    chip.write(0, 0x41);
    expect(chip.read(5)).toBe(0x20);
    chip.write(0, 0x42);
    expect(chip.read(5)).toBe(0);
    runTo(20_000);
    expect(sent).toEqual([
      [4166, 0x41],
      [8332, 0x42],
    ]);
    chip.write(3, 0x83);
    chip.write(0, 1);
    chip.write(1, 0);
    chip.write(3, 0x03);
    chip.write(0, 0x43);
    runTo(40_000);
    expect(sent[2]).toEqual([20_347, 0x43]);
  });

  it('receives without a FIFO: one byte, interrupt, read, next', () => {
    const { chip, irqs, runTo } = uart();
    chip.write(4, 8);
    chip.write(1, 1);
    expect(chip.receive(Uint8Array.from([1, 2]))).toBe(2);
    runTo(50_000);
    expect([irqs, chip.read(2), chip.read(5) & 1]).toEqual([[1], 4, 1]);
    expect(chip.read(0)).toBe(1);
    expect([chip.read(2), irqs]).toEqual([1, [1, 0]]);
    runTo(60_000);
    expect(chip.read(0)).toBe(2);
  });

  it('raises at the trigger level of the FIFO, or after four bytes of silence', () => {
    const { chip, irqs, runTo } = uart();
    chip.write(2, 0x81);
    chip.write(4, 8);
    chip.write(1, 1);
    chip.receive(new Uint8Array(9).map((_, index) => index));
    runTo(4166 * 7);
    expect(irqs).toEqual([]);
    runTo(4166 * 8);
    expect([irqs, chip.read(2)]).toEqual([[1], 0xc4]);
    for (let i = 0; i < 8; i++) expect(chip.read(0)).toBe(i);
    expect(irqs).toEqual([1, 0]);
    runTo(4166 * 14);
    expect([irqs, chip.read(2)]).toEqual([[1, 0, 1], 0xcc]);
    expect(chip.read(0)).toBe(8);
    expect(chip.read(2)).toBe(0xc1);
  });

  it('interrupts when it can take another byte', () => {
    const { chip, irqs, runTo } = uart();
    chip.write(4, 8);
    chip.write(1, 2);
    expect([[...irqs], chip.read(2), chip.read(2)]).toEqual([[1], 2, 1]);
    chip.write(0, 1);
    chip.write(0, 2);
    runTo(4166);
    expect(chip.read(2)).toBe(2);
  });

  it('loops back, and has its registers', () => {
    const { chip, sent, runTo } = uart();
    chip.write(4, 0x1b);
    expect(chip.read(6)).toBe(0xb0);
    chip.write(0, 0x55);
    runTo(10_000);
    expect([chip.read(0), sent]).toEqual([0x55, []]);
    chip.write(7, 0xa5);
    expect(chip.read(7)).toBe(0xa5);
    chip.write(3, 0x9b);
    expect([chip.read(0), chip.read(1), chip.read(3)]).toEqual([12, 0, 0x9b]);
  });

  it('refuses bytes beyond its room', () => {
    const { chip } = uart();
    expect(chip.receive(new Uint8Array(2000))).toBe(1024);
    expect(chip.room).toBe(0);
  });
});
