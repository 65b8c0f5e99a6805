; The datasette. A block is recorded twice; each copy is a leader of short pulses, a countdown from 9 to 1 (bit 7 set in the
; first copy), the bytes, all of them combined as a checksum, and an end mark. A byte is a mark (long, medium), eight bits from
; the lowest on and odd parity; 0 is short and medium, 1 medium and short. The end mark is long and short.
; C64: sense is bit 4 of the processor's port (0: a key is down), motor bit 5 (0: on), bit 3 is recorded, CIA 1's FLAG plays.
; VIC-20: sense is bit 6 of bus_in, motor see there, PB3 of VIA 2 is recorded, its CA1 plays. PB3 is the keyboard's column of STOP
; too, and low between pulses.

;; tape_motor
; Called by the interrupt: the motor runs while a key is down, unless a program has taken it over at $C0.
tape_motor:
        jsr tape_key
        beq @down
        lda #0
        sta cas1
        jmp motor_off
@down:  lda cas1
        bne @done
.if c64
        lda port
        and #$df
        sta port
.else
        lda motor
        and #$fd
        sta motor
.endif
@done:  rts

;; tape_buffer
*= at_tape_buffer
; X/Y: the buffer; carry clear if it cannot be there.
tape_buffer:
        ldx tapbuf
        ldy tapbuf+1
        cpy #2
        rts
*= at_tape_buffer_range
; The buffer is what will be read or written.
tape_buffer_range:
        jsr tape_buffer
        sty stal+1
        sty eal+1
        stx stal
        txa
        adc #191            ; and carry
        sta eal
        bcc @done
        inc eal+1
@done:  rts

;; tape_keys
*= at_press_play
press_play:
        ldy #message_play-messages
        jmp press_keys
*= at_tape_key
; Z set: a key of the datasette is down.
tape_key:
.if c64
        lda #$10
        bit port
.else
        lda #$40
        bit bus_in
.endif
        rts
*= at_press_record
press_record:
        ldy #message_record-messages
        jmp press_keys

;; press_keys
press_keys:
        jsr tape_key
        beq @ready
        jsr print_message
@wait:  jsr $ffe1
        beq @stopped
        jsr tape_key
        bne @wait
        ldy #message_ok-messages
        jsr print_message
@ready: clc
        rts
@stopped:
        sec
        rts

;; tape_read
*= at_read_buffer
read_buffer:
        jsr tape_buffer_range
        jmp read_block
*= at_read_block
; Reads the next block to stal-eal. What went wrong is in the status; carry set and A 0: STOP.
read_block:
        sei
        jsr tape_on
        lda #0
        sta leader
        sta pulses
        sta phase
        sta copies
        sta pass
        sta counted
        sta ptr2
        jsr nominal_speed
        lda cinv
        sta irqtmp
        lda cinv+1
        sta irqtmp+1
        lda #<tape_pulse
        sta cinv
        lda #>tape_pulse
        sta cinv+1
        ldx #$ff
.if c64
        stx cia1+7
        ldx #$ff-22         ; so long it stands between two pulses
        stx cia1+6
        lda #$90
        sta cia1+13
.else
        lda #$ff-29         ; so long it stands between two pulses
        sta via2+8
        stx via2+9
        lda #$82
        sta via2+13
        sta via2+14
.endif
        cli
@wait:  lda irqtmp+1
        cmp cinv+1
        clc
        beq @done
        dex                 ; now and then is enough
        bne @wait
.if c64
        lda cia1+15
        lsr
        bcs @going          ; the timer runs: pulses come
.else
        lda via2+13
        and #$20
        beq @going
.endif
        lda copies
        bne @over
        lda phase
        cmp #3
        bne @going
@over:  jsr end_of_block
@going: jsr look_for_stop
        jsr $ffe1
        bne @wait
        jsr tape_off
        lda #0
        sec
@done:  rts

;; tape_on
; No picture, so that the VIC leaves the processor its time; no interrupts; the motor runs and what is recorded rests.
tape_on:
.if c64
        lda vic+17
        and #$6f
        sta vic+17
        lda #$7f
        sta cia1+13
        lda cia1+13
        lda port
        and #$d7
        sta port
.else
        lda #$7f
        sta via2+14
        lda via2
        and #$f7
        sta via2
        lda motor
        and #$fd
        sta motor
.endif
        sta cas1
        rts

;; tape_off
*= at_tape_off
tape_off:
        php
        sei
.if c64
        lda vic+17
        and #$7f
        ora #$10
        sta vic+17
.endif
        jsr motor_off
        jmp tape_off_interrupts
*= at_motor_off
motor_off:
.if c64
        lda port
        ora #$20
        sta port
.else
        lda motor
        ora #$02
        sta motor
.endif
        rts

