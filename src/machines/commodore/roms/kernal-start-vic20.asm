; The VIC-20's start, its interrupts and its chips.

;; reset
*= $fd22
reset:  ldx #$ff
        sei
        txs
        cld
        jsr cartridge
        bne @own
        jmp ($a000)
@own:   jsr ramtas
        jsr restor
        jsr ioinit
        jsr cint
        cli
        jmp ($c000)

;; cartridge
; Z set if a cartridge announces itself with A0CBM at $A004.
*= $fd3f
cartridge:
        ldx #5
@next:  lda cartridge_mark-1,x
        cmp $a003,x
        bne @done
        dex
        bne @next
@done:  rts

;; cartridge_mark
cartridge_mark:
        .byte $41,$30,$c3,$c2,$cd

;; ramtas
*= $fd8d
ramtas: lda #0
        tax
@clear: sta $00,x
        sta $0200,x
        sta $0300,x
        inx
        bne @clear
        lda #<$033c
        sta tapbuf
        lda #>$033c
        sta tapbuf+1
        jmp count_memory

;; count_memory
; BASIC begins in the first page from $0400 on that has RAM, and ends below the screen at $1E00. With RAM from $2000 on the screen
; lies at $1000, and BASIC goes from $1200 to the end of that RAM.
count_memory:
        lda #$03
        sta memuss+1
@low:   inc memuss+1
        jsr has_ram
        bne @low
        lda memuss+1
        sta memstr+1
        lda #$1e
        sta hibase
        sta memend+1
        lda #$20
        sta memuss+1
        jsr has_ram
        bne @done
@high:  inc memuss+1
        bmi @end
        jsr has_ram
        beq @high
@end:   lda memuss+1
        sta memend+1
        lda #$12
        sta memstr+1
        lda #$10
        sta hibase
@done:  rts
; Z set if the page at memuss has RAM, by its first byte; its content comes back.
has_ram:
        ldy #0
        lda (memuss),y
        tax
        lda #$55
        sta (memuss),y
        cmp (memuss),y
        bne @no
        asl
        sta (memuss),y
        cmp (memuss),y
@no:    php
        txa
        sta (memuss),y
        plp
        rts

;; ioinit
*= $fdf9
ioinit: jmp ioinit_ports

;; ioinit_ports
; Each row: a register, counted from VIA 1, and what goes there. Attention is released before its pin becomes an output.
ioinit_ports:
        ldx #@rows_end-@rows
@next:  lda @rows-1,x
        ldy @rows-2,x
        sta via1,y
        dex
        dex
        bne @next
        beq start_timer
@rows:  .byte $0e,$82, $10,$f7, $13,0, $12,$ff, $03,$80, $02,0, $0f,0
        .byte $1c,$de, $0c,$fe, $1b,$40, $0b,$40, $1e,$7f, $0e,$7f
@rows_end:
; Sixty interrupts a second.
start_timer:
        lda palnts
        beq @ntsc
        lda #$26
        ldx #$48
        bne @set
@ntsc:  lda #$89
        ldx #$42
@set:   sta via2+4
        stx via2+5
        lda #$c0
        sta via2+14
        rts

;; nmi
*= $fea9
nmi:    sei
        jmp (nminv)
*= $fead
nmi_default:
        pha
        txa
        pha
        tya
        pha
        jmp nmi_cause
*= $fed2
brk_default:
        jsr restor
        jsr ioinit
        jsr cint
        jmp ($c002)

;; nmi_cause
; RESTORE alone does nothing; with STOP it starts BASIC afresh. A cartridge gets it first.
nmi_cause:
        lda via1+13
        sta via1+13         ; whatever it was is over
        and #$02
        beq @done
        jsr cartridge
        bne @own
        jmp ($a002)
@own:   jsr look_for_stop
        jsr $ffe1
        bne @done
        jmp brk_default
@done:  jmp nmi_exit

;; nmi_exit
*= $ff56
nmi_exit:
        pla
        tay
        pla
        tax
        pla
        rti

;; init_screen
*= at_init_screen
init_screen:
cint:   jsr detect_video
        jsr start_timer
        jsr init_chip
        jmp init_screen_cells

;; detect_video
; The last line that the counter of half lines shows tells: 311 on PAL, 261 on NTSC.
detect_video:
@first: lda raster
        bne @first
@leave: lda raster
        beq @leave
@next:  tay
        lda raster
        bne @next
        cpy #140
        rol
        sta palnts
        rts

;; init_chip
; The picture where a monitor has its middle, the matrix where hibase says.
init_chip:
        ldx #15
@next:  lda @start,x
        sta vic,x
        dex
        bpl @next
        lda palnts
        bne @matrix
        lda #5
        sta vic
        lda #25
        sta vic+1
@matrix:
        lda hibase
        and #$1c
        asl
        asl
        ora #$80
        sta vic+5
        lda hibase
        and #$02
        beq @done
        lda #$80+columns
        sta vic+2
@done:  rts
@start: .byte 12,38,columns,rows*2,0,0,0,0,0,0,0,0,0,0,0,$1b
