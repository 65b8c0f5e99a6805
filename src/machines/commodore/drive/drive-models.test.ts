import { describe, expect, test } from 'vitest';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { decodeGcr } from '../../../formats/commodore/media/gcr.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import { DriveBench, disk, motor, rom, zone } from './drive-1541-testing.ts';
import { gcrSurface } from './gcr-image.ts';
import { mfmSurface } from './mfm-image.ts';

const fast = 0x20;
const second = 0x04;

/** A number in $00 reads 256 bytes after the next SYNC to $0300, with $01 on VIA 2's port B and $02 on VIA 1's port A. */
const source1571 = `* = $c000
reset   ldx #$ff
        txs
        lda #$6f
        sta $1c02
        lda #$ee
        sta $1c0c
        lda #$1a
        sta $1802
        lda #$26
        sta $1803
        lda #$01
        sta $180c
        lda #$82
        sta $180e
        lda #$00
        sta $1800
        sta $00
        cli
idle    inc $10
        lda $00
        beq idle
        lda $02
        sta $1801
        lda $01
        sta $1c00
read    bit $1c00
        bmi read
        lda $1c01
        clv
        ldx #0
next    bit $1801
        bmi next
        bvc next
        clv
        lda $1c01
        sta $0300,x
        inx
        bne next
        stx $00
        jmp idle
irq     pha
        lda $1801
        inc $20
        pla
        rti
        * = $fffa
        .word reset, reset, irq
`;

/** A number in $00 is a command for the controller, with $01 as track and $02 as sector; 512 bytes at $0400 are read or written. */
const source1581 = `* = $8000
reset   ldx #$ff
        txs
        lda #$65
        sta $4002
        lda #$1a
        sta $4003
        lda #$00
        sta $4001
        sta $4000
        sta $00
        lda #$90
        sta $400d
        cli
idle    inc $10
        lda $00
        beq idle
        lda $03
        sta $4000
        lda $02
        sta $6002
        lda $01
        sta $6003
        lda #$18
        jsr order
wait    lda $6000
        lsr
        bcs wait
        ldy #0
        sty $30
        lda #4
        sta $31
        lda $00
        jsr order
        cmp #$a0
        bcs write
        ldx #2
read    lda $6000
        lsr
        bcc done
        lsr
        bcc read
        lda $6003
        sta ($30),y
        iny
        bne read
        inc $31
        bne read
write   lda $6000
        lsr
        bcc done
        lsr
        bcc write
        lda ($30),y
        sta $6003
        iny
        bne write
        inc $31
        bne write
done    lda $6000
        sta $04
        lda #0
        sta $00
        jmp idle
order   sta $6000
        ldx #20
pause   dex
        bne pause
        rts
irq     pha
        lda $400d
        inc $20
        pla
        rti
        * = $fffa
        .word reset, reset, irq
`;

function romOf(source: string, origin: number): Uint8Array {
  const { bytes, errors } = assemble(source);
  expect(errors).toEqual([]);
  const rom = new Uint8Array(0x8000);
  rom.set(bytes, origin - 0x8000);
  return rom;
}

const driveRoms = { 1571: romOf(source1571, 0xc000), 1581: romOf(source1581, 0x8000) };

function d71(): CommodoreDisk {
  const made = CommodoreDisk.create('d71', 'BOTH SIDES', 'FP');
  made.write('FILE', new Uint8Array(40_000).fill(7));
  return made;
}

function d81(): CommodoreDisk {
  const made = CommodoreDisk.create('d81', 'LARGE', 'FP');
  made.write(
    'FILE',
    Uint8Array.from({ length: 3000 }, (_, at) => at * 7),
  );
  return made;
}

function started(image: Uint8Array, eager = false): DriveBench {
  const bench = new DriveBench(985_248, { driveRoms, eager });
  bench.drives.attach(8, image);
  bench.run(450_000);
  return bench;
}

/** Starts what the ROM has for it and waits for its end. */
function call(bench: DriveBench, command: number, first: number, next: number, pins = 0): void {
  [first, next, pins].forEach((value, index) => {
    bench.drives.poke(8, 1 + index, value);
  });
  bench.drives.poke(8, 0, command);
  for (let tries = 0; bench.drives.peek(8, 0) !== 0; tries++) {
    if (tries > 5000) throw new Error('it does not come back');
    bench.run(1000);
  }
}

describe('a 1571', () => {
  test.each([
    [0, 17],
    [fast, 17],
    [second, 52],
    [second | fast, 52],
  ])('reads the side and at the speed that its VIA says ($%i: track %i)', (control, track) => {
    const bench = started(d71().image.bytes);
    expect(bench.drives.modelOf(8)).toBe('1571');
    let header: Uint8Array | undefined;
    for (let tries = 0; header?.[0] !== 8 && tries < 30; tries++) {
      call(bench, 1, motor | zone(3), control);
      header = decodeGcr(bench.bytes(0x300, 256), 0, 8);
    }
    expect(header?.[3]).toBe(track);
  });

  test('takes a D64 where it is wanted', () => {
    const bench = new DriveBench(985_248, { driveRoms: { ...driveRoms, 1541: rom() } });
    bench.drives.attach(8, disk().image.bytes);
    expect(bench.drives.modelOf(8)).toBe('1541');
    bench.drives.want(8, '1571');
    expect(bench.drives.isConnected(8)).toBe(false);
    bench.drives.attach(8, disk().image.bytes);
    bench.drives.attach(9, d81().image.bytes);
    bench.drives.attach(10, d71().image.bytes);
    expect([8, 9, 10].map((unit) => bench.drives.modelOf(unit as 8))).toEqual(['1571', '1581', '1571']);
    bench.drives.attach(8, d81().image.bytes);
    expect(bench.drives.modelOf(8)).toBe('1581');
    bench.drives.want(8, 'fast');
    bench.drives.attach(8, d81().image.bytes);
    expect(bench.drives.modelOf(8)).toBe(undefined);
  });
});

