import { assemble } from '../../../../formats/commodore/assembler/assemble.ts';

/** In place of the DOS: counts, calls subroutines, answers attention on the bus, and puts bits on the lines. */
const source = `* = $c000
reset   ldx #$ff
        txs
        lda #$1a
        sta $1802
        lda #$01
        sta $180c
        lda #$82
        sta $180e
        lda #0
        sta $1800
        sta $10
        cli
idle    inc $10
        jsr work
        lda $10
        and #$0a
        sta $1800
        jmp idle
work    ldx $10
        jsr deep
        stx $11
        rts
deep    inx
        txa
        adc $12
        sta $12
        rts
irq     pha
        lda $1801
        inc $20
        pla
        rti
text    .byte "CBM DOS V2.6"
        * = $fffa
        .word reset, reset, irq
`;

/** A ROM of 16 KiB for a 1541, and where things are in it. */
export function driveBench(): {
  readonly rom: Uint8Array;
  /** The same in 32 KiB, for a 1571 or 1581: there it does nothing on the bus. */
  readonly large: Uint8Array;
  readonly at: (name: string) => bigint;
} {
  const { bytes, symbols, errors } = assemble(source);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const rom = new Uint8Array(0x4000);
  rom.set(bytes);
  const names = new Map([...symbols.values()].map(({ name, value }) => [name, BigInt(value)]));
  const large = new Uint8Array(0x8000);
  large.set(rom, 0x4000);
  return { rom, large, at: (name) => names.get(name) ?? -1n };
}
