import { expect } from 'vitest';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { driveRomBytes } from './drive-1541.ts';
import { DriveSet } from './drive-set.ts';
import { drivesPart } from './drive-state.ts';
import type { DriveRoms } from './real-drive.ts';

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

export const motor = 0x04;
export const zone = (number: number) => number << 5;
const all = { attention: true, clock: true, data: true };

export function rom(text = source): Uint8Array {
  const { bytes, errors } = assemble(text);
  expect(errors).toEqual([]);
  const image = new Uint8Array(driveRomBytes);
  image.set(bytes);
  return image;
}

/** Drives with the routines, and time to let pass. */
export class DriveBench {
  readonly words = new Int32Array(drivesPart.words);
  readonly drives: DriveSet;
  cycles = 0;
  lines = { clock: true, data: true };

  constructor(
    clockHz = 1_000_000,
    {
      driveRom = rom(),
      driveRoms = { 1541: driveRom },
      eager = false,
    }: { readonly driveRom?: Uint8Array; readonly driveRoms?: DriveRoms; readonly eager?: boolean } = {},
  ) {
    this.drives = new DriveSet(this.words, {
      now: () => this.cycles,
      setSerialLines: (clock, data) => {
        this.lines = { clock, data };
      },
      planAnew: () => {},
      clockHz: () => clockHz,
      driveRoms,
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

export function disk(): CommodoreDisk {
  const made = CommodoreDisk.create('d64', 'GCR', 'FP');
  made.write(
    'FILE',
    Uint8Array.from({ length: 500 }, (_, at) => at * 3),
  );
  return made;
}
