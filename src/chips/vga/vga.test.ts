import { describe, expect, it } from 'vitest';
import { memoryBytes, stateWords } from './fields.ts';
import type { ColourPicture, VgaPicture } from './picture.ts';
import { Vga } from './vga.ts';

const IPS = 4_000_000;
const bytes = (hex: string) => hex.split(' ').map((byte) => Number.parseInt(byte, 16));

/** Registers of mode 13h and, unchained, of what became known as mode X. */
const crtc13 = bytes('5F 4F 50 82 54 80 BF 1F 00 41 00 00 00 00 00 00 9C 8E 8F 28 40 96 B9 A3 FF');

function vga() {
  const clock = { now: 0 };
  const state = new Int32Array(stateWords);
  const memory = new Uint8Array(memoryBytes);
  const chip = new Vga(state, memory, { now: () => clock.now, instructionsPerSecond: IPS });
  chip.powerOn();
  chip.write(0x3c2, 0x63);
  const indexed = (port: number) => (index: number, value: number) => {
    chip.write(port, index);
    chip.write(port + 1, value);
  };
  const set = {
    sequencer: indexed(0x3c4),
    graphics: indexed(0x3ce),
    crtc: indexed(0x3d4),
    attribute(index: number, value: number) {
      chip.read(0x3da);
      chip.write(0x3c0, index);
      chip.write(0x3c0, value);
      chip.write(0x3c0, 0x20);
    },
  };
  const mode13 = () => {
    bytes('03 01 0F 00 0E').forEach((value, index) => {
      set.sequencer(index, value);
    });
    set.crtc(0x11, 0);
    crtc13.forEach((value, index) => {
      set.crtc(index, value);
    });
    bytes('00 00 00 00 00 40 05 0F FF').forEach((value, index) => {
      set.graphics(index, value);
    });
    bytes('00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 41 00 0F 00 00').forEach((value, index) => {
      set.attribute(index, value);
    });
  };
  const modeX = () => {
    mode13();
    set.sequencer(4, 6);
    set.crtc(0x14, 0);
    set.crtc(0x17, 0xe3);
  };
  return { chip, state, memory, clock, set, mode13, modeX };
}

/** A planar setting: window at A0000h, no chaining. */
function planar() {
  const made = vga();
  made.set.sequencer(4, 6);
  made.set.sequencer(2, 15);
  made.set.graphics(6, 5);
  made.set.graphics(8, 0xff);
  made.set.graphics(7, 15);
  const planes = (at: number) => [...made.memory.subarray(at * 4, at * 4 + 4)];
  return { ...made, planes };
}

