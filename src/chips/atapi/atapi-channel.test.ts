import { describe, expect, it } from 'vitest';
import { CdDrive } from '../cd-drive/cd-drive.ts';
import { stateWords as driveWords } from '../cd-drive/fields.ts';
import { AtapiChannel } from './atapi-channel.ts';
import { fields, stateWords } from './fields.ts';
import type { PacketMedium } from './packet-medium.ts';

const IPS = 1_000_000;

/** Twenty sectors of data, then as many of sound. */
function mixedDisc(): PacketMedium {
  const tracks = [
    { number: 1, kind: 'data', start: 0 },
    { number: 2, kind: 'audio', start: 20 },
  ] as const;
  return {
    tracks,
    leadOut: 40,
    catalog: '1234567890123',
    trackAt: (sector) => (sector < 20 ? tracks[0] : tracks[1]),
    data: (sector) => (sector < 20 ? new Uint8Array(2048).fill(sector) : undefined),
    raw: (sector) => (sector >= 20 ? new Uint8Array(2352).fill(sector) : undefined),
    samples: () => undefined,
  };
}

function channel(medium: PacketMedium | undefined = mixedDisc()) {
  const clock = { now: 0 };
  const irqs: number[] = [];
  let level = 0;
  const time = { now: () => clock.now, instructionsPerSecond: IPS };
  const drive = new CdDrive<PacketMedium>(new Int32Array(driveWords), {
    ...time,
    sink: { active: false, add() {} },
  });
  drive.powerOn();
  drive.insert(medium);
  const state = new Int32Array(stateWords);
  const chip = new AtapiChannel(state, {
    ...time,
    irq: (to) => {
      if (to > level) irqs.push(clock.now);
      level = to;
    },
    drive: (index) => (index === 0 ? drive : undefined),
  });
  chip.powerOn();
  const wait = () => {
    const next = chip.nextEvent();
    if (next === Number.POSITIVE_INFINITY) return;
    clock.now = next;
    chip.catchUp(next);
  };
  const register = (index: number) => chip.read(index);
  const begin = (limit: number) => {
    chip.write(4, limit & 0xff);
    chip.write(5, limit >> 8);
    chip.write(7, 0xa0);
    wait();
    expect([chip.alternateStatus, register(2)]).toEqual([0x58, 1]);
  };
  const give = (bytes: readonly number[]) => {
    for (const byte of bytes) chip.write(0, byte);
    wait();
  };
  /** Takes blocks until the drive is done; what came, and how long each block was. */
  const take = () => {
    const bytes: number[] = [];
    const blocks: number[] = [];
    while ((chip.read(7) & 8) !== 0 && register(2) === 2) {
      const count = register(4) | (register(5) << 8);
      blocks.push(count);
      for (let index = 0; index < count; index += 2) {
        const word = chip.readData(16);
        bytes.push(word & 0xff, word >> 8);
      }
      wait();
    }
    return { bytes, blocks, status: chip.read(7), error: register(1), reason: register(2) };
  };
  const packet = (bytes: readonly number[], limit = 0xfffe) => {
    begin(limit);
    give(Array.from({ length: 12 }, (_, index) => bytes[index] ?? 0));
    return take();
  };
  /** Sense key and codes. */
  const sense = () => {
    const { bytes } = packet([3, 0, 0, 0, 18]);
    return [bytes[2], bytes[12], bytes[13]];
  };
  const left = () => state[fields.left];
  return { chip, clock, drive, irqs, wait, begin, give, take, packet, sense, register, left };
}

/** One that has told that it was switched on. */
function awake(medium?: PacketMedium) {
  const made = channel(medium);
  made.packet([0]);
  return made;
}

