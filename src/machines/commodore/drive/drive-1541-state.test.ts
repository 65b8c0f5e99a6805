import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { readG64, writeG64 } from '../../../formats/commodore/media/g64.ts';
import { DriveBench, disk, motor, rom, zone } from './drive-1541-testing.ts';

/**
 * Turns the disk and does a little of everything: counts in the first places of memory, reads where nobody answers and across the
 * end of pages, asks ports and timers, waits for bytes, puts bits on the bus, and is interrupted by both timers and by attention.
 */
const busySource = `* = $c000
reset   ldx #$ff
        txs
        lda #$6f
        sta $1c02
        lda #$ee
        sta $1c0c
        lda #$1a
        sta $1802
        lda #$01
        sta $180c
        lda #$40
        sta $180b
        sta $1c0b
        lda #$c2
        sta $180e
        lda #$e0
        sta $1c0e
        lda #$f1
        sta $1804
        lda #$01
        sta $1805
        lda #$23
        sta $1c04
        lda #$02
        sta $1c05
        lda #$44
        sta $1c00
        cli
loop    inc $00
        bne same
        inc $01
same    ldx $00
        lda $07f0,x
        sta $30
        lda $0900,x
        sta $31
        lda $17f8,x
        sta $32
        lda $1804
        sta $33
        lda $1c08
        sta $34
        bit $1c00
        bmi noSync
        inc $35
noSync  lda $00
        and #$0a
        sta $1800
        lda $1c01
        clv
        ldy #40
wait    bvs got
        dey
        bne wait
got     sty $36
        lda $1c01
        sta ($37),y
        inc $0400,x
        jmp loop
irq     pha
        lda $1801
        lda $1804
        lda $1c04
        inc $20
        lda $1c08
        lda #$03
        sta $1c09
        pla
        rti
        * = $fffa
        .word reset, reset, irq
`;

