/** What differs between the shows of balls and bars. */
interface Look {
  /** Stands in the middle of this row of the screen. */
  readonly message: string;
  readonly row: number;
  /** The colour of each ball; there are as many balls. */
  readonly tints: readonly number[];
  /** How far a ball is ahead of the one before, in 256ths of a turn. */
  readonly spacing: number;
  /** The raster line that the balls swing about, and how far from it they go. */
  readonly middle: number;
  readonly height: number;
}

/** Parts of an assembler program: code that sets the scene, a routine to be called once a frame, and the tables of both. */
interface BallsAndBars {
  /** Falls through into what follows, with interrupts off and the balls switched on. */
  readonly opening: string;
  /** `move`: puts the balls where they belong in the frame that `step` counts. */
  readonly move: string;
  /** Among them `bars`, 256 colours that go round. */
  readonly data: string;
}

const bar = [6, 6, 14, 6, 14, 14, 3, 14, 3, 3, 1, 3, 1, 1, 1, 3, 1, 3, 3, 14, 3, 14, 14, 6, 14, 6, 6, 0, 0, 0, 0, 0];

/** A line of text on a black screen, balls on a wave and the colours of rolling bars: for people to look at and tests to run. */
export function ballsAndBars({ message, row, tints, spacing, middle, height }: Look): BallsAndBars {
  const opening = `
phase   = $fb
step    = $fc
place   = $fd

start   sei
        lda #$7f
        sta $dc0d
        lda #$00
        sta $d020
        sta phase
        sta step
        lda #$15
        sta $d018
        ldx #$00
clear   lda #$20
        sta $0400,x
        sta $0500,x
        sta $0600,x
        sta $0700,x
        lda #$01
        sta $d800,x
        sta $d900,x
        sta $da00,x
        sta $db00,x
        inx
        bne clear
        ldx #${message.length - 1}
print   lda text,x
        sta $0400+${row * 40 + Math.floor((40 - message.length) / 2)},x
        dex
        bpl print
        ldx #62
shape   lda ball,x
        sta $3000,x
        dex
        bpl shape
        ldx #${tints.length - 1}
setup   lda #$c0
        sta $07f8,x
        lda tints,x
        sta $d027,x
        dex
        bpl setup
        lda #${(1 << tints.length) - 1}
        sta $d015
        lda #$00
        sta $d01b
        sta $d01c
        sta $d017
        sta $d01d
`;
  const move = `
move    lda #$00
        sta $d010
        ldx #$00
        lda step
        sta place
next    lda place
        clc
        adc #${spacing}
        sta place
        tay
        txa
        asl
        tax
        lda wave,y
        sta $d001,x
        tya
        clc
        adc #64
        tay
        lda sway,y
        sta $d000,x
        txa
        lsr
        tax
        inx
        cpx #${tints.length}
        bne next
        rts
`;
  const data = `
text    .scr "${message}"
tints   .byte ${tints.join(',')}
bars    .byte ${byteTable(256, (at) => bar[at % bar.length] ?? 0)}
ball    .byte ${byteTable(63, ballByte)}
wave    .byte ${byteTable(256, (at) => middle + height * Math.sin((at * Math.PI) / 128))}
sway    .byte ${byteTable(256, (at) => 145 + 105 * Math.sin((at * Math.PI) / 128))}
`;
  return { opening, move, data };
}

/** The operands of a `.byte`: a value for each place, rounded. */
export function byteTable(length: number, value: (at: number) => number): string {
  return Array.from({ length }, (_, at) => Math.round(value(at))).join(',');
}

/** A disc of 21 lines in the 24 columns of a sprite. */
function ballByte(at: number): number {
  const y = Math.floor(at / 3) - 10;
  return Array.from({ length: 8 }, (_, bit) => {
    const x = (at % 3) * 8 + bit - 11.5;
    return x * x + y * y <= 104 ? 0x80 >> bit : 0;
  }).reduce((byte, pixel) => byte | pixel, 0);
}
