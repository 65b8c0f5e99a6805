import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { readG64, writeG64 } from '../../../formats/commodore/media/g64.ts';
import { decodeGcr } from '../../../formats/commodore/media/gcr.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import { driveRomBytes } from './drive-1541.ts';
import { DriveSet } from './drive-set.ts';
import { drivesPart } from './drive-state.ts';

/** A few routines in place of the DOS: a number in $00 starts one of them, and becomes 0 when it is done. */
const source = `* = $c000
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
        lda #$82
        sta $180e
        lda #$00
        sta $1800
        sta $00
        cli
idle    inc $10
        bne ready
        inc $11
        bne ready
        inc $12
ready   lda $00
        beq idle
        lda $01
        sta $1c00
        ldx $00
        dex
        beq read
        dex
        beq write
done    lda #0
        sta $00
        jmp idle
; the 256 bytes after the next sync mark go to $0300
read    bit $1c00
        bmi read
        lda $1c01
        clv
        ldx #0
next    bvc next
        clv
        lda $1c01
        sta $0300,x
        inx
        bne next
        jmp done
; 200 bytes from $0400 on are written
write   lda #$ff
        sta $1c03
        sta $1c01
        lda #$ce
        sta $1c0c
        ldx #0
put     bvc put
        clv
        lda $0400,x
        sta $1c01
        inx
        cpx #200
        bne put
last    bvc last
        lda #$ee
        sta $1c0c
        lda #0
        sta $1c03
        jmp done
irq     pha
        lda $1801
        inc $20
        lda $1800
        sta $21
        lda #$10
        sta $1800
        pla
        rti
        * = $fffa
        .word reset, reset, irq
`;

const motor = 0x04;
const zone = (number: number) => number << 5;
const all = { attention: true, clock: true, data: true };

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

function rom(text = source): Uint8Array {
  const { bytes, errors } = assemble(text);
  expect(errors).toEqual([]);
  const image = new Uint8Array(driveRomBytes);
  image.set(bytes);
  return image;
}

/** Drives with the routines, and time to let pass. */
class Bench {
  readonly words = new Int32Array(drivesPart.words);
  readonly drives: DriveSet;
  cycles = 0;
  lines = { clock: true, data: true };

  constructor(clockHz = 1_000_000, { driveRom = rom(), eager = false } = {}) {
    this.drives = new DriveSet(this.words, {
      now: () => this.cycles,
      setSerialLines: (clock, data) => {
        this.lines = { clock, data };
      },
      planAnew: () => {},
      clockHz: () => clockHz,
      driveRom,
      eager,
    });
    this.drives.powerUp([]);
    this.pull({});
  }

  pull(lines: Partial<typeof all>): void {
    const { attention, clock, data } = { ...all, ...lines };
    this.drives.setComputerLines(attention, clock, data);
  }

  run(cycles: number): void {
    this.cycles += cycles;
    this.drives.bringUpToDate();
  }

  /** Starts a routine with these bits on VIA 2's port B and waits for its end. */
  call(routine: number, bits: number): void {
    this.drives.poke(8, 1, bits);
    this.drives.poke(8, 0, routine);
    for (let tries = 0; this.drives.peek(8, 0) !== 0; tries++) {
      if (tries > 500) throw new Error('it does not come back');
      this.run(1000);
    }
  }

  bytes(address: number, length: number): Uint8Array {
    return Uint8Array.from({ length }, (_, index) => this.drives.peek(8, address + index));
  }
}

function disk(): CommodoreDisk {
  const made = CommodoreDisk.create('d64', 'GCR', 'FP');
  made.write(
    'FILE',
    Uint8Array.from({ length: 500 }, (_, at) => at * 3),
  );
  return made;
}

/** The blocks that pass under the head, decoded: headers and data. */
function blocksRead(bench: Bench, bits: number, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => {
    // At another place of the track each time.
    bench.run(index * 173);
    bench.call(1, bits);
    const bytes = bench.bytes(0x300, 256);
    const start = decodeGcr(bytes, 0, 8) ?? new Uint8Array();
    return start[0] === 7 ? (decodeGcr(bytes, 0, 200) ?? start) : start;
  });
}

