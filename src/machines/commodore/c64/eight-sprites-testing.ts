import { ballsAndBars } from './balls-and-bars.ts';

/**
 * Colour bars and eight balls on a wave, with the processor held up everywhere: colours change wherever it happens to get
 * its time. Hard work for the VIC-II, and for those who prove or measure it.
 */
export function eightSprites(): string {
  const { opening, move, data } = ballsAndBars({
    message: 'eight sprites, all at once',
    row: 12,
    tints: [2, 8, 7, 5, 13, 3, 14, 4],
    spacing: 22,
    middle: 130,
    height: 62,
  });
  return `
* = $c000
${opening}
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
${move}${data}`;
}
