import { describe, expect, it } from 'vitest';
import { stateWords as dmaWords } from '../i8237/fields.ts';
import { I8237 } from '../i8237/i8237.ts';
import { stateWords } from './fields.ts';
import type { BlasterModel } from './models.ts';
import { SoundBlaster } from './sound-blaster.ts';

const IPS = 4_000_000;

function card(model: BlasterModel = 'sb2') {
  const clock = { now: 0 };
  const memory = new Uint8Array(0x20000);
  const irqs: [number, number][] = [];
  const samples: number[] = [];
  const dma = new I8237(new Int32Array(dmaWords), {
    readMemory: (address) => memory[address] ?? 0,
    writeMemory: (address, value) => {
      memory[address] = value;
    },
  });
  dma.powerOn();
  const chip = new SoundBlaster(new Int32Array(stateWords), {
    now: () => clock.now,
    instructionsPerSecond: IPS,
    sink: {
      active: true,
      add: (index, value) => {
        samples[index] = value;
      },
    },
    model,
    irq: (_line, level) => irqs.push([clock.now, level]),
    dma: (channel, value) => dma.transfer(channel, value),
  });
  chip.powerOn();
  const command = (...bytes: number[]) => {
    for (const byte of bytes) chip.write(0xc, byte);
  };
  const runTo = (count: number) => {
    for (let next = chip.nextEvent(); next <= count; next = chip.nextEvent()) {
      clock.now = next;
      chip.catchUp(next);
    }
    clock.now = count;
  };
  /** Channel 1 from address 10000h, so many bytes. */
  const program = (bytes: number, mode: number) => {
    dma.write(0x0c, 0);
    dma.write(0x02, 0);
    dma.write(0x02, 0);
    dma.write(0x03, (bytes - 1) & 0xff);
    dma.write(0x03, (bytes - 1) >> 8);
    dma.write(0x83, 1);
    dma.write(0x0b, mode);
    dma.write(0x0a, 1);
  };
  /** Channel 5 from address 10000h, so many words. */
  const program16 = (words: number, mode: number) => {
    for (const [port, value] of [
      [0xd8, 0],
      [0xc4, 0],
      [0xc4, 0x80],
      [0xc6, (words - 1) & 0xff],
      [0xc6, (words - 1) >> 8],
      [0x8b, 0],
      [0xd6, mode],
      [0xd4, 1],
    ] as const)
      dma.write(port, value);
  };
  const mixer = (register: number, value?: number) => {
    chip.write(4, register);
    if (value !== undefined) chip.write(5, value);
    return chip.read(5);
  };
  return { chip, dma, memory, clock, irqs, samples, command, runTo, program, program16, mixer };
}

describe('DSP', () => {
  it('answers a reset, tells its version and identifies itself', () => {
    const { chip, clock, command } = card();
    chip.write(6, 1);
    expect(chip.read(0xe) & 0x80).toBe(0);
    chip.write(6, 0);
    expect(chip.read(0xe) & 0x80).toBe(0);
    clock.now += 80;
    expect([chip.read(0xe) & 0x80, chip.read(0xa)]).toEqual([0x80, 0xaa]);
    command(0xe1);
    expect([chip.read(0xa), chip.read(0xa)]).toEqual([2, 1]);
    command(0xe0, 0x5a);
    expect(chip.read(0xa)).toBe(0xa5);
    command(0xe4, 0x77, 0xe8);
    expect(chip.read(0xa)).toBe(0x77);
    command(0xd8, 0xd1, 0xd8);
    expect([chip.read(0xa), chip.read(0xa)]).toEqual([0, 0xff]);
    expect(chip.read(0xc) & 0x80).toBe(0);
  });

  it('plays one block at its rate and interrupts at its end', () => {
    const { chip, memory, irqs, samples, command, runTo, program } = card();
    for (let i = 0; i < 100; i++) memory[0x10000 + i] = i < 50 ? 0xc0 : 0x40;
    program(100, 0x49);
    command(0xd1, 0x40, 156, 0x14, 99, 0);
    runTo(IPS / 10);
    // 100 samples of 100 microseconds.
    expect(irqs).toEqual([[40_000, 1]]);
    expect([samples[30], samples[300]]).toEqual([0.25, -0.25]);
    chip.read(0xe);
    expect(irqs.at(-1)?.[1]).toBe(0);
    expect(chip.nextEvent()).toBe(Number.POSITIVE_INFINITY);
  });

  it('goes on and on with auto-initialisation until told to end', () => {
    const { chip, dma, irqs, clock, command, runTo, program } = card();
    program(64, 0x59);
    command(0x40, 156, 0x48, 31, 0, 0x1c);
    for (let block = 1; block <= 5; block++) {
      runTo(block * 12_800);
      expect(irqs.at(-1)).toEqual([block * 12_800, 1]);
      chip.read(0xe);
    }
    command(0xda);
    runTo(IPS);
    expect(irqs.filter(([, level]) => level === 1).length).toBe(6);
    expect(clock.now).toBe(IPS);
    dma.write(0x0c, 0);
    expect(dma.read(0x02)).toBe(0);
  });

  it('pauses, waits for a masked channel, and plays single levels', () => {
    const { irqs, dma, samples, chip, clock, command, runTo, program } = card();
    program(10, 0x49);
    command(0x40, 156, 0x14, 9, 0, 0xd0);
    runTo(100_000);
    expect(irqs).toEqual([]);
    dma.write(0x0a, 5);
    command(0xd4);
    runTo(200_000);
    expect(irqs).toEqual([]);
    dma.write(0x0a, 1);
    runTo(300_000);
    expect(irqs.length).toBe(1);
    command(0xd1, 0x10, 0xff);
    clock.now += 4000;
    chip.catchUp(clock.now);
    expect(samples.at(-1)).toBeCloseTo(0.496, 2);
  });

  it('shows over DMA that it is what it says it is', () => {
    const { memory, command, program } = card();
    program(2, 0x45);
    command(0xe2, 0x12, 0xe2, 0x34);
    // AAh + (96h xor 12h), then that + (A5h xor 34h).
    expect([memory[0x10000], memory[0x10001]]).toEqual([0x2e, 0xbf]);
  });

  it('interrupts on demand and keeps its mixer registers', () => {
    const { chip, irqs, command } = card();
    command(0xf2);
    expect(irqs).toEqual([[0, 1]]);
    chip.write(4, 0x22);
    chip.write(5, 0x55);
    expect(chip.read(5)).toBe(0x55);
    chip.write(4, 0);
    chip.write(5, 0);
    chip.write(4, 0x22);
    expect(chip.read(5)).toBe(0x99);
  });
});

