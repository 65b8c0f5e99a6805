import { describe, expect, it } from 'vitest';
import { stateWords as dmaWords } from '../i8237/fields.ts';
import { I8237 } from '../i8237/i8237.ts';
import { stateWords } from './fields.ts';
import { type FloppyMedium, I8272 } from './i8272.ts';

const IPS = 1_000_000;

function controller({ readOnly = false, sectorsPerTrack = 18 } = {}) {
  const clock = { now: 0 };
  const memory = new Uint8Array(0x20000);
  const line = { level: 0 };
  const image = Array.from({ length: 2 * 80 * sectorsPerTrack }, (_, sector) =>
    new Uint8Array(512).fill(sector & 0xff),
  );
  const disk: FloppyMedium = {
    heads: 2,
    sectorsPerTrack,
    cylinders: 80,
    readOnly,
    read: (sector) => image[sector],
    write: (sector, bytes) => {
      image[sector] = bytes.slice();
      return true;
    },
  };
  const dma = new I8237(new Int32Array(dmaWords), {
    readMemory: (address) => memory[address] ?? 0,
    writeMemory: (address, value) => {
      memory[address] = value;
    },
  });
  dma.powerOn();
  const chip = new I8272(new Int32Array(stateWords), {
    now: () => clock.now,
    instructionsPerSecond: IPS,
    irq: (level) => {
      line.level = level;
    },
    dma: (value) => dma.transfer(2, value),
    disk: (drive) => (drive === 0 ? disk : undefined),
  });
  chip.powerOn();
  /** Waits for the interrupt; false where it never comes. */
  const wait = () => {
    clock.now = chip.nextEvent();
    if (clock.now === Number.POSITIVE_INFINITY) {
      clock.now = 0;
      return false;
    }
    chip.catchUp(clock.now);
    return line.level === 1;
  };
  const send = (...bytes: number[]) => {
    for (const byte of bytes) chip.write(5, byte);
  };
  const result = () => {
    const bytes: number[] = [];
    while ((chip.read(4) & 0xc0) === 0xc0) bytes.push(chip.read(5));
    return bytes;
  };
  const command = (...bytes: number[]) => {
    send(...bytes);
    wait();
    return result();
  };
  const sense = () => {
    send(8);
    return result();
  };
  /** Channel 2 from 10000h: 46h to memory, 4Ah from it. */
  const program = (bytes: number, mode: number) => {
    for (const [port, value] of [
      [0x0c, 0],
      [0x04, 0],
      [0x04, 0],
      [0x05, (bytes - 1) & 0xff],
      [0x05, (bytes - 1) >> 8],
      [0x81, 1],
      [0x0b, mode],
      [0x0a, 2],
    ] as const)
      dma.write(port, value);
  };
  return { chip, clock, memory, line, image, wait, send, result, command, sense, program };
}

