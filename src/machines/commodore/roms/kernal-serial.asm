; The serial bus. The eight entries stand at their published addresses, where a high-level drive may catch them:
; A is the byte, carry comes back clear, $90 gets $80 (nobody there), $03 (no answer), $02 (no byte), $40 (last byte).
; At port A of CIA 2 bits 3-5 pull ATN, CLOCK and DATA low when set, bits 6 and 7 read CLOCK and DATA.

;; talk
*= $ed09
talk:   ora #$40
        .byte $2c
*= $ed0c
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
        lda cia2
        ora #$08
        sta cia2
send_command:
        sei
        jsr clock_pull
        jsr data_release
        jsr wait_1ms
        jmp send_byte

;; second
*= $edb9
second: sta bsour
        jsr send_command
*= $edbe
release_attention:
        lda cia2
        and #$f7
        sta cia2
        rts

;; talk_second
*= $edc7
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
@wait:  bit cia2
        bvs @wait
        cli
        rts
@absent:
        jmp release_attention

;; serial_out
*= $eddd
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
*= $edef
untalk: lda #$5f
        jmp let_go
*= $edfe
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
*= $ee13
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
        ldx #20             ; about 250 microseconds without a clock: the byte is the last
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
@bit:   bit cia2
        bvc @bit
        lda cia2
        asl
        ror inbyte
        php
@low:   bit cia2
        bvs @low
        plp
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
clock_release:
        lda cia2
        and #$ef
        sta cia2
        rts
clock_pull:
        lda cia2
        ora #$10
        sta cia2
        rts
data_release:
        lda cia2
        and #$df
        sta cia2
        rts
data_release_clock_pull:
        lda cia2
        and #$df
        ora #$10
        sta cia2
        rts
data_pull:
        lda cia2
        ora #$20
        sta cia2
        rts

;; debounced
; DATA in carry, CLOCK in V, once two readings agree.
debounced:
        lda cia2
        cmp cia2
        bne debounced
        sta levels
        bit levels
        asl
        rts

;; waits
wait_60us:
        txa
        ldx #9
@next:  dex
        bne @next
        tax
        rts
wait_1ms:
        txa
        ldx #200
@next:  dex
        bne @next
        tax
        rts