describe('a CD-ROM drive on IDE', () => {
  it('shows what it is, and is no hard disk', () => {
    const { chip, wait, register, irqs } = channel();
    expect([1, 2, 3, 4, 5, 7].map(register)).toEqual([1, 1, 1, 0x14, 0xeb, 0]);
    chip.write(7, 0xec);
    wait();
    expect([register(7), register(1), register(4), register(5)]).toEqual([0x51, 4, 0x14, 0xeb]);
    chip.write(7, 0xa1);
    wait();
    expect(register(7)).toBe(0x58);
    const identity = Array.from({ length: 256 }, () => chip.readData(16));
    expect([identity[0], register(7), irqs.length]).toEqual([0x85c0, 0x50, 2]);
    const model = identity.slice(27, 47).map((word) => String.fromCharCode(word >> 8, word & 0xff));
    expect(model.join('').trimEnd()).toBe('FRONTPANEL CD-ROM');
    chip.write(6, 0xb0);
    chip.write(7, 0xa1);
    expect([register(7), chip.nextEvent()]).toEqual([0, Number.POSITIVE_INFINITY]);
  });

  it('tells once that it was switched on, and once of another disc', () => {
    const { packet, sense, drive } = channel();
    expect(packet([0x12, 0, 0, 0, 36]).bytes.slice(0, 2)).toEqual([5, 0x80]);
    expect([packet([0]).error, sense(), packet([0]).status]).toEqual([0x64, [6, 0x29, 0], 0x50]);
    drive.insert(undefined);
    expect([packet([0]).error, sense()]).toEqual([0x24, [2, 0x3a, 0]]);
    drive.insert(mixedDisc());
    expect([packet([0]).error, sense(), packet([0]).status]).toEqual([0x64, [6, 0x28, 0], 0x50]);
    // MSCDEX is told too.
    expect(drive.takeChange()).toBe(true);
  });

  it('reads sectors, an interrupt a block and one at the end', () => {
    const { packet, irqs } = awake();
    irqs.length = 0;
    const { bytes, blocks, status, reason } = packet([0x28, 0, 0, 0, 0, 18, 0, 0, 2]);
    expect([bytes.length, bytes[0], bytes[2047], bytes[2048], bytes[4095]]).toEqual([4096, 18, 18, 19, 19]);
    expect([blocks, status, reason, irqs.length]).toEqual([[2048, 2048], 0x50, 3, 3]);
    expect(packet([0xa8, 0, 0, 0, 0, 3, 0, 0, 0, 1], 1001).blocks).toEqual([1000, 1000, 48]);
  });

  it('tells why a sector cannot be read', () => {
    const { packet, sense } = awake();
    expect([packet([0x28, 0, 0, 0, 0, 39, 0, 0, 2]).status, sense()]).toEqual([0x51, [5, 0x21, 0]]);
    expect([packet([0x28, 0, 0, 0, 0, 20, 0, 0, 1]).status, sense()]).toEqual([0x51, [5, 0x64, 0]]);
    const half = packet([0x28, 0, 0, 0, 0, 19, 0, 0, 2]);
    expect([half.blocks, half.error, sense()]).toEqual([[2048], 0x54, [5, 0x64, 0]]);
    expect([packet([0xff]).error, sense(), sense()]).toEqual([0x54, [5, 0x20, 0], [0, 0, 0]]);
    const broken = awake({ ...mixedDisc(), data: () => undefined });
    expect([broken.packet([0x28, 0, 0, 0, 0, 0, 0, 0, 1]).error, broken.sense()]).toEqual([0x34, [3, 0x11, 0]]);
  });

  it('shows the table of contents by sectors and by times, and its capacity', () => {
    const { packet } = awake();
    expect(packet([0x25]).bytes).toEqual([0, 0, 0, 39, 0, 0, 8, 0]);
    expect(packet([0x43, 0, 0, 0, 0, 0, 0, 3, 0x24]).bytes).toEqual(
      [0, 26, 1, 2, 0, 0x14, 1, 0, 0, 0, 0, 0, 0, 0x10, 2, 0, 0, 0, 0, 20].concat([0, 0x10, 0xaa, 0, 0, 0, 0, 40]),
    );
    expect(packet([0x43, 2, 0, 0, 0, 0, 2, 0, 12]).bytes).toEqual([0, 18, 1, 2, 0, 0x10, 2, 0, 0, 0, 2, 20]);
    expect(packet([0x43, 0, 0, 0, 0, 0, 0, 0, 12, 0x40]).bytes).toEqual([0, 10, 1, 1, 0, 0x14, 1, 0, 0, 0, 0, 0]);
  });

  it('plays, pauses, goes on and stops, and tells where it is', () => {
    const { packet, clock, drive, sense } = awake();
    const where = () => packet([0x42, 0, 0x40, 1, 0, 0, 0, 0, 16]).bytes;
    expect(where().slice(0, 2)).toEqual([0, 0x15]);
    packet([0x47, 0, 0, 0, 2, 20, 0, 2, 40]);
    clock.now += IPS / 75;
    const playing = where();
    expect([playing[1], playing[5], playing[6], playing[11], playing[15]]).toEqual([0x11, 0x10, 2, 21, 1]);
    packet([0x4b]);
    expect([where()[1], drive.isPaused]).toEqual([0x12, true]);
    packet([0x4b, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(where()[1]).toBe(0x11);
    packet([0x4e]);
    expect([where()[1], drive.isPlaying]).toEqual([0x15, false]);
    expect([packet([0x45, 0, 0, 0, 0, 3, 0, 0, 2]).status, sense()]).toEqual([0x51, [5, 0x64, 0]]);
    packet([0x45, 0, 0, 0, 0, 20, 0, 0, 2]);
    clock.now += IPS;
    expect(where()[1]).toBe(0x13);
    expect(packet([0x42, 0, 0x40, 2, 0, 0, 0, 0, 24]).bytes.slice(8, 12)).toEqual([0x80, 0x31, 0x32, 0x33]);
  });

  it('gives sound as data', () => {
    const { packet, sense } = awake();
    const { bytes } = packet([0xbe, 0, 0, 0, 0, 25, 0, 0, 1, 0xf8]);
    expect([bytes.length, bytes[0]]).toEqual([2352, 25]);
    expect(packet([0xb9, 0, 0, 0, 2, 3, 0, 2, 4, 0x10]).bytes.length).toBe(2048);
    expect([packet([0xbe, 0, 0, 0, 0, 3, 0, 0, 1, 0xf8]).status, sense()]).toEqual([0x51, [5, 0x64, 0]]);
  });

  it('opens its tray unless it is locked', () => {
    const { packet, sense, drive } = awake();
    packet([0x1e, 0, 0, 0, 1]);
    expect([packet([0x1b, 0, 0, 0, 2]).status, sense(), drive.isOpen]).toEqual([0x51, [5, 0x53, 2], false]);
    packet([0x1e]);
    packet([0x1b, 0, 0, 0, 2]);
    expect([drive.isOpen, packet([0x5a, 0, 0x2a, 0, 0, 0, 0, 0, 28]).bytes[2]]).toEqual([true, 0x71]);
    packet([0x1b, 0, 0, 0, 3]);
    expect([drive.isOpen, packet([0xbd, 0, 0, 0, 0, 0, 0, 0, 0, 8]).error]).toEqual([false, 0x64]);
  });

  it('has its volumes set by a page of parameters', () => {
    const { begin, give, take, packet, drive, register, sense } = awake();
    const page = packet([0x5a, 0, 0x0e, 0, 0, 0, 0, 0, 24]).bytes;
    expect([page[2], page.slice(16)]).toEqual([3, [1, 255, 2, 255, 4, 0, 8, 0]]);
    begin(24);
    give([0x55, 0x10, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0]);
    expect([register(2), register(4), register(7)]).toEqual([0, 24, 0x58]);
    give([...page.slice(0, 16), 2, 100, 0, 0, 4, 0, 8, 0]);
    expect(take().status).toBe(0x50);
    expect([drive.output(0), drive.output(1).volume]).toEqual([{ input: 1, volume: 100 }, 0]);
    expect(packet([0x5a, 0, 0x0e, 0, 0, 0, 0, 0, 24]).bytes.slice(16, 20)).toEqual([2, 100, 0, 0]);
    expect([packet([0x5a, 0, 0x05, 0, 0, 0, 0, 0, 24]).status, sense()]).toEqual([0x51, [5, 0x24, 0]]);
  });

  it('has nothing left of a packet that was given up for another', () => {
    const { begin, give, left } = awake();
    begin(0xfffe);
    give([0x28, 0, 0, 0, 0, 3, 0, 0, 5, 0, 0, 0]);
    expect(left()).toBe(4);
    begin(0xfffe);
    expect(left()).toBe(0);
  });

  it('is reset in the middle of a packet, alone or with its channel', () => {
    const { chip, begin, register } = awake();
    begin(2048);
    chip.write(7, 8);
    expect([register(7), register(4), register(5)]).toEqual([0, 0x14, 0xeb]);
    begin(2048);
    chip.writeControl(6);
    expect(chip.alternateStatus).toBe(0x80);
    chip.writeControl(2);
    expect([register(7), register(4), register(5), chip.nextEvent()]).toEqual([
      0,
      0x14,
      0xeb,
      Number.POSITIVE_INFINITY,
    ]);
  });
});