describe('the head of a 1541', () => {
  test('reads headers and data of the track it stands at', () => {
    const bench = new Bench();
    const { image } = disk();
    bench.drives.attach(8, image.bytes);
    bench.run(500_000);
    bench.call(3, motor | 1);
    const blocks = blocksRead(bench, motor | zone(2) | 2, 40);
    const headers = blocks.filter(([mark]) => mark === 8);
    const data = blocks.filter(([mark]) => mark === 7);
    expect(headers.length).toBeGreaterThan(0);
    expect(data.length).toBeGreaterThan(0);
    for (const [, sum = 0, sector = 0, track = 0, id2 = 0, id1 = 0] of headers) {
      expect([track, sum ^ sector ^ track ^ id2 ^ id1, id1, id2]).toEqual([18, 0, 0x46, 0x50]);
    }
    const sectors = Array.from({ length: 19 }, (_, sector) => String(image.sector(18, sector).subarray(0, 190)));
    for (const block of data) expect(sectors).toContain(String(block.subarray(1, 191)));
  });

  test('follows the coils, half a track each', () => {
    const bench = new Bench();
    bench.drives.attach(8, disk().image.bytes);
    bench.run(500_000);
    const trackHere = (bits: number) => blocksRead(bench, bits, 6).find(([mark]) => mark === 8)?.[3];
    bench.call(3, motor | 1);
    bench.call(3, motor | 2);
    expect(trackHere(motor | zone(2) | 2)).toBe(18);
    for (const coil of [1, 0, 3]) bench.call(3, motor | coil);
    expect(trackHere(motor | zone(3) | 2)).toBe(16);
    // The stop at track 1: going on outwards changes nothing.
    for (let steps = 0; steps < 50; steps++) bench.call(3, motor | ((1 - steps) & 3));
    for (const coil of [3, 2, 1, 0]) bench.call(3, motor | coil);
    expect(trackHere(motor | zone(3))).toBe(1);
  });

  test('does not follow coils that change faster than it can move, and reads nothing while it swings', () => {
    const bench = new Bench();
    bench.drives.attach(8, disk().image.bytes);
    bench.run(500_000);
    bench.call(3, motor | 1);
    bench.call(3, motor | 2);
    const step = (coil: number, cycles: number) => {
      bench.drives.poke(8, 1, motor | zone(2) | coil);
      bench.drives.poke(8, 0, 3);
      bench.run(cycles);
    };
    const [drive] = bench.drives.real;
    for (const coil of [1, 0, 3, 2]) step(coil, 500);
    expect(drive?.track).toBe(18);
    const syncsIn = (cycles: number) => {
      let count = 0;
      for (let at = 0; at < cycles; at += 20) {
        bench.run(20);
        if ((bench.drives.peek(8, 0x1c00) & 0x80) === 0) count += 1;
      }
      return count;
    };
    expect(syncsIn(8000)).toBe(0);
    bench.run(2000);
    expect(syncsIn(200_000)).toBeGreaterThan(100);
    expect(drive?.track).toBe(18);
    for (const coil of [1, 0, 3, 2]) step(coil, 1000);
    expect(drive?.track).toBe(16);
  });

  test('writes what it is given, and only while nothing protects the disk', () => {
    const bench = new Bench();
    const file = writeG64(disk().image);
    bench.drives.attach(8, file);
    bench.run(500_000);
    const pattern = Uint8Array.from({ length: 200 }, (_, at) => [0xa5, 0x5a, 0x99][at % 3] ?? 0);
    for (const [index, byte] of pattern.entries()) bench.drives.poke(8, 0x400 + index, byte);
    bench.call(1, motor | zone(3));
    bench.call(2, motor | zone(3));
    const before = bench.drives.image(8) ?? new Uint8Array();
    const track = readG64(before).tracks.find(({ halfTrack }) => halfTrack === 34)?.bytes ?? new Uint8Array();
    expect(bitsOf(track)).toContain(bitsOf(pattern.subarray(5, 190)));
    expect(before.length).toBe(file.length);
    bench.drives.attach(8, file, { readOnly: true });
    bench.run(500_000);
    bench.call(2, motor | zone(2));
    expect(Buffer.compare(bench.drives.image(8) ?? new Uint8Array(), file)).toBe(0);
  });

  test('a sector that a drive wrote is in the D64 again', () => {
    const one = disk();
    const bench = new Bench();
    bench.drives.attach(8, one.image.bytes);
    expect(Buffer.compare(bench.drives.image(8) ?? new Uint8Array(), one.image.bytes)).toBe(0);
    expect(new CommodoreDisk(new SectorImage(bench.drives.image(8) ?? new Uint8Array())).validate()).toBe(0);
  });
});

