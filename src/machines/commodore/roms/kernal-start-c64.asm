; The C64's start, its interrupts and its chips.

;; reset
*= $fce2
reset:  ldx #$ff
        sei
        txs
        cld
        jsr cartridge
        bne @own
        jmp ($8000)
@own:   jsr ioinit
        jsr ramtas
        jsr restor
        jsr cint
        cli
        jmp ($a000)

;; cartridge at $fd02
*= at_cartridge
        jmp cartridge

;; cartridge_code
; Z set if a cartridge announces itself with CBM80 at $8004.
cartridge:
        ldx #4
@next:  lda @mark,x
        cmp $8004,x
        bne @done
        dex
        bpl @next
        inx
@done:  rts
@mark:  .byte $c3,$c2,$cd,$38,$30

;; ramtas
*= $fd50
ramtas: lda #0
        tax
@clear: sta $0002,x         ; absolute: it must not wrap to the port
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
; One byte of each page from $0400 on tells whether RAM is there; its content comes back.
count_memory:
        ldy #0
        sty memuss
        lda #$04
        sta hibase
        sta memuss+1
@page:  lda (memuss),y
        tax
        lda #$55
        sta (memuss),y
        cmp (memuss),y
        bne @end
        asl
        sta (memuss),y
        cmp (memuss),y
        bne @end
        txa
        sta (memuss),y
        inc memuss+1
        bne @page
@end:   txa
        sta (memuss),y
        ldx #0
        ldy memuss+1
        clc
        jsr set_memtop
        ldx #0
        ldy #$08
        clc
        jmp set_membot

;; ioinit
*= $fda3
ioinit: jmp ioinit_ports

;; ioinit_ports
; Each row: the low and the high byte of a register, what goes there. The port's data come before its direction.
ioinit_ports:
        ldx #0
@next:  lda @rows,x
        sta memuss
        lda @rows+1,x
        sta memuss+1
        ldy #0
        lda @rows+2,x
        sta (memuss),y
        inx
        inx
        inx
        cpx #@rows_end-@rows
        bne @next
        beq start_timer
@rows:  .byte <port,0,$e7, <port_direction,0,$2f
        .byte <sid+24,>sid,0
        .byte <cia2+13,>cia2,$7f, <cia2,>cia2,$07, <cia2+2,>cia2,$3f, <cia2+3,>cia2,0, <cia2+14,>cia2,$08, <cia2+15,>cia2,$08
        .byte <cia1+13,>cia1,$7f, <cia1,>cia1,$7f, <cia1+2,>cia1,$ff, <cia1+3,>cia1,0, <cia1+14,>cia1,$08, <cia1+15,>cia1,$08
@rows_end:
start_timer:
        lda palnts
        beq @ntsc
        lda #$25
        ldx #$40
        bne @set
@ntsc:  lda #$95
        ldx #$42
@set:   sta cia1+4
        stx cia1+5
        lda #$81
        sta cia1+13
        lda cia1+14
        and #$80
        ora #$11
        sta cia1+14
        rts

;; nmi
*= $fe43
nmi:    sei
        jmp (nminv)
*= $fe47
nmi_default:
        pha
        txa
        pha
        tya
        pha
        lda #$7f
        sta cia2+13
        ldy cia2+13
        bmi nmi_exit
        jsr cartridge
        bne @own
        jmp ($8002)
@own:   jmp nmi_restore
*= $fe66
brk_default:
        jsr restor
        jsr ioinit
        jsr cint
        jmp ($a002)

;; nmi_restore
; RESTORE alone does nothing; with STOP it starts BASIC afresh.
nmi_restore:
        jsr look_for_stop
        jsr $ffe1
        bne @no
        jmp brk_default
@no:    jmp nmi_exit

;; nmi_exit
*= $febc
nmi_exit:
        pla
        tay
        pla
        tax
        pla
        rti

;; cint
*= $ff5b
cint:   jsr init_screen
        jsr detect_video
        jmp start_timer

;; detect_video
; The last raster line tells: 311 on PAL, 261 or 262 on NTSC.
detect_video:
@low:   lda vic+17
        bpl @low
@high:  ldx vic+18
        bit vic+17
        bpl @wrapped        ; then X may belong to the next frame
        txa
        tay
        jmp @high
@wrapped:
        lda #0
        cpy #$20
        adc #0
        sta palnts
        rts

;; init_screen
*= at_init_screen
init_screen:
        ldx #47
@chip:  lda vic_start-1,x
        sta vic-1,x
        dex
        bne @chip
        jmp init_screen_cells

;; vic_start
vic_start:
        .byte 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
        .byte $1b,0,0,0,0,$08,0,$14,$0f,0,0,0,0,0,0
        .byte 14,6,1,2,3,4,0,1,2,3,4,5,6,7,12
