; Sixteen sprites from eight: the second row takes over when the first has been drawn.
; @mcp-multiplex: 16 logical sprites on 8 hardware sprites, switched at line `split`

* = $c000

split = 130

start   sei
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #0
        sta $d020
        sta $d021
        sta $d010
        ldx #62
        lda #$ff
fill    sta $3000,x             ; every sprite is a full block
        dex
        bpl fill
        ldx #7
setup   lda #$c0
        sta $07f8,x
        dex
        bpl setup
        lda #$ff
        sta $d015

frame   lda #20                 ; above the picture: the upper row
wait1   cmp $d012
        bne wait1
        ldx #0
        lda #80
        jsr row
        lda #split
wait2   cmp $d012
        bne wait2
        ldx #8
        lda #180
        jsr row
        jmp frame

; @mcp-function: places eight sprites at line A, colours from X on
row     sta line
        ldy #0
        sty place
each    ldy place
        lda line
        sta $d001,y
        lda columns,y
        sta $d000,y
        tya
        lsr
        tay
        lda tints,x
        sta $d027,y
        inx
        inc place
        inc place
        lda place
        cmp #16
        bne each
        rts

line    .byte 0
place   .byte 0
columns .byte 30,0,58,0,86,0,114,0,142,0,170,0,198,0,226,0
tints   .byte 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,1
