; Start, interrupts, clock and memory limits.

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

;; cartridge
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

;; restor
*= $fd15
        jmp restor
        nop
        nop
*= $fd1a
        jmp vector

;; vector
restor: ldx #<vectors
        ldy #>vectors
        clc
; Carry set: the vectors are copied to X/Y, clear: from there.
vector: stx memuss
        sty memuss+1
        ldy #0
@next:  bcs @give
        lda (memuss),y
        sta cinv,y
        bcc @step
@give:  lda cinv,y
        sta (memuss),y
@step:  iny
        tya
        eor #32             ; leaves carry alone
        bne @next
        rts
vectors:
        .word irq_default, brk_default, nmi_default, open_file, close_file, check_in, check_out, clear_channels
        .word char_in, char_out, stop_key, get_in, close_all, brk_default, load_file, save_file

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

;; names
*= $fdf9
set_name:
        sta fnlen
        stx fnadr
        sty fnadr+1
        rts
*= $fe00
set_file:
        sta la
        stx fa
        sty sa
        rts
*= $fe07
read_status:
        lda status
        rts
or_status:
        ora status
        sta status
        rts
*= $fe18
set_messages:
        sta msgflg
        rts
*= $fe21
set_timeout:
        sta timout
        rts
*= $fe25
set_memtop:
        jmp memory_top
*= $fe34
set_membot:
        jmp memory_bottom
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

;; memory_limits
; Carry set: the limit comes back in X/Y, clear: it is set.
memory_top:
        bcs @read
        sty memend+1
        stx memend
        rts
@read:  ldy memend+1
        ldx memend
        rts
memory_bottom:
        bcs @read
        sty memstr+1
        stx memstr
        rts
@read:  ldy memstr+1
        ldx memstr
        rts

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

;; irq
*= $ff48
irq:    pha
        txa
        pha
        tya
        pha
        tsx
        lda $0104,x
        and #$10
        bne @brk
        jmp (cinv)
@brk:   jmp (cbinv)

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

;; clock
*= $f69b
update_clock:
        inc jiffies+2
        bne @day
        inc jiffies+1
        bne @day
        inc jiffies
@day:   lda jiffies         ; a day has $4f1a00 jiffies
        cmp #$4f
        bcc look_for_stop
        lda jiffies+1
        cmp #$1a
        bcc look_for_stop
        lda #0
        sta jiffies
        sta jiffies+1
        sta jiffies+2
; Leaves the keyboard row of STOP at $91; the scan rests with that column selected.
look_for_stop:
        lda cia1+1
        cmp cia1+1
        bne look_for_stop
        sta stkey
        rts
*= $f6dd
read_clock:
        lda jiffies+2
        ldx jiffies+1
        ldy jiffies
        rts
*= $f6e4
set_clock:
        sei
        sta jiffies+2
        stx jiffies+1
        sty jiffies
        cli
        rts
*= $f6ed
stop_key:
        lda stkey
        cmp #$7f
        bne @no
        php
        jsr $ffcc
        lda #0
        sta ndx
        plp
@no:    rts

;; irq_default
*= $ea31
irq_default:
        jsr $ffea
        jsr blink
        jsr tape_motor
        jsr $ff9f
        jmp irq_done
*= $ea7e
irq_done:
        lda cia1+13
irq_exit:
        pla
        tay
        pla
        tax
        pla
        rti

;; jump_table
*= $ff81
        jmp cint
        jmp ioinit
        jmp ramtas
        jmp restor
        jmp vector
        jmp set_messages
        jmp second
        jmp talk_second
        jmp set_memtop
        jmp set_membot
        jmp scan_keys
        jmp set_timeout
        jmp serial_in
        jmp serial_out
        jmp untalk
        jmp unlisten
        jmp listen
        jmp talk
        jmp read_status
        jmp set_file
        jmp set_name
        jmp (iopen)
        jmp (iclose)
        jmp (ichkin)
        jmp (ickout)
        jmp (iclrch)
        jmp (ibasin)
        jmp (ibsout)
        jmp load
        jmp save
        jmp set_clock
        jmp read_clock
        jmp (istop)
        jmp (igetin)
        jmp (iclall)
        jmp update_clock
        jmp screen_size
        jmp plot
        jmp io_base

;; hardware_vectors
*= $fffa
        .word nmi, reset, irq
