; Sixteen sprites from eight, by two raster interrupts. Something is torn at the lower edge of the upper row.

* = $c000

above  = 20                     ; the upper row is set up here
split  = 76                     ; and the lower one here
upper  = 60
lower  = 120

start   sei
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #<first
        sta $fffe
        lda #>first
        sta $ffff
        lda #$35
        sta $01
        lda #0
        sta $d020
        sta $d021
        sta $d010
        ldx #62
        lda #$ff
fill    sta $3000,x
        dex
        bpl fill
        ldx #7
        lda #$c0
setup   sta $07f8,x
        dex
        bpl setup
        lda #$ff
        sta $d015
        lda #above
        sta $d012
        lda #$1b
        sta $d011
        lda #1
        sta $d01a
        sta $d019
        cli
forever jmp forever

; @mcp-irq-handler: sets up the upper row
first   pha
        txa
        pha
        lda #upper
        jsr rows
        ldx #7
each1   lda tints1,x
        sta $d027,x
        dex
        bpl each1
        lda #<second
        sta $fffe
        lda #>second
        sta $ffff
        lda #split
        jmp leave

; @mcp-irq-handler: sets up the lower row
; @mcp-timing-critical: only when the upper row has been drawn
second  pha
        txa
        pha
        ldx #7
each2   lda tints2,x
        sta $d027,x
        dex
        bpl each2
        lda #lower
        jsr rows
        lda #<first
        sta $fffe
        lda #>first
        sta $ffff
        lda #above

leave   sta $d012
        lda #1
        sta $d019
        pla
        tax
        pla
        rti

; @mcp-function: puts all sprites at line A
rows    ldx #14
place   sta $d001,x
        pha
        lda columns,x
        sta $d000,x
        pla
        dex
        dex
        bpl place
        rts

columns .byte 40,0,70,0,100,0,130,0,160,0,190,0,220,0,250,0
tints1  .byte 1,3,5,7,1,3,5,7
tints2  .byte 2,4,6,8,2,4,6,8