;; tape_off_interrupts
tape_off_interrupts:
        lda #$7f
        sta irq_enable
        jsr start_timer
        lda irqtmp+1
        beq @done
        sta cinv+1
        lda irqtmp
        sta cinv
@done:  plp
        rts

;; tape_pulse
; The interrupt of a pulse from the tape: a timer tells how long it took.
*= at_tape_pulse
tape_pulse:
.if c64
        lda cia1+13
        and #$10
        beq @exit
        lda #0              ; it stands while it is read
        sta cia1+15
        lda cia1+7
        eor #$ff
        tay
        lda cia1+6
        eor #$ff
        ldx #$19            ; from the start, once: a pause ends as a pulse of no length
        stx cia1+15
        ldx #3
.else
        lda via2+13
        tax
        and #$02
        beq @exit
        sta via2+13
        lda #$60            ; it counts something else while it is read
        sta via2+11
        lda via2+9
        eor #$ff
        tay
        lda via2+8
        eor #$ff
        sta length
        lda #$40
        sta via2+11
        lda #$ff
        sta via2+9
        txa
        ldx #3
        and #$20            ; it has run down: after a pause
        bne @known
        lda length
.endif
        cpy #4
        bcs @known
        sty length
        lsr length
        ror
        lsr length
        ror
        cmp #45
        bcc @known
        ldx #0
        cmp limit1
        bcc @known
        inx
        cmp limit2
        bcc @known
        inx
        cmp #230
        bcc @known
        inx
@known: sta length
        jsr tape_sort
@exit:  jmp irq_exit

;; tape_sort
; A pulse: X is 0 short, 1 medium, 2 long, 3 none of them. Four short ones in a row are a leader, which shows the speed.
tape_sort:
        txa
        beq @short
        lda #0
        sta leader
        lda phase
        bne tape_frame
        jmp nominal_speed
@short: lda leader
        cmp #255
        beq @leader
        inc leader
        cmp #4
        bcc tape_frame
@leader:
        jsr follow_speed
        lda leader
        cmp #24
        beq @begins
        cmp #200            ; between two copies are 79
        bne @done
        lda copies
        beq @done
        jmp end_of_block
@begins:
        lda phase
        cmp #2
        bcc @countdown
        jsr end_of_copy
@countdown:
        lda #1
        sta phase
        lda #0
        sta pulses
        sta counted
@done:  rts
tape_frame:
        ldy pulses
        beq @idle
        bmi @mark
        cpx #2
        bcc @pulse
        inc bad
        cpx #3
        beq @pulse
        jsr tape_byte       ; the next mark, too early
@half:  lda #$ff
        sta pulses
        rts
@idle:  txa                 ; what follows a byte is a mark, even if it does not look like one
        bne @half
        rts
@mark:  cpx #2
        beq @same
        txa
        beq @end
        lda #18
        sta pulses
        lda #0
        sta prty
        sta bad
@same:  rts
@end:   sta pulses
        lda phase
        cmp #2
        bcc @same
        jmp end_of_copy
@pulse: dec pulses
        lda pulses
        lsr
        lda length
        bcc @second
        sta first
        rts
@second:
        cmp first           ; the longer one first is a 1
        bne @clear
        inc bad
@clear: lda first
        cmp length
        bcc @zero
        inc prty
@zero:  lda pulses
        beq @byte
        ror shift
        rts
@byte:  lsr prty
        bcs @odd
        inc bad
@odd:   jmp tape_byte

;; speed
nominal_speed:
        lda #short_pulse
        sta speed
        bne limits
follow_speed:
        lda length
        cmp speed
        beq limits
        bcs @slower
        dec speed
        bcc limits
@slower:
        inc speed
limits: lda speed           ; half way between the kinds: 19 and 25 sixteenths of a short one
        lsr
        lsr
        lsr
        sta limit2
        lsr
        clc
        adc limit2
        adc speed
        sta limit1
        adc limit2
        adc limit2
        adc limit2
        sta limit2
        rts

;; tape_byte
; A byte is complete: in shift, unless it is bad.
tape_byte:
        lda #0
        sta pulses
        lda phase
        cmp #2
        beq @data
        bcs @extra
        lda bad
        beq @good
        dec counted
        lda counted
        jmp @count
@good:  lda shift
        sta counted
@count: and #$7f
        beq @lost
        cmp #10
        bcs @lost
        cmp #1
        bne @done
        inc phase
        lda stal
        sta sal
        lda stal+1
        sta sal+1
        lda pass
        bne @done
        sta ptr1
        sta sum
        sta extra
@done:  rts
@lost:  lda #0
        sta phase
        rts
@extra: sta extra
        rts
@data:  lda sal
        cmp eal
        bne @inside
        lda sal+1
        cmp eal+1
        bne @inside
        inc phase           ; the checksum
        jmp tape_take
