import { describe, expect, it } from 'vitest';
import { AtaChannel, type AtaDisk } from './ata-channel.ts';
import { fields, stateWords } from './fields.ts';

const IPS = 1_000_000;

function channel(readOnly = false) {
  const clock = { now: 0 };
  const irqs: number[] = [];
  const image = Array.from({ length: 20 * 4 * 17 }, (_, sector) => new Uint8Array(512).fill(sector & 0xff));
  const disk: AtaDisk = {
    cylinders: 20,
    heads: 4,
    sectorsPerTrack: 17,
    sectors: image.length,
    read: (sector) => image[sector],
    write: (sector, bytes) => {
      if (!readOnly) image[sector] = bytes.slice();
      return !readOnly;
    },
  };
  let level = 0;
  const state = new Int32Array(stateWords);
  const chip = new AtaChannel(state, {
    now: () => clock.now,
    instructionsPerSecond: IPS,
    irq: (to) => {
      if (to > level) irqs.push(clock.now);
      level = to;
    },
    disk: (drive) => (drive === 0 ? disk : undefined),
  });
  chip.powerOn();
  const wait = () => {
    const next = chip.nextEvent();
    if (next === Number.POSITIVE_INFINITY) return;
    clock.now = next;
    chip.catchUp(next);
  };
  const command = (code: number, registers: Readonly<Record<number, number>> = {}) => {
    for (const [register, value] of Object.entries(registers)) chip.write(Number(register), value);
    chip.write(7, code);
    expect(chip.alternateStatus).toBe(0x80);
    wait();
    return chip.read(7);
  };
  const words = (count: number) => Array.from({ length: count }, () => chip.readData(16));
  const left = () => [state[fields.left], state[fields.block]];
  return { chip, clock, irqs, image, wait, command, words, left };
}

describe('IDE', () => {
  it('identifies its disk', () => {
    const { chip, command, words, irqs } = channel();
    expect(command(0xec)).toBe(0x58);
    const identity = words(256);
    expect([identity[1], identity[3], identity[6], identity[60]]).toEqual([20, 4, 17, 20 * 4 * 17]);
    const model = identity.slice(27, 47).map((word) => String.fromCharCode(word >> 8, word & 0xff));
    expect(model.join('').trimEnd()).toBe('FRONTPANEL HARD DISK');
    expect([chip.read(7), irqs.length]).toEqual([0x50, 1]);
  });

  it('reads by cylinder, head and sector, an interrupt each, and by number', () => {
    const { chip, command, wait, words, irqs } = channel();
    expect(command(0x20, { 2: 2, 3: 17, 4: 1, 5: 0, 6: 0xa3 })).toBe(0x58);
    const last = 1 * 68 + 3 * 17 + 16;
    expect(words(256)[0]).toBe((last & 0xff) * 0x101);
    expect(chip.alternateStatus).toBe(0x80);
    wait();
    expect([words(256)[255], chip.read(7), irqs.length]).toEqual([((last + 1) & 0xff) * 0x101, 0x50, 2]);
    // Where it ended.
    expect([2, 3, 4, 6].map((register) => chip.read(register))).toEqual([0, 1, 2, 0xa0]);
    command(0x20, { 2: 1, 3: 0x2c, 4: 1, 5: 0, 6: 0xe0 });
    expect(chip.readData(32)).toBe(0x2c2c2c2c);
  });

  it('writes, one block or several sectors of one, and a further interrupt for each', () => {
    const { chip, command, wait, image, irqs } = channel();
    const give = () => {
      for (let index = 0; index < 256; index++) chip.writeData(16, 0xbeef);
    };
    expect(command(0x30, { 2: 2, 3: 1, 4: 0, 5: 0, 6: 0xa1 })).toBe(0x58);
    // No interrupt for the first.
    expect(irqs).toEqual([]);
    give();
    wait();
    expect([irqs.length, chip.read(7)]).toEqual([1, 0x58]);
    give();
    wait();
    expect([irqs.length, chip.read(7)]).toEqual([2, 0x50]);
    expect([image[17]?.[0], image[18]?.[511], image[19]?.[0]]).toEqual([0xef, 0xbe, 19]);
    command(0xc6, { 2: 4 });
    command(0xc5, { 2: 3, 3: 1, 4: 2, 5: 0, 6: 0xa0 });
    for (let sector = 0; sector < 3; sector++) give();
    wait();
    expect([irqs.length, image[2 * 68 + 2]?.[0], chip.read(7)]).toEqual([4, 0xef, 0x50]);
    command(0xc4, { 2: 4, 3: 1, 4: 0, 5: 0, 6: 0xa0 });
    for (let word = 0; word < 4 * 256; word++) chip.readData(16);
    expect([irqs.length, chip.read(7)]).toEqual([5, 0x50]);
  });

  it('takes another geometry, and tells what is not there', () => {
    const { chip, command, words } = channel();
    command(0x91, { 2: 34, 6: 0xa1 });
    command(0x20, { 2: 1, 3: 34, 4: 0, 5: 0, 6: 0xa1 });
    expect(words(256)[0]).toBe(67 * 0x101);
    expect([command(0x20, { 3: 35, 6: 0xa0 }), chip.read(1)]).toEqual([0x51, 0x10]);
    expect([command(0x40, { 2: 1, 3: 0, 4: 0xff, 5: 0xff, 6: 0xe0 }), chip.read(1)]).toEqual([0x51, 0x10]);
    expect([command(0xa1), chip.read(1)]).toEqual([0x51, 4]);
    expect([command(0xef, { 1: 3 }), command(0xef, { 1: 0x77 })]).toEqual([0x50, 0x51]);
    expect([command(0x90), chip.read(1)]).toEqual([0x50, 1]);
    expect([command(0x10), command(0xe7)]).toEqual([0x50, 0x50]);
  });

  it('has nothing left of a transfer that was given up, or failed', () => {
    const { chip, command, wait, words, left } = channel();
    command(0x20, { 2: 5, 3: 1, 4: 0, 5: 0, 6: 0xa0 });
    words(256);
    wait();
    expect(left()).toEqual([3, 0]);
    command(0x10);
    expect(left()).toEqual([0, 0]);
    command(0x20, { 2: 9, 3: 1, 4: 0, 5: 0, 6: 0xa0 });
    chip.writeControl(4);
    chip.writeControl(0);
    expect(left()).toEqual([0, 0]);
    command(0x20, { 2: 7, 3: 17, 4: 0xff, 5: 0xff, 6: 0xa0 });
    expect([chip.read(7), left()]).toEqual([0x51, [0, 0]]);
  });

  it('is reset by 3F6h, may keep its interrupts, and has no slave', () => {
    const { chip, command, irqs } = channel();
    chip.writeControl(2);
    command(0xec);
    expect(irqs).toEqual([]);
    chip.writeControl(4);
    expect(chip.alternateStatus).toBe(0x80);
    chip.writeControl(0);
    expect([chip.alternateStatus, chip.read(1), chip.read(2), chip.read(4)]).toEqual([0x50, 1, 1, 0]);
    chip.write(6, 0xb0);
    chip.write(7, 0xec);
    expect([chip.read(7), chip.nextEvent()]).toEqual([0, Number.POSITIVE_INFINITY]);
  });

  it('tells that a disk cannot be written', () => {
    const { chip, command } = channel(true);
    command(0x30, { 2: 1, 3: 1, 6: 0xa0 });
    for (let index = 0; index < 256; index++) chip.writeData(16, 0);
    expect([chip.read(7), chip.read(1)]).toEqual([0x71, 4]);
  });
});
