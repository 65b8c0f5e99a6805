const message = 'eight sprites, all at once';

/**
 * Colour bars and eight balls on a wave, with the processor held up everywhere: colours change wherever it happens to get
 * its time. Hard work for the VIC-II, and for those who prove or measure it.
 */
export function eightSprites(): string {
  const wave = table(256, (at) => 130 + 62 * Math.sin((at * Math.PI) / 128));
  const sway = table(256, (at) => 145 + 105 * Math.sin((at * Math.PI) / 128));
  const bars = [6, 6, 14, 6, 14, 14, 3, 14, 3, 3, 1, 3, 1, 1, 1, 3, 1, 3, 3, 14, 3, 14, 14, 6, 14, 6, 6, 0, 0, 0, 0, 0];
  return `
* = $c000
phase = $fb
step  = $fc

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
        sta $0400+12*40+${Math.floor((40 - message.length) / 2)},x
        dex
        bpl print
        ldx #62
shape   lda ball,x
        sta $3000,x
        dex
        bpl shape
        ldx #7
setup   lda #$c0
        sta $07f8,x
        lda tints,x
        sta $d027,x
        dex
        bpl setup
        lda #$ff
        sta $d015
        lda #$00
        sta $d01b
        sta $d01c
        sta $d017
        sta $d01d

frame   lda #$32
wait    cmp $d012
        bne wait
line    ldy $d012
        lda #$00
        cpy #144
        bcc bar
        cpy #156
        bcc same
bar     tya
        clc
        adc phase
        and #31
        tax
        lda bars,x
same    cpy $d012
        beq same
        sta $d021
        cpy #248
        bcc line
        lda #$00
        sta $d021
        inc phase
        inc step
        jsr move
        jmp frame

move    lda #$00
        sta $d010
        ldx #$00
        lda step
        sta place
each    lda place
        clc
        adc #22
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
        cpx #8
        bne each
        rts

place   .byte 0
text    .scr "${message}"
tints   .byte 2,8,7,5,13,3,14,4
bars    .byte ${bars.join(',')}
ball    .byte ${ballShape().join(',')}
wave    .byte ${wave.join(',')}
sway    .byte ${sway.join(',')}
`;
}

function table(length: number, value: (at: number) => number): number[] {
  return Array.from({ length }, (_, at) => Math.round(value(at)));
}

/** A disc of 21 lines in the 24 columns of a sprite. */
function ballShape(): number[] {
  return Array.from({ length: 63 }, (_, at) => {
    const y = Math.floor(at / 3) - 10;
    return Array.from({ length: 8 }, (_each, bit) => {
      const x = (at % 3) * 8 + bit - 11.5;
      return x * x + y * y <= 104 ? 0x80 >> bit : 0;
    }).reduce((byte, pixel) => byte | pixel, 0);
  });
}