@inside:
        jsr tape_take
        inc sal
        bne @done
        inc sal+1
        rts

;; tape_take
tape_take:
        lda pass
        bmi @done
        bne @repair
        lda bad
        beq @good
        ldx ptr1
        cpx #62
        bcs @done
        lda sal
        sta $0100,x
        lda sal+1
        sta $0101,x
        inx
        inx
        stx ptr1
@done:  rts
@repair:
        ldx ptr2
        cpx ptr1
        bcs @done
        lda $0100,x
        cmp sal
        bne @done
        lda $0101,x
        cmp sal+1
        bne @done
        lda bad
        bne @done           ; ptr2 stays behind for good
        inx
        inx
        stx ptr2
@good:  lda shift
        eor sum
        sta sum
        lda phase
        cmp #2
        bne @done
        ldy #0
        lda shift
        ldx verck
        bne @compare
        sta (sal),y
        rts
@compare:
        cmp (sal),y
        beq @done
        lda #$10
        jmp or_status

;; end_of_copy
; After the first copy it is decided what the second has to do.
end_of_copy:
        lda counted
        bpl end_of_block
        inc copies
        ldy #0
        lda phase
        cmp #3
        bne @set
        lda extra
        bne @set
        lda ptr1
        beq @clean
        cmp #62
        bcs @set
        iny
        bne @set
@clean: lda sum
        bne @set
        dey
@set:   sty pass
        lda #0
        sta phase
        rts
end_of_block:
        lda #0
        ldx pass
        bmi @done
        bne @repaired
        ldx phase
        cpx #3
        beq @whole
        ora #$04
@whole: ldx extra
        beq @fits
        ora #$08
@fits:
@repaired:
        ldx ptr1
        cpx ptr2
        beq @all
        ora #$10
@all:   ldx sum
        beq @done
        ora #$20
@done:  jsr or_status
        jmp tape_off

;; find_header
*= at_find_header
        jmp find_header
*= at_find_named
        jmp find_named

;; find_any
; Reads on to a whole header: X is its kind, carry clear. Carry set: A is 0 for STOP, 4 at the end of the tape.
find_header:
        lda verck
        pha
        lda #0
        sta verck
        sta status
        jsr read_buffer
        pla
        sta verck
        bcs @done
        lda status
        bne find_header
        tay
        lda (tapbuf),y
        tax
        cmp #5
        beq @end
        cmp #1
        beq @found
        cmp #3
        bcc find_header
        cmp #5
        bcs find_header
@found: bit msgflg
        bpl @quiet
        jsr say_found
@quiet: clc
        rts
@end:   lda #4
        sec
@done:  rts

;; say_found
; Shows the name for two seconds, or until C= or the space bar is pressed.
say_found:
        ldy #message_found-messages
        jsr print_message
        ldy #5
@next:  lda (tapbuf),y
        jsr $ffd2
        iny
        cpy #21
        bne @next
        lda jiffies+2
        eor #$80
        tay
@wait:  lda stkey
        cmp #$ff
        bne @done
        cpy jiffies+2
        bne @wait
@done:  rts

;; find_named
; The same, but its name has to begin with the one that is wanted.
find_named:
        jsr find_header
        bcs @done
        ldy #0
@next:  cpy fnlen
        beq @same
        lda (fnadr),y
        sta first
        tya
        adc #5              ; carry is clear: the name is longer
        tay
        lda (tapbuf),y
        cmp first
        bne find_named
        tya
        sbc #4
        tay
        bne @next
@same:  ldy #0
        lda (tapbuf),y
        tax
        clc
@done:  rts

;; load_tape
load_tape:
        jsr tape_buffer
        bcs @buffer
        jmp error_bad_device
@buffer:
        jsr press_play
        bcs stopped_tape
        jsr say_searching
@search:
        jsr find_named
        bcs @failed
        cpx #4
        beq @search
        jsr header_range
        cpx #3
        beq @there
        lda sa
        bne @there
        lda eal             ; as long as it was, from memuss on
        sec
        sbc stal
        tax
        lda eal+1
        sbc stal+1
        tay
        txa
        clc
        adc memuss
        sta eal
        tya
        adc memuss+1
        sta eal+1
        lda memuss
        sta stal
        lda memuss+1
        sta stal+1
@there: jsr say_loading
        jsr read_block
        bcs stopped_tape
        jmp load_done
@failed:
        tax
        beq stopped_tape
        jmp error_not_found
stopped_tape:
        lda #0
        sec
        rts

;; header_range
; What the header in the buffer speaks of; X and carry stay.
header_range:
        ldy #1
        lda (tapbuf),y
        sta stal
        iny
        lda (tapbuf),y
        sta stal+1
        iny
        lda (tapbuf),y
        sta eal
        iny
        lda (tapbuf),y
        sta eal+1
        rts

