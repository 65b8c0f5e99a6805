; A bar of sixteen colours in the upper border, at the same lines in every frame. Below line 51 the VIC-II takes the bus in every
; eighth line, and a loop this long would miss one.
; program_run {"path":"examples/raster-bar.asm"}, then screen_read {"mode":"image"}.

* = $c000

first = 24                      ; the raster line at which the bar begins

start   sei
        lda #$7f                ; no interrupt may come in between
        sta $dc0d
        lda $dc0d

frame   lda #first
wait    cmp $d012
        bne wait
        ldx #0
line    lda colours,x
        ldy $d012
same    cpy $d012               ; the beginning of the next line …
        beq same
        sta $d020               ; … is where the colour changes
        inx
        cpx #colours_end-colours
        bne line
        jmp frame

colours .byte 6,6,14,14,3,3,1,1,1,1,3,3,14,14,6,14
colours_end