describe('a 1581', () => {
  test('reads and writes sectors, which are then in the image', () => {
    const made = d81();
    const bench = started(made.image.bytes);
    expect(bench.drives.modelOf(8)).toBe('1581');
    // Blocks 6 and 7 of track 40 are the fourth sector of its first side.
    call(bench, 0x88, 39, 4);
    expect(bench.bytes(0x400, 256)).toEqual(made.image.sector(40, 6));
    expect([bench.drives.peek(8, 4) & 0x7f, bench.drives.real[0]?.track]).toEqual([0, 40]);
    for (let index = 0; index < 512; index++) bench.drives.poke(8, 0x400 + index, index * 3);
    const before = bench.drives.contentsOf(8);
    call(bench, 0xa8, 79, 10, 1);
    expect(bench.drives.peek(8, 4) & 0x7f).toBe(0);
    expect(bench.drives.contentsOf(8)).not.toBe(before);
    const written = new SectorImage(bench.drives.image(8) ?? new Uint8Array());
    expect(written.sector(80, 39)).toEqual(Uint8Array.from({ length: 256 }, (_, index) => (256 + index) * 3));
    expect(written.sector(80, 37)).toEqual(made.image.sector(80, 37));
  });

  test('does not write to a protected disk, and sees that there is another one', () => {
    const bench = started(d81().image.bytes);
    const changed = () => (bench.drives.peek(8, 0x4000) & 0x80) === 0;
    expect(changed()).toBe(true);
    call(bench, 0x88, 39, 4);
    expect(changed()).toBe(false);
    bench.drives.attach(8, d81().image.bytes, { readOnly: true });
    expect(changed()).toBe(true);
    expect(bench.drives.peek(8, 0x4001) & 0x40).toBe(0);
    call(bench, 0xa8, 39, 4);
    expect(bench.drives.peek(8, 4) & 0x40).toBe(0x40);
    expect(Buffer.compare(bench.drives.image(8) ?? new Uint8Array(), d81().image.bytes)).toBe(0);
  });

  test('answers attention on the bus where its port says so, and is told of it', () => {
    const bench = started(d81().image.bytes);
    bench.drives.poke(8, 0x20, 0);
    bench.pull({ attention: false });
    bench.run(100);
    expect([bench.drives.peek(8, 0x20), bench.lines]).toEqual([1, { clock: true, data: true }]);
    expect(bench.drives.peek(8, 0x4001) & 0x80).toBe(0x80);
  });
});

describe.each([
  ['1571', () => d71().image.bytes, [1, motor | zone(3), fast | second]],
  ['1581', () => d81().image.bytes, [0xa8, 20, 3]],
] as const)('a %s', (_, image, work) => {
  const begin = (bench: DriveBench) => {
    work.forEach((value, index) => {
      bench.drives.poke(8, index, value);
    });
  };

  test('does the same instruction by instruction and cycle by cycle', () => {
    const benches = [false, true].map((eager) => started(image(), eager));
    const [one, two] = benches as [DriveBench, DriveBench];
    for (let round = 0; round < 40; round++) {
      for (const bench of benches) {
        if (round === 3) begin(bench);
        bench.pull({ attention: round % 7 !== 3, data: round % 3 !== 0 });
        bench.run(round * 121 + 3);
      }
      expect([round, two.words.findIndex((word, index) => word !== one.words[index])]).toEqual([round, -1]);
    }
    expect(one.drives.peek(8, 0x20)).not.toBe(0);
  });

  test('goes on the same way from a copy of the words', () => {
    const bench = started(image());
    begin(bench);
    bench.run(30_001);
    const [saved, at] = [bench.words.slice(), bench.cycles];
    const finish = (other: DriveBench) => {
      other.run(400_000);
      return [Buffer.from(other.words.buffer).toString('base64'), other.drives.contentsOf(8)];
    };
    const expected = finish(bench);
    const other = new DriveBench(985_248, { driveRoms });
    for (const known of bench.drives.imagesIn(saved)) other.drives.remember(known);
    for (const each of [bench, other]) {
      each.words.set(saved);
      each.cycles = at;
      each.drives.restored();
      expect(finish(each)).toEqual(expected);
    }
  });
});

test('what a head sees of a disk is the image again', () => {
  for (const [surface, made] of [
    [gcrSurface, d71()],
    [mfmSurface, d81()],
  ] as const) {
    const blank = CommodoreDisk.create(made.image.geometry.kind).image.bytes;
    const back = surface.fileOf(surface.imageOf(made.image.bytes), blank, () => true);
    expect(Buffer.compare(back, made.image.bytes)).toBe(0);
  }
});
