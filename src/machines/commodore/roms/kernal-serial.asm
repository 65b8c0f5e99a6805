; The serial bus. The eight entries stand at their published addresses, where a high-level drive may catch them:
; A is the byte, carry comes back clear, $90 gets $80 (nobody there), $03 (no answer), $02 (no byte), $40 (last byte).
; C64 and Plus/4: see bus_port, a port whose bits pull ATN, CLOCK and DATA low when set, and read CLOCK and DATA.
; VIC-20: see bus_in and bus_out.

;; talk
*= at_talk
talk:   ora #$40
        .byte $2c
*= at_talk+3
listen: ora #$20
        jmp command

;; command
; Sends A under ATN. A byte that still waits goes first, as the last one of its file.
command:
        pha
        bit c3po
        bpl @attention
        sec
        ror eoiout
        jsr send_byte
        lsr c3po
        lsr eoiout
@attention:
        pla
        sta bsour
        sei
        jsr data_release
        jsr pull_attention
send_command:
        sei
        jsr clock_pull
        jsr data_release
        jsr wait_1ms
        jmp send_byte

;; second
*= at_second
second: sta bsour
        jsr send_command
*= at_release_attention
release_attention:
.if port_bus
        lda bus_port
        and #$ff-bus_attention
        sta bus_port
.else
        lda bus_in
        and #$7f
        sta bus_in
.endif
        rts

;; talk_second
*= at_talk_second
talk_second:
        sta bsour
        jsr send_command
        jmp turn_around

;; turn_around
; The talker takes the clock line over.
turn_around:
        bit status
        bmi @absent
        sei
        jsr data_pull
        jsr release_attention
        jsr clock_release
@wait:  jsr debounced
        bvs @wait
        cli
        rts
@absent:
        jmp release_attention

;; serial_out
*= at_serial_out
serial_out:
        bit c3po
        bmi @send
        sec
        ror c3po
        bne @keep
@send:  jmp serial_out_next
@keep:  sta bsour
        clc
        rts
*= at_untalk
untalk: lda #$5f
        jmp let_go
*= at_unlisten
unlisten:
        lda #$3f
        jmp let_go

;; serial_out_next
serial_out_next:
        pha
        jsr send_byte
        pla
        sta bsour
        clc
        rts

;; let_go
let_go: jsr command
        jsr release_attention
        jsr wait_60us
        jsr clock_release
        jmp data_release

;; serial_in
*= at_serial_in
serial_in:
        jmp receive_byte

;; send_byte
; bsour to the bus; eoiout bit 7 marks the last byte.
send_byte:
        sei
        jsr data_release
        jsr debounced
        bcs @absent         ; nobody holds DATA
        jsr clock_release
        bit eoiout
        bpl @ready
@high:  jsr debounced
        bcc @high
@low:   jsr debounced
        bcs @low
@ready: jsr debounced
        bcc @ready
        jsr clock_pull
        lda #8
        sta bitcnt
@bit:   jsr debounced
        bcc @timeout
        lsr bsour
        bcs @one
        jsr data_pull
        bne @valid
@one:   jsr data_release
@valid: jsr clock_release
        jsr wait_60us
        jsr data_release_clock_pull
        dec bitcnt
        bne @bit
        lda #0              ; a listener answers within a millisecond
        sta bitcnt
@answer:
        jsr debounced
        bcc @done
        dec bitcnt
        bne @answer
@timeout:
        lda #$03
        .byte $2c
@absent:
        lda #$80
        jsr or_status
        jsr release_attention
        jsr clock_release
        jsr data_release
@done:  cli
        clc
        rts

;; receive_byte
receive_byte:
        txa
        pha
        sei
        lda #0
        sta bitcnt
        jsr clock_release
@ready: jsr debounced
        bvc @ready
@again: jsr data_release
        ldx #last_byte_wait ; about 250 microseconds without a clock: the byte is the last
@first: jsr debounced
        bvc @bits
        dex
        bne @first
        lda bitcnt
        bne @failed
        jsr data_pull
        jsr wait_60us
        lda #$40
        jsr or_status
        inc bitcnt
        bne @again
@failed:
        lda #$02
        jsr or_status
        lda #0
        sta inbyte
        beq @done
@bits:  lda #$80
        sta inbyte
@bit:
.if port_bus
        bit bus_port
        bvc @bit
        lda bus_port
        asl
        ror inbyte
        php
@low:   bit bus_port
        bvs @low
        plp
.else
        lda bus_in
        lsr
        bcc @bit
        lsr
        ror inbyte
        php
@low:   lda bus_in
        lsr
        bcs @low
        plp
.endif
        bcc @bit
        jsr data_pull
        bit status
        bvc @done
        jsr wait_60us
        jsr clock_release
        jsr data_release
@done:  pla
        tax
        lda inbyte
        cli
        clc
        rts

;; lines
.if port_bus
pull_attention:
        lda bus_port
        ora #bus_attention
        sta bus_port
        rts
clock_release:
        lda bus_port
        and #$ff-bus_clock
        sta bus_port
        rts
clock_pull:
        lda bus_port
        ora #bus_clock
        sta bus_port
        rts
data_release:
        lda bus_port
        and #$ff-bus_data
        sta bus_port
        rts
data_release_clock_pull:
        lda bus_port
        and #$ff-bus_data
        ora #bus_clock
        sta bus_port
        rts
data_pull:
        lda bus_port
        ora #bus_data
        sta bus_port
        rts
.else
pull_attention:
        lda bus_in
        ora #$80
        sta bus_in
        rts
clock_release:
        lda bus_out
        and #$fd
        sta bus_out
        rts
clock_pull:
        lda bus_out
        ora #$02
        sta bus_out
        rts
data_release:
        lda bus_out
        and #$df
        sta bus_out
        rts
data_release_clock_pull:
        lda bus_out
        and #$df
        ora #$02
        sta bus_out
        rts
data_pull:
        lda bus_out
        ora #$20
        sta bus_out
        rts
.endif

;; debounced
; DATA in carry, CLOCK in V, once two readings agree.
debounced:
.if port_bus
        lda bus_port
        cmp bus_port
        bne debounced
        sta levels
        bit levels
        asl
.else
        lda bus_in
        cmp bus_in
        bne debounced
        and #3
        lsr
        ror
        ror                 ; DATA is bit 7, CLOCK bit 6
        sta levels
        bit levels
        asl
.endif
        rts

;; waits
wait_60us:
        txa
        ldx #short_wait
@next:  dex
        bne @next
        tax
        rts
wait_1ms:
        txa
        ldx #long_wait
@next:  dex
        bne @next
        tax
        rts