describe('ADPCM', () => {
  /** The levels that come from these bytes after the command, one every 100 microseconds, as numbers of the DAC. */
  function play(command: number, bytes: readonly number[]): { levels: number[]; irqs: [number, number][] } {
    const bench = card();
    bench.memory.set(bytes, 0x10000);
    bench.program(bytes.length, 0x49);
    bench.command(0xd1, 0x40, 156, command, bytes.length - 1, 0);
    bench.runTo(IPS / 50);
    const levels: number[] = [];
    // Ticks lie 400 instructions apart; the middle of each.
    const sampleOf = (tick: number) => Math.floor(((tick + 0.5) * 100e-6 * 44_100) / 1);
    for (let tick = 0; tick < 40; tick++) levels.push(Math.round((bench.samples[sampleOf(tick)] ?? 0) * 256) + 0x80);
    return { levels, irqs: bench.irqs };
  }

  it('of 4 bits: magnitude times step and half a step, which doubles from 5 on and halves at 0', () => {
    const { levels, irqs } = play(0x75, [0x80, 0x79, 0x70, 0x08]);
    // 80h; +7 (step 1 to 2); -(1*2+1) (2); +(7*2+1) (4); +(0*4+2) (2); +(0*2+1) (1); -(0+0) (1)
    expect(levels.slice(0, 7)).toEqual([0x80, 0x87, 0x84, 0x93, 0x95, 0x96, 0x96]);
    // The level at once, then three bytes of two samples, and the interrupt a tick later.
    expect(irqs).toEqual([[7 * 400, 1]]);
  });

  it('of 2.6 bits: three samples, the last of two bits', () => {
    // 011 011 01: +3 (1 to 2), +(3*2+1) (4), +(1*4+2)
    expect(play(0x77, [0x80, 0b01101101]).levels.slice(0, 4)).toEqual([0x80, 0x83, 0x8a, 0x90]);
    // 111 000 10: -3 (2), +(0*2+1) (1), -(0)
    expect(play(0x77, [0x80, 0b11100010]).levels.slice(0, 4)).toEqual([0x80, 0x7d, 0x7e, 0x7e]);
  });

  it('of 2 bits: four samples', () => {
    // 01 01 11 00: +1 (2), +(2+1) (4), -(4+2) (8), +(0+4) (4)
    expect(play(0x17, [0x80, 0b01011100]).levels.slice(0, 5)).toEqual([0x80, 0x81, 0x84, 0x7e, 0x82]);
  });

  it('stays within a byte, and goes on from where it was without a level of its own', () => {
    expect(play(0x75, [0xfa, 0x77, 0x77]).levels.slice(0, 5)).toEqual([0xfa, 0xff, 0xff, 0xff, 0xff]);
    // 17h, then again its upper half: the DSP counts four samples for the first byte.
    expect(play(0x74, [0x17]).levels.slice(0, 4)).toEqual([0x80, 0x81, 0x88, 0x8b]);
  });

  it('repeats with auto-initialisation, an interrupt for each block', () => {
    const { irqs, chip, program, command, runTo } = card();
    program(8, 0x59);
    command(0x40, 156, 0x48, 7, 0, 0x7d);
    for (let block = 1; block <= 3; block++) {
      // The first block begins with a level: seven bytes of samples.
      runTo((block * 8 * 2 - 1) * 400);
      expect(irqs.filter(([, level]) => level === 1)).toHaveLength(block);
      chip.read(0xe);
    }
    command(0xda);
    runTo(IPS);
    expect(irqs.filter(([, level]) => level === 1)).toHaveLength(4);
  });
});