describe('the state of a 1541', () => {
  test('its clock has 1 MHz, whatever the computer has', () => {
    const counts = [985_248, 1_000_000, 1_022_730].map((clockHz) => {
      const bench = new DriveBench(clockHz);
      bench.drives.connect(8);
      bench.run(clockHz);
      const [low = 0, high = 0, top = 0] = bench.bytes(0x10, 3);
      return low + high * 256 + top * 65_536;
    });
    // The loop takes 13 cycles, a few more when it carries.
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    expect(counts[0]).toBeGreaterThan(70_000);
  });

  test('how often it is looked at changes nothing', () => {
    const [one, two] = [new DriveBench(985_248), new DriveBench(985_248)];
    for (const bench of [one, two]) {
      bench.drives.attach(8, disk().image.bytes);
      bench.run(600_000);
      bench.drives.poke(8, 1, motor | zone(2));
      bench.drives.poke(8, 0, 1);
    }
    one.run(50_000);
    for (let count = 0; count < 50_000; count += 77) {
      two.run(Math.min(77, 50_000 - count));
      two.bytes(0x1800, 0x10);
      two.bytes(0x1c00, 0x10);
    }
    two.drives.bringUpToDate();
    expect(two.words.findIndex((word, index) => word !== one.words[index])).toBe(-1);
  });

  test('instructions at once are the same as cycle by cycle', () => {
    const driveRom = rom(busySource);
    const benches = [false, true].map((eager) => new DriveBench(985_248, { driveRom, eager }));
    for (const bench of benches) {
      bench.drives.attach(8, disk().image.bytes);
      bench.run(450_000);
    }
    const [one, two] = benches as [DriveBench, DriveBench];
    for (let round = 0; round < 60; round++) {
      for (const bench of benches) {
        bench.pull({ attention: round % 7 !== 3, data: round % 3 !== 0 });
        bench.run(round * 61 + 3);
      }
      expect([round, two.words.findIndex((word, index) => word !== one.words[index])]).toEqual([round, -1]);
    }
    expect(one.drives.peek(8, 0x20)).not.toBe(0);
    expect(one.drives.peek(8, 0x36)).not.toBe(0);
  });

  test('the computer sees its lines as they are, although not all cycles that are due are made', () => {
    const driveRom = rom(busySource);
    const benches = [false, true].map((eager) => new DriveBench(985_248, { driveRom, eager }));
    for (const bench of benches) {
      bench.drives.attach(8, disk().image.bytes);
      bench.run(450_000);
    }
    const [one, two] = benches as [DriveBench, DriveBench];
    const seen = new Set<string>();
    for (let round = 0; round < 3000; round++) {
      const cycles = (round * round) % 23;
      for (const bench of benches) {
        bench.cycles += cycles;
        bench.drives.catchUpLines();
        if (round % 50 === 7) bench.pull({ attention: round % 7 !== 3, clock: round % 3 !== 0 });
      }
      seen.add(JSON.stringify(one.lines));
      expect([round, one.lines]).toEqual([round, two.lines]);
    }
    expect(seen.size).toBe(4);
    for (const bench of benches) bench.drives.bringUpToDate();
    expect(two.words.findIndex((word, index) => word !== one.words[index])).toBe(-1);
  });

  test('where nothing is written noise is read: other bytes each time, and the same from the same moment on', () => {
    const bench = new DriveBench();
    const file = writeG64(disk().image);
    const { tracks } = readG64(file);
    const track = tracks.find(({ halfTrack }) => halfTrack === 34)?.bytes ?? new Uint8Array();
    track.fill(0).fill(0xff, 0, 5);
    bench.drives.attach(8, file);
    bench.run(500_000);
    const saved = bench.words.slice();
    const at = bench.cycles;
    const reads = () =>
      Array.from({ length: 3 }, () => {
        bench.call(1, motor | zone(2));
        return hashOf(bench.bytes(0x300, 256));
      });
    const first = reads();
    expect(new Set(first).size).toBe(3);
    bench.words.set(saved);
    bench.cycles = at;
    bench.drives.restored();
    expect(reads()).toEqual(first);
  });

  test('a copy of the words goes on the same way in the middle of writing', () => {
    const bench = new DriveBench();
    bench.drives.attach(8, disk().image.bytes);
    bench.run(500_000);
    for (let index = 0; index < 200; index++) bench.drives.poke(8, 0x400 + index, index | 0x41);
    bench.drives.poke(8, 1, motor | zone(2));
    bench.drives.poke(8, 0, 2);
    bench.run(3000);
    const saved = bench.words.slice();
    const at = bench.cycles;
    const finish = (other: DriveBench) => {
      other.run(200_000);
      return { words: hashOf(other.words), image: hashOf(other.drives.image(8) ?? new Uint8Array()) };
    };
    const expected = finish(bench);
    const again = (other: DriveBench) => {
      other.words.set(saved);
      other.cycles = at;
      other.drives.restored();
      return finish(other);
    };
    expect(again(bench)).toEqual(expected);
    const other = new DriveBench();
    for (const image of bench.drives.imagesIn(saved)) other.drives.remember(image);
    expect(again(other)).toEqual(expected);
  });

  test('the power switch leaves the disk in the drive', () => {
    const bench = new DriveBench();
    bench.drives.attach(9, disk().image.bytes, { readOnly: true });
    const presence = bench.drives.presence();
    bench.words.fill(0);
    bench.drives.powerUp(presence);
    expect([bench.drives.modelOf(9), bench.drives.isReadOnly(9), bench.drives.isConnected(8)]).toEqual([
      '1541',
      true,
      false,
    ]);
    expect(Buffer.compare(bench.drives.image(9) ?? new Uint8Array(), disk().image.bytes)).toBe(0);
  });

  test('larger disks go into drives without a processor', () => {
    const bench = new DriveBench();
    bench.drives.attach(8, CommodoreDisk.create('d81', 'LARGE').image.bytes);
    expect(bench.drives.modelOf(8)).toBe(undefined);
    bench.drives.attach(8, disk().image.bytes);
    expect(bench.drives.modelOf(8)).toBe('1541');
    expect(() => bench.drives.attach(8, new Uint8Array(100))).toThrow(RangeError);
  });
});

function hashOf(bytes: Uint8Array | Int32Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