describe('the serial bus of a 1541', () => {
  test('attention pulls data at once, until it is answered by the processor', () => {
    const bench = new Bench();
    bench.drives.connect(8);
    bench.run(1000);
    expect(bench.lines).toEqual({ clock: true, data: true });
    bench.pull({ attention: false });
    expect(bench.lines.data).toBe(false);
    bench.run(100);
    // The routine has set ATNA, seen ATN, and counted one interrupt.
    expect(bench.lines).toEqual({ clock: true, data: true });
    expect(bench.drives.peek(8, 0x20)).toBe(1);
    expect(bench.drives.peek(8, 0x21) & 0x80).toBe(0x80);
    bench.pull({});
    expect(bench.lines.data).toBe(false);
  });

  test('each drive has its number, and they share the lines', () => {
    const bench = new Bench();
    for (const unit of [8, 9, 10, 11] as const) bench.drives.connect(unit);
    bench.run(1000);
    bench.pull({ attention: false, clock: false });
    bench.run(200);
    const seen = ([8, 9, 10, 11] as const).map((unit) => bench.drives.peek(unit, 0x21));
    expect(seen.map((byte) => (byte >> 5) & 3)).toEqual([0, 1, 2, 3]);
    expect(seen.map((byte) => byte & 0x84)).toEqual(new Array(4).fill(0x84));
  });
});

describe('the state of a 1541', () => {
  test('its clock has 1 MHz, whatever the computer has', () => {
    const counts = [985_248, 1_000_000, 1_022_730].map((clockHz) => {
      const bench = new Bench(clockHz);
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
    const [one, two] = [new Bench(985_248), new Bench(985_248)];
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
    const benches = [false, true].map((eager) => new Bench(985_248, { driveRom, eager }));
    for (const bench of benches) {
      bench.drives.attach(8, disk().image.bytes);
      bench.run(450_000);
    }
    const [one, two] = benches as [Bench, Bench];
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

  test('where nothing is written noise is read: other bytes each time, and the same from the same moment on', () => {
    const bench = new Bench();
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
    const bench = new Bench();
    bench.drives.attach(8, disk().image.bytes);
    bench.run(500_000);
    for (let index = 0; index < 200; index++) bench.drives.poke(8, 0x400 + index, index | 0x41);
    bench.drives.poke(8, 1, motor | zone(2));
    bench.drives.poke(8, 0, 2);
    bench.run(3000);
    const saved = bench.words.slice();
    const at = bench.cycles;
    const finish = (other: Bench) => {
      other.run(200_000);
      return { words: hashOf(other.words), image: hashOf(other.drives.image(8) ?? new Uint8Array()) };
    };
    const expected = finish(bench);
    const again = (other: Bench) => {
      other.words.set(saved);
      other.cycles = at;
      other.drives.restored();
      return finish(other);
    };
    expect(again(bench)).toEqual(expected);
    const other = new Bench();
    for (const image of bench.drives.imagesIn(saved)) other.drives.remember(image);
    expect(again(other)).toEqual(expected);
  });

  test('the power switch leaves the disk in the drive', () => {
    const bench = new Bench();
    bench.drives.attach(9, disk().image.bytes, { readOnly: true });
    const presence = bench.drives.presence();
    bench.words.fill(0);
    bench.drives.powerUp(presence);
    expect([bench.drives.isReal(9), bench.drives.isReadOnly(9), bench.drives.isConnected(8)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(Buffer.compare(bench.drives.image(9) ?? new Uint8Array(), disk().image.bytes)).toBe(0);
  });

  test('larger disks go into drives without a processor', () => {
    const bench = new Bench();
    bench.drives.attach(8, CommodoreDisk.create('d81', 'LARGE').image.bytes);
    expect(bench.drives.isReal(8)).toBe(false);
    bench.drives.attach(8, disk().image.bytes);
    expect(bench.drives.isReal(8)).toBe(true);
    expect(() => bench.drives.attach(8, new Uint8Array(100))).toThrow(RangeError);
  });
});

function hashOf(bytes: Uint8Array | Int32Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function bitsOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
}