describe('Sound Blaster Pro', () => {
  it('is version 3.02 and plays left and right by turns', () => {
    const { chip, memory, samples, irqs, command, runTo, program, mixer } = card('sbpro');
    command(0xe1);
    expect([chip.read(0xa), chip.read(0xa)]).toEqual([3, 2]);
    expect([mixer(0x22), mixer(0x04, 0xee), mixer(0x22, 0xff)]).toEqual([0x99, 0xff, 0xff]);
    for (let i = 0; i < 200; i++) memory[0x10000 + i] = i % 2 === 0 ? 0xff : 0x80;
    program(200, 0x49);
    mixer(0x0e, 2);
    command(0xd1, 0x40, 206, 0x48, 199, 0, 0x91);
    // Only the left side sounds: half as loud.
    runTo(20_000);
    expect(samples[100]).toBeCloseTo(0.5 / 2, 2);
    mixer(0x22, 0x0f);
    runTo(30_000);
    expect(samples.at(-10) ?? 0).toBe(0);
    // At high speed it hears no commands.
    command(0xe1);
    expect(chip.read(0xa)).toBe(0xff);
    runTo(41_000);
    expect(irqs).toEqual([[40_000, 1]]);
  });

  it('has a mixer whose volumes change what is heard', () => {
    const { samples, command, chip, clock, mixer } = card('sbpro');
    command(0xd1, 0x10, 0xff);
    const level = () => {
      clock.now += 4000;
      chip.catchUp(clock.now);
      return samples.at(-1) ?? 0;
    };
    mixer(0x22, 0xff);
    mixer(0x04, 0xff);
    const loud = level();
    mixer(0x22, 0x77);
    expect(level()).toBeCloseTo((loud * 3) / 7, 3);
    mixer(0x26, 0xff);
    expect(chip.musicGain).toBeCloseTo(3 / 7, 3);
    mixer(0, 0);
    expect(mixer(0x22)).toBe(0x99);
  });
});

describe('Sound Blaster 16', () => {
  it('plays 16 bits in stereo over channel 5, again and again, and tells its interrupts apart', () => {
    const { chip, memory, samples, irqs, command, runTo, program16, mixer } = card('sb16');
    command(0xe1);
    expect([chip.read(0xa), chip.read(0xa)]).toEqual([4, 5]);
    for (const register of [0x30, 0x31, 0x32, 0x33]) mixer(register, 0xff);
    for (let i = 0; i < 1000; i += 2)
      new DataView(memory.buffer).setInt16(0x10000 + i, i % 4 === 0 ? 0x4000 : -0x4000, true);
    program16(500, 0x59);
    // 22,050 Hz, blocks of 250 words: 125 pairs.
    command(0x41, 0x56, 0x22, 0xb6, 0x30, 249, 0);
    runTo(22_700);
    expect([irqs.length, mixer(0x82)]).toEqual([1, 2]);
    expect(Math.abs((irqs[0]?.[0] ?? 0) - (125 / 22_050) * IPS)).toBeLessThan(8);
    // The two sides cancel each other.
    expect(samples.filter((value) => Math.abs(value) > 1e-9)).toEqual([]);
    chip.read(0xe);
    expect(mixer(0x82)).toBe(2);
    chip.read(0xf);
    expect([mixer(0x82), irqs.at(-1)?.[1]]).toEqual([0, 0]);
    mixer(0x33, 0);
    runTo(30_000);
    expect(samples.at(-5)).toBeCloseTo(0.125, 4);
    command(0xd9);
    runTo(IPS / 10);
    expect(irqs.filter(([, level]) => level === 1)).toHaveLength(2);
  });

  it('plays 8 bits by the general commands, pauses them, and has the old registers over its own', () => {
    const { chip, memory, samples, irqs, command, runTo, program, mixer } = card('sb16');
    expect([mixer(0x22), mixer(0x30)]).toEqual([0xcc, 0xc0]);
    expect([mixer(0x22, 0xf5), mixer(0x30), mixer(0x31)]).toEqual([0xf5, 0xf8, 0x58]);
    for (const register of [0x30, 0x31, 0x32, 0x33]) mixer(register, 0xff);
    memory.fill(0x40, 0x10000, 0x10100);
    program(256, 0x49);
    command(0x41, 0x27, 0x10, 0xc0, 0x10, 255, 0);
    runTo(4_000);
    command(0xd0);
    runTo(40_000);
    expect(samples[30]).toBeCloseTo(0.25, 3);
    expect(irqs).toEqual([]);
    command(0xd4);
    runTo(200_000);
    expect([irqs.map(([, level]) => level), mixer(0x82)]).toEqual([[1], 1]);
    command(0xe3);
    expect(String.fromCharCode(...Array.from({ length: 9 }, () => chip.read(0xa)))).toBe('COPYRIGHT');
    expect([mixer(0x80), mixer(0x81)]).toEqual([4, 0x22]);
    mixer(0, 0);
    expect(mixer(0x80)).toBe(4);
  });
});