describe('commands', () => {
  it('a reset interrupts, and each of four drives tells of it', () => {
    const { chip, line, sense } = controller();
    chip.write(2, 0);
    expect(chip.read(4)).toBe(0);
    chip.write(2, 0x0c);
    expect(line.level).toBe(1);
    expect([sense(), sense(), sense(), sense(), sense()]).toEqual([[0xc0, 0], [0xc1, 0], [0xc2, 0], [0xc3, 0], [0x80]]);
    expect(line.level).toBe(0);
  });

  it('seeks at the rate of its steps, and goes back to cylinder 0', () => {
    const { chip, clock, command, sense, send, result } = controller();
    command(3, 0xdf, 2);
    const began = clock.now;
    command(0x0f, 0, 40);
    // 40 steps of 3 ms.
    expect(clock.now - began).toBe(120_100);
    expect(sense()).toEqual([0x20, 40]);
    send(4, 0);
    expect(result()).toEqual([0x28]);
    command(7, 0);
    expect(sense()).toEqual([0x20, 0]);
    send(4, 4);
    expect(result()).toEqual([0x3c]);
    expect(chip.read(4)).toBe(0x80);
  });

  it('reads and writes sectors over both heads until the DMA controller has all', () => {
    const { memory, image, command, program, line } = controller();
    command(0x0f, 0, 2);
    program(1024, 0x46);
    // The last sector of head 0 and the first of head 1.
    expect(command(0xe6, 0, 2, 0, 18, 2, 18, 27, 0xff)).toEqual([0, 0, 0, 2, 1, 2, 2]);
    expect([memory[0x10000], memory[0x10200], line.level]).toEqual([(2 * 36 + 17) & 0xff, (2 * 36 + 18) & 0xff, 0]);
    memory.fill(0x5a, 0x10000, 0x10200);
    program(512, 0x4a);
    expect(command(0x45, 4, 2, 1, 3, 2, 18, 27, 0xff)).toEqual([4, 0, 0, 2, 1, 4, 2]);
    expect([image[2 * 36 + 18 + 2]?.[511], image[2 * 36 + 18 + 3]?.[0]]).toEqual([0x5a, (2 * 36 + 18 + 3) & 0xff]);
  });

  it('formats a track by what comes over DMA, and reads marks', () => {
    const { memory, image, command, program } = controller();
    command(0x0f, 0, 5);
    for (let sector = 0; sector < 18; sector++) memory.set([5, 1, sector + 1, 2], 0x10000 + sector * 4);
    program(72, 0x4a);
    expect(command(0x4d, 4, 2, 18, 0x54, 0xf6).slice(0, 3)).toEqual([4, 0, 0]);
    expect([image[5 * 36 + 18]?.[0], image[5 * 36 + 35]?.[511], image[5 * 36 + 17]?.[0]]).toEqual([
      0xf6,
      0xf6,
      (5 * 36 + 17) & 0xff,
    ]);
    const [zero, one, two, cylinder, head, sector = 0, size] = command(0x4a, 4);
    expect([zero, one, two, cylinder, head, size]).toEqual([4, 0, 0, 5, 1, 2]);
    expect(sector >= 1 && sector <= 18).toBe(true);
  });
});

describe('what goes wrong', () => {
  it('is told in the status bytes', () => {
    const { command, program, chip } = controller();
    program(512, 0x46);
    expect(command(0x46, 0, 1, 0, 1, 2, 18, 27, 0xff).slice(0, 3)).toEqual([0x40, 4, 0x10]);
    expect(command(0x46, 0, 0, 0, 19, 2, 19, 27, 0xff).slice(0, 3)).toEqual([0x40, 4, 0]);
    program(1024, 0x46);
    expect(command(0x46, 0, 0, 0, 18, 2, 18, 27, 0xff).slice(0, 3)).toEqual([0x40, 0x80, 0]);
    // Nobody has set the channel up again.
    program(512, 0x4a);
    expect(command(0x46, 0, 0, 0, 1, 2, 18, 27, 0xff).slice(0, 3)).toEqual([0x40, 0x10, 0]);
    chip.write(7, 2);
    expect(command(0x4a, 0).slice(0, 3)).toEqual([0x40, 1, 0]);
    expect(command(0x1d)).toEqual([0x80]);
  });

  it('a disk may be write-protected, absent or another one', () => {
    const { chip, command, program, send, wait, sense } = controller({ readOnly: true, sectorsPerTrack: 9 });
    program(512, 0x4a);
    expect(command(0x45, 0, 0, 0, 1, 2, 9, 27, 0xff).slice(0, 3)).toEqual([0x40, 2, 0]);
    expect(command(4, 0)).toEqual([0x78]);
    expect(chip.read(7)).toBe(0);
    chip.changed(0);
    expect(chip.read(7)).toBe(0x80);
    command(0x0f, 0, 1);
    sense();
    expect(chip.read(7)).toBe(0);
    // No index hole: it waits until somebody resets it.
    send(0x4a, 1);
    expect([wait(), chip.read(4)]).toEqual([false, 0x10]);
    chip.write(2, 0);
    chip.write(2, 0x0d);
    expect([chip.read(4), chip.read(7)]).toEqual([0x80, 0x80]);
  });
});
