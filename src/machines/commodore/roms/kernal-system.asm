; Vectors, names, clock and memory limits; what is the machine's own of the start and the interrupts is in kernal-start-*.asm.

;; restor
*= at_restor
        jmp restor
        nop
        nop
*= at_vector
        jmp vector

;; vector
restor: ldx #<vectors
        ldy #>vectors
        clc
; Carry set: the vectors are copied to X/Y, clear: from there.
vector: stx memuss
        sty memuss+1
        ldy #31
@next:  bcs @give
        lda (memuss),y
        sta first_vector,y
        bcc @step
@give:  lda first_vector,y
        sta (memuss),y
@step:  dey
        bpl @next
        rts

;; vectors
*= at_vectors
vectors:
.if plus4
        .word no_split, irq_default, brk_default, open_file, close_file, check_in, check_out, clear_channels
.else
        .word irq_default, brk_default, nmi_default, open_file, close_file, check_in, check_out, clear_channels
.endif
        .word char_in, char_out, stop_key, get_in, close_all, brk_default, load_file, save_file

;; names
*= at_set_name
set_name:
        sta fnlen
        stx fnadr
        sty fnadr+1
        rts
*= at_set_file
set_file:
        sta la
        stx fa
        sty sa
        rts
*= at_read_status
read_status:
        lda status
        rts
or_status:
        ora status
        sta status
        rts
*= at_set_messages
set_messages:
        jmp set_messages_code
*= at_or_status
        jmp or_status
*= at_set_timeout
set_timeout:
        sta timout
        rts
*= at_set_memtop
set_memtop:
        jmp memory_top
*= at_set_membot
set_membot:
        jmp memory_bottom

;; set_messages_code
set_messages_code:
        sta msgflg
        lda status
        rts

;; memory_limits
; Carry set: the limit comes back in X/Y, clear: it is set.
memory_top:
        bcs @read
        sty memend+1
        stx memend
        rts
@read:  ldx memend
        ldy memend+1
        rts
memory_bottom:
        bcs @read
        sty memstr+1
        stx memstr
        rts
@read:  ldx memstr
        ldy memstr+1
        rts

;; irq
*= at_irq
.if plus4
irq:    pha
        txa
        pha
        tya
        pha
        sta $fdd0           ; BASIC and KERNAL
        jmp irq_cause
*= at_irq_exit
irq_exit:
        ldx $fb             ; the ROMs that a program has selected
        sta $fdd0,x
        pla
        tay
        pla
        tax
        pla
        rti
.else
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
.endif

;; clock
*= at_update_clock
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
.if plus4
        lda #stop_column
        sta key_columns
        lda #$ff
        sta key_rows        ; asks the keyboard
.endif
        lda key_rows
        cmp key_rows
        bne look_for_stop
        sta stkey
        rts
*= at_read_clock
read_clock:
        lda jiffies+2
        ldx jiffies+1
        ldy jiffies
        rts
*= at_set_clock
set_clock:
        sei
        sta jiffies+2
        stx jiffies+1
        sty jiffies
        cli
        rts
*= at_stop_key
stop_key:
        lda stkey
        cmp #stop_row
        bne @no
        php
        jsr $ffcc
        lda #0
        sta ndx
        plp
@no:    rts

;; irq_default
*= at_irq_default
irq_default:
.if plus4
        lda irq_source
        sta irq_source      ; writing it ends the request
        and #$02
        beq irq_done
        jsr count_frame
.else
        jsr $ffea
.endif
        jsr blink
.if plus4
.else
        jsr tape_motor
.endif
        jsr $ff9f
        jmp irq_done
*= at_irq_done
irq_done:
.if plus4
        jmp irq_exit
.else
        lda irq_source      ; reading it ends the request
irq_exit:
        pla
        tay
        pla
        tax
        pla
        rti
.endif

;; jump_table
*= at_jump_table
.if port_bus
        jmp cint
        jmp ioinit
        jmp ramtas
.endif
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
