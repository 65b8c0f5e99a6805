import { describe, expect, test } from 'vitest';
import { fields as f, stateWords, status, type Wd1770State } from './fields.ts';
import { mark } from './marks.ts';
import { bytesPerTurn, Wd1770, type Wd1770Model } from './wd1770.ts';

const ticksPerMs = 2000;

/** A controller with a disk of three tracks, and a processor that is always in time. */
class Bench {
  readonly state = new Int32Array(stateWords) as Wd1770State;
  readonly tracks = Array.from({ length: 3 }, () => new Uint16Array(bytesPerTurn));
  readonly chip: Wd1770;
  track = 1;
  isProtected = false;
  isTurning = true;
  ticks = 0;

  constructor(model: Wd1770Model = '1772') {
    this.chip = new Wd1770(
      this.state,
      {
        isTurning: () => this.isTurning,
        isProtected: () => this.isProtected,
        isAtTrack0: () => this.track === 0,
        step: (inward) => {
          this.track += inward ? 1 : -1;
        },
        read: (place) => this.tracks[this.track]?.[place] ?? 0,
        write: (place, byte) => {
          const track = this.tracks[this.track];
          if (track) track[place] = byte;
        },
      },
      model,
    );
    this.chip.powerOn();
  }

  run(ticks: number): void {
    this.chip.run(ticks);
    this.ticks += ticks;
  }

  /** Gives a command and serves it until it is done: bytes that it wants, and those that it has read. */
  command(command: number, bytes: ArrayLike<number> = [], limit = 4_000_000): { status: number; read: number[] } {
    const read: number[] = [];
    let given = 0;
    this.chip.write(0, command);
    for (let left = limit; (this.chip.peek(0) & status.busy) !== 0; left -= 16) {
      if (left <= 0) throw new Error(`command ${command.toString(16)} does not end`);
      this.run(16);
      if (command >= 0x80 && (this.chip.peek(0) & status.dataRequest) !== 0) {
        if ((command & 0xe0) === 0xa0 || command >= 0xf0) this.chip.write(3, bytes[given++] ?? 0x4e);
        else read.push(this.chip.read(3));
      }
    }
    return { status: this.chip.read(0), read };
  }

  /** Two sectors of 256 bytes, as a program formats them. */
  format(track: number): void {
    const sector = (number: number) => [
      ...zeros,
      ...[0xf5, 0xf5, 0xf5, 0xfe, track, 0, number, 1, 0xf7],
      ...Array<number>(22).fill(0x4e),
      ...zeros,
      ...[0xf5, 0xf5, 0xf5, 0xfb],
      ...Array<number>(256).fill(number),
      0xf7,
      ...Array<number>(30).fill(0x4e),
    ];
    this.command(0xf8, [...Array<number>(30).fill(0x4e), ...sector(1), ...sector(2)]);
  }
}

const zeros = Array<number>(12).fill(0);

describe('a WD1772', () => {
  test('formats a track, and finds, reads and writes its sectors', () => {
    const bench = new Bench();
    bench.chip.write(1, 1);
    bench.format(1);
    expect(bench.tracks[1]?.filter((byte) => byte === (mark | 0xa1)).length).toBe(12);
    expect(bench.command(0xc8)).toMatchObject({ status: status.motor, read: [1, 0, 1, 1, 0x8c, 0xb8] });
    expect(bench.chip.peek(2)).toBe(1);
    bench.chip.write(2, 2);
    const sector = bench.command(0x88);
    expect([sector.status & 0x7f, sector.read]).toEqual([0, Array(256).fill(2)]);
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index * 5);
    expect(bench.command(0xa8, bytes).status & 0x7f).toBe(0);
    expect(bench.command(0x88).read).toEqual([...bytes]);
    bench.chip.write(2, 1);
    expect(bench.command(0x98).read.length).toBe(512);
    expect(bench.chip.peek(2)).toBe(3);
  });

  test('tells what it cannot find, and what is damaged', () => {
    const bench = new Bench();
    bench.chip.write(1, 1);
    bench.format(1);
    bench.chip.write(2, 9);
    expect(bench.command(0x88).status & status.notFound).toBe(status.notFound);
    bench.chip.write(2, 1);
    const track = bench.tracks[1] as Uint16Array;
    const place = track.findIndex((byte, index) => byte === 0xfb && track[index - 1] === (mark | 0xa1));
    track[place + 7] = 0x55;
    expect(bench.command(0x88).status & 0x7f).toBe(status.checksum);
    bench.isProtected = true;
    expect(bench.command(0xa8).status & 0x7f).toBe(status.protected);
  });

  test('loses bytes that nobody takes', () => {
    const bench = new Bench();
    bench.chip.write(1, 1);
    bench.format(1);
    bench.chip.write(2, 1);
    bench.chip.write(0, 0x88);
    bench.run(500 * ticksPerMs);
    expect(bench.chip.read(0) & 0x7f).toBe(status.lostData | status.dataRequest);
  });

  test('waits six turns for its motor, moves the head, and switches the motor off again', () => {
    const bench = new Bench();
    bench.chip.write(1, 1);
    bench.chip.write(3, 2);
    bench.ticks = 0;
    expect(bench.command(0x10).status & (status.motor | status.deleted)).toBe(status.motor | status.deleted);
    expect(bench.ticks).toBeGreaterThan(5 * 200 * ticksPerMs);
    expect([bench.track, bench.chip.peek(1)]).toEqual([2, 2]);
    bench.ticks = 0;
    bench.command(0x0a);
    // Two steps of 2 ms; the third finds track 0.
    expect(Math.round(bench.ticks / ticksPerMs)).toBe(4);
    expect([bench.track, bench.chip.peek(1), bench.chip.peek(0) & status.lostData]).toEqual([0, 0, status.lostData]);
    bench.run(9 * 200 * ticksPerMs);
    expect(bench.chip.peek(0) & status.motor).toBe(0);
  });

  test('shows the index pulse once in a turn', () => {
    const bench = new Bench();
    let pulses = 0;
    for (let before = 0, count = 0; count < bytesPerTurn * 3 - 200; count++) {
      bench.run(64);
      const now = bench.chip.peek(0) & 2;
      if (now > before) pulses++;
      before = now;
    }
    expect(pulses).toBe(3);
  });

  test('is stopped by a command, and does nothing while the disk does not turn', () => {
    const bench = new Bench();
    bench.isTurning = false;
    bench.chip.write(0, 0x80);
    bench.run(2000 * ticksPerMs);
    expect(bench.chip.peek(0) & status.busy).toBe(status.busy);
    bench.chip.write(0, 0xd8);
    expect([bench.chip.peek(0) & status.busy, bench.state[f.interrupt]]).toEqual([0, 1]);
    bench.chip.read(0);
    expect(bench.state[f.interrupt]).toBe(0);
  });

  test('steps as fast as its model does', () => {
    const times = (['1770', '1772'] as const).map((model) => {
      const bench = new Bench(model);
      bench.chip.write(1, 0);
      bench.command(0x4b);
      return Math.round(bench.ticks / ticksPerMs);
    });
    expect(times).toEqual([30, 3]);
  });
});