;; save_tape
save_tape:
        jsr tape_buffer
        bcs @buffer
        jmp error_bad_device
@buffer:
        jsr press_record
        bcs stopped_tape2
        ldy #message_saving-messages
        jsr say
        jsr say_name
        lda sa
        and #1              ; a program that belongs where it is
        asl
        ora #1
        jsr write_header
        bcs stopped_tape2
        lda #$1a
        jsr write_block
        bcs stopped_tape2
        lda sa
        and #2
        clc
        beq saved_tape
        lda #5
        jmp write_header
stopped_tape2:
        lda #0
saved_tape:
        rts

;; write_header
; A is its kind.
write_header:
        tax
        ldy #191
        lda #$20
@clear: sta (tapbuf),y
        dey
        bne @clear
        txa
        sta (tapbuf),y
        iny
        lda stal
        sta (tapbuf),y
        iny
        lda stal+1
        sta (tapbuf),y
        iny
        lda eal
        sta (tapbuf),y
        iny
        lda eal+1
        sta (tapbuf),y
        ldy #0
@name:  cpy fnlen
        beq @named
        lda (fnadr),y
        tax
        tya
        adc #5              ; carry is clear: the name is longer
        tay
        txa
        sta (tapbuf),y
        tya
        sbc #4
        tay
        iny
        cpy #187
        bcc @name
@named: jsr tape_buffer_range
        lda #$6a
        jsr write_block
        jmp header_range

;; write_block
; Records stal-eal; A is the length of the leader, in 256 pulses. Carry set: STOP.
write_block:
        sei
        pha
        jsr tape_on
        lda #0
        sta irqtmp+1
        ldx #0
        jsr set_pulse
.if c64
        lda #$11
        sta cia1+14
.else
        sta via2+5          ; the high byte: it begins
.endif
        lda #$80
        sta copies
        pla
        tsx
        stx extra
        ldy #0
@copy:  jsr write_leader
        lda #9
        sta counted
@count: lda counted
        ora copies
        jsr write_byte
        dec counted
        bne @count
        lda #0
        sta sum
        lda stal
        sta sal
        lda stal+1
        sta sal+1
@next:  lda sal
        cmp eal
        bne @data
        lda sal+1
        cmp eal+1
        beq @sum
@data:  ldy #0
        lda (sal),y
        jsr write_byte
        inc sal
        bne @next
        inc sal+1
        bne @next
@sum:   lda sum
        jsr write_byte
        ldx #2
        jsr write_pulse
        ldx #0
        jsr write_pulse
        ldy #$4f
        lda #0
        asl copies
        bcs @copy
        dey
        jsr write_leader
        clc
write_ends:
        jsr tape_off
        cli
        rts

;; write_leader
; Y short pulses and A times 256 more.
write_leader:
        sta bad
@next:  ldx #0
        jsr most_of_half
        jsr write_pulse
        dey
        bne @next
        jsr write_stop
        dec bad
        bpl @next
        rts
; Goes back to the caller of write_block if STOP is pressed.
write_stop:
        lda key_rows
        cmp #stop_row
        bne @done
        ldx extra
        txs
        sec
        jmp write_ends
@done:  rts

;; write_byte
write_byte:
        sta shift
        eor sum
        sta sum
        ldx #2
        jsr write_pulse
        jsr write_stop
        ldx #1
        stx prty
        jsr write_pulse
        ldy #8
@bit:   lsr shift
        jsr @pair
        dey
        bne @bit
        lsr prty
@pair:  ldx #0
        bcc @first
        inc prty
        inx
@first: stx first
        jsr write_pulse
        lda first
        eor #1
        tax
; Two half waves; X is 0 short, 1 medium, 2 long. Each begins where the timer ends, which then takes the next length.
write_pulse:
        jsr @half
        jsr most_of_half
@half:  jsr set_pulse
@wait:
.if c64
        lda cia1+13
        lsr
        bcc @wait
        lda port
        eor #8
        sta port
        rts
set_pulse:
        lda @low,x
        sta cia1+4
        lda @high,x
        sta cia1+5
        rts
@low:   .byte <191,<263,<343
@high:  .byte >191,>263,>343
.else
        bit via2+13
        bvc @wait
        lda via2
        eor #8
        sta via2
        rts
set_pulse:
        lda @low,x
        sta via2+6
        lda @high,x
        sta via2+7          ; its flag goes with that
        rts
@low:   .byte <214,<295,<385
@high:  .byte >214,>295,>385
.endif
most_of_half:
        lda @turns,x
        sec
@turn:  sbc #1
        bne @turn
        rts
@turns: .byte 10,24,40