describe('display memory', () => {
  it('write mode 0: map mask, rotation, set/reset, functions, bit mask', () => {
    const { chip, set, planes } = planar();
    set.sequencer(2, 0b0110);
    chip.writeMemory(0xa0000, 0x81);
    expect(planes(0)).toEqual([0, 0x81, 0x81, 0]);
    set.sequencer(2, 15);
    set.graphics(3, 1);
    chip.writeMemory(0xa0001, 0x81);
    expect(planes(1)).toEqual([0xc0, 0xc0, 0xc0, 0xc0]);
    set.graphics(3, 0);
    set.graphics(0, 0b0101);
    set.graphics(1, 0b0111);
    chip.writeMemory(0xa0002, 0x3c);
    expect(planes(2)).toEqual([0xff, 0, 0xff, 0x3c]);
    set.graphics(1, 0);
    set.graphics(8, 0x0f);
    chip.readMemory(0xa0002);
    chip.writeMemory(0xa0002, 0xaa);
    expect(planes(2)).toEqual([0xfa, 0x0a, 0xfa, 0x3a]);
    set.graphics(8, 0xff);
    for (const [operation, expected] of [
      [0x08, 0xf0],
      [0x10, 0xff],
      [0x18, 0x0f],
    ] as const) {
      set.graphics(3, 0);
      chip.writeMemory(0xa0003, 0xff);
      chip.readMemory(0xa0003);
      set.graphics(3, operation);
      chip.writeMemory(0xa0003, 0xf0);
      expect(planes(3)[0]).toBe(expected);
    }
  });

  it('write modes 1, 2 and 3', () => {
    const { chip, set, planes } = planar();
    set.graphics(5, 2);
    set.graphics(8, 0b11000000);
    chip.writeMemory(0xa0010, 0b1010);
    expect(planes(16)).toEqual([0, 0xc0, 0, 0xc0]);
    set.graphics(5, 1);
    chip.readMemory(0xa0010);
    chip.writeMemory(0xa0020, 0x55);
    expect(planes(32)).toEqual([0, 0xc0, 0, 0xc0]);
    set.graphics(5, 3);
    set.graphics(8, 0xff);
    set.graphics(0, 0b0011);
    chip.readMemory(0xa0020);
    chip.writeMemory(0xa0020, 0x0f);
    expect(planes(32)).toEqual([0x0f, 0xcf, 0, 0xc0]);
  });

  it('read modes 0 and 1; peeking leaves the latches', () => {
    const { chip, set } = planar();
    set.graphics(5, 2);
    set.graphics(8, 0xf0);
    chip.writeMemory(0xa0000, 5);
    set.graphics(4, 2);
    expect(chip.readMemory(0xa0000)).toBe(0xf0);
    set.graphics(4, 1);
    expect(chip.readMemory(0xa0000)).toBe(0);
    set.graphics(5, 8);
    set.graphics(2, 5);
    expect(chip.readMemory(0xa0000)).toBe(0xf0);
    set.graphics(7, 0b1010);
    expect(chip.readMemory(0xa0000)).toBe(0xff);
    chip.peekMemory(0xa0100);
    set.graphics(5, 1);
    chip.writeMemory(0xa0200, 0);
    set.graphics(5, 0);
    set.graphics(4, 0);
    expect(chip.readMemory(0xa0200)).toBe(0xf0);
  });

  it('chains four planes and two, and answers only in its window', () => {
    const { chip, mode13, memory, set } = vga();
    mode13();
    for (let i = 0; i < 8; i++) chip.writeMemory(0xa0000 + i, i + 1);
    expect([...memory.subarray(0, 4), ...memory.subarray(16, 20)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(chip.readMemory(0xa0006)).toBe(7);
    expect(chip.readMemory(0xb8000)).toBe(0xff);
    set.sequencer(4, 2);
    set.sequencer(2, 3);
    set.graphics(5, 0x10);
    set.graphics(6, 0x0e);
    chip.writeMemory(0xb8000, 0x41);
    chip.writeMemory(0xb8001, 0x1f);
    expect([...memory.subarray(0, 2)]).toEqual([0x41, 0x1f]);
    expect([chip.readMemory(0xb8000), chip.readMemory(0xb8001), chip.readMemory(0xa0000)]).toEqual([0x41, 0x1f, 0xff]);
  });
});

describe('registers', () => {
  it('DAC counts through components, reading and writing', () => {
    const { chip } = vga();
    chip.write(0x3c8, 5);
    for (const value of [1, 2, 63, 4, 5, 6]) chip.write(0x3c9, value);
    chip.write(0x3c7, 5);
    expect(chip.read(0x3c7)).toBe(3);
    expect(Array.from({ length: 6 }, () => chip.read(0x3c9))).toEqual([1, 2, 63, 4, 5, 6]);
    expect([...(chip.picture() as VgaPicture).palette.subarray(15, 18)]).toEqual([4, 8, 255]);
  });

  it('protects the timing and moves to 3B4h in monochrome', () => {
    const { chip, set, mode13 } = vga();
    mode13();
    set.crtc(0, 1);
    chip.write(0x3d4, 0);
    expect(chip.read(0x3d5)).toBe(0x5f);
    set.crtc(7, 0xff);
    chip.write(0x3d4, 7);
    expect(chip.read(0x3d5)).toBe(0x1f);
    chip.write(0x3c2, 0x62);
    expect([chip.read(0x3d5), chip.read(0x3b5)]).toEqual([0xff, 0x1f]);
  });
});

describe('time', () => {
  it('retraces 70.086 times a second', () => {
    const { chip, mode13, clock } = vga();
    mode13();
    let retraces = 0;
    for (let next = chip.nextRetrace(); next <= IPS * 10; next = chip.nextRetrace()) {
      clock.now = next - 1;
      expect(chip.read(0x3da) & 8).toBe(0);
      clock.now = next;
      expect(chip.read(0x3da) & 9).toBe(9);
      retraces++;
    }
    expect(retraces).toBe(700);
    expect(chip.frame()).toBe(699);
  });

  it('shows when the beam is on the picture', () => {
    const { chip, mode13, clock } = vga();
    mode13();
    const line = (800 * IPS) / 25_175_000;
    clock.now = Math.ceil(line * 10);
    expect(chip.read(0x3da)).toBe(0);
    clock.now = Math.ceil(line * 10.85);
    expect(chip.read(0x3da)).toBe(1);
    clock.now = Math.ceil(line * 405);
    expect(chip.read(0x3da)).toBe(1);
  });
});

describe('pictures', () => {
  it('mode X: planes side by side, page flips at the retrace', () => {
    const { chip, set, modeX, clock } = vga();
    modeX();
    for (let plane = 0; plane < 4; plane++) {
      set.sequencer(2, 1 << plane);
      chip.writeMemory(0xa0000, 10 + plane);
      chip.writeMemory(0xa0000 + 16000, 20 + plane);
    }
    expect([...(chip.picture() as VgaPicture).pixels.subarray(0, 4)]).toEqual([10, 11, 12, 13]);
    clock.now = chip.nextRetrace() + 10;
    set.crtc(0x0c, 16000 >> 8);
    set.crtc(0x0d, 16000 & 0xff);
    expect([...(chip.picture() as VgaPicture).pixels.subarray(0, 4)]).toEqual([10, 11, 12, 13]);
    clock.now = chip.nextRetrace();
    expect([...(chip.picture() as VgaPicture).pixels.subarray(0, 4)]).toEqual([20, 21, 22, 23]);
  });

  it('mode X with 240 lines', () => {
    const { chip, set, modeX } = vga();
    modeX();
    chip.write(0x3c2, 0xe3);
    set.crtc(0x11, 0);
    for (const [index, value] of [
      [0x06, 0x0d],
      [0x07, 0x3e],
      [0x10, 0xea],
      [0x11, 0xac],
      [0x12, 0xdf],
      [0x15, 0xe7],
      [0x16, 0x06],
    ] as const)
      set.crtc(index, value);
    const { width, height } = chip.picture() as VgaPicture;
    expect([width, height]).toEqual([320, 240]);
  });

  it('pans, splits the screen and blanks it', () => {
    const { chip, set, modeX } = vga();
    modeX();
    set.sequencer(2, 15);
    for (let i = 0; i < 80; i++) chip.writeMemory(0xa0000 + i, i + 1);
    for (let i = 0; i < 80; i++) chip.writeMemory(0xa0000 + 160 + i, 100 + i);
    set.attribute(0x13, 4);
    expect([...(chip.picture() as VgaPicture).pixels.subarray(0, 6)]).toEqual([1, 1, 2, 2, 2, 2]);
    // From line 100 on (of 200) memory begins anew.
    set.crtc(0x18, 199);
    set.crtc(0x07, 0x0f);
    set.crtc(0x09, 0x01);
    const at = (y: number) => (chip.picture() as VgaPicture).pixels[y * 320];
    expect([0, 2, 99, 100, 102].map(at)).toEqual([1, 100, 0, 1, 100]);
    set.sequencer(1, 0x21);
    expect(new Set((chip.picture() as VgaPicture).pixels)).toEqual(new Set([0]));
  });
});

describe('changes within a frame', () => {
  const clocksOfLine = 800;
  const linesOfFrame = 449;
  /** The first instruction on a line of a frame. */
  const moment = (frame: number, line: number) =>
    Math.ceil((((frame * linesOfFrame + line) * clocksOfLine + 1) * IPS) / 25_175_000);
  const colour = (chip: Vga, index: number, red: number, green: number, blue: number) => {
    chip.write(0x3c8, index);
    for (const part of [red, green, blue]) chip.write(0x3c9, part);
  };

  /** A whole frame in which the background is green above line 200 and red below it, then one blue line. */
  function bars(chip: Vga, clock: { now: number }, frame: number): void {
    clock.now = moment(frame, 420);
    colour(chip, 0, 0, 63, 0);
    clock.now = moment(frame + 1, 199);
    colour(chip, 0, 63, 0, 0);
    clock.now = moment(frame + 1, 299);
    colour(chip, 0, 0, 0, 63);
    clock.now = moment(frame + 1, 301);
    colour(chip, 0, 63, 0, 0);
  }

  it('of colours show on the lines where they were made', () => {
    const { chip, clock, mode13 } = vga();
    mode13();
    for (let frame = 3; frame < 6; frame++) bars(chip, clock, frame);
    clock.now = moment(7, 100);
    const { rgb = expect.unreachable(), height } = chip.picture() as ColourPicture;
    const rows = Array.from({ length: height }, (_, row) => [...rgb.subarray(row * 960, row * 960 + 3)].join());
    expect([height, rows[0], rows[99], rows[100], rows[149], rows[150], rows[151]]).toEqual([
      200,
      '0,255,0',
      '0,255,0',
      '255,0,0',
      '255,0,0',
      '0,0,255',
      '255,0,0',
    ]);
  });

  it('are the same wherever in the next frame one looks, and gone a frame later', () => {
    const { chip, clock, mode13 } = vga();
    mode13();
    bars(chip, clock, 3);
    clock.now = moment(5, 0);
    const first = chip.picture() as ColourPicture;
    bars(chip, clock, 4);
    clock.now = moment(5, 400);
    expect(Buffer.compare((chip.picture() as ColourPicture).rgb, first.rgb)).toBe(0);
    clock.now = moment(7, 10);
    const { palette } = chip.picture() as VgaPicture;
    expect([...palette.subarray(0, 3)]).toEqual([255, 0, 0]);
  });

  it('of panning and line compare too, and memory beyond 2048 of them is not needed', () => {
    const { chip, clock, set, memory, modeX } = vga();
    modeX();
    memory.set([1, 2, 3, 4]);
    clock.now = moment(3, 100);
    set.attribute(0x13, 2);
    set.crtc(0x18, 239);
    set.crtc(7, 0x0f);
    set.crtc(9, 0x01);
    clock.now = moment(4, 5);
    const split = chip.picture() as VgaPicture;
    expect(split.pixels[0]).toBe(1);
    expect([...split.pixels.subarray(120 * 320, 120 * 320 + 4)]).toEqual([2, 3, 4, 0]);
    for (let i = 0; i < 3000; i++) colour(chip, 5, i & 63, (i >> 6) & 63, 1);
    clock.now = moment(5, 5);
    expect(chip.picture()).toHaveProperty('palette');
  });

  it('made by setting a mode are none', () => {
    const { chip, clock, mode13 } = vga();
    clock.now = moment(3, 100);
    mode13();
    colour(chip, 0, 63, 0, 0);
    clock.now = moment(4, 100);
    expect([...(chip.picture() as VgaPicture).palette.subarray(0, 3)]).toEqual([255, 0, 0]);
  });
});

it('many bytes written at once are as many written one by one, whatever the registers are', () => {
  const random = randomNumbers(1);
  for (let round = 0; round < 300; round++) {
    const [one, many] = [vga(), vga()];
    const isPlain = random(2) === 0;
    for (const { chip, set, memory } of [one, many]) {
      memory.fill(0x5a);
      chip.write(0x3c2, 0x63);
      set.sequencer(2, 15);
    }
    const registers: [number, number][] = [
      [1, isPlain ? 0 : random(16)],
      [3, isPlain ? 0 : random(32)],
      [5, (isPlain ? 0 : random(4)) | (random(2) << 4)],
      [6, random(16)],
      [8, isPlain ? 0xff : random(256)],
    ];
    const memoryMode = random(16);
    const map = random(16);
    const address = 0xa0000 + random(0x1ff00);
    const bytes = Uint8Array.from({ length: 1 + random(300) }, () => random(256)).subarray(0, 0xc0000 - address);
    for (const { chip, set } of [one, many]) {
      for (const [index, value] of registers) set.graphics(index, value);
      set.sequencer(4, memoryMode);
      set.sequencer(2, map);
      chip.readMemory(0xa0000);
    }
    for (const [index, byte] of bytes.entries()) one.chip.writeMemory(address + index, byte);
    many.chip.writeManyBytes(address, bytes);
    expect(Buffer.compare(one.memory, many.memory)).toBe(0);
  }
});

/** Below a limit each, the same in every run. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
