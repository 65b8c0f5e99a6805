; Files and devices: 0 keyboard, 3 screen, 4 and up the serial bus. Files on tape (1), unlike programs, and RS-232 (2) answer
; "device not present".
; Errors come back as carry set and a number in A.

;; get_in
*= at_get_in
get_in: lda dfltn
        bne @other
        lda ndx
        clc
        beq @done
        jmp key_from_buffer
@other: jmp char_in
@done:  rts

;; char_in
*= at_char_in
char_in:
        lda dfltn
        bne @other
        lda crsw
        bne @go
        lda pntr
        sta lxsp+1
        lda tblx
        sta lxsp
@go:    jmp input_char
@other: cmp #3
        bne @serial
        lda crsw
        bne @go
        lda #3
        sta crsw
        ldx lnmx
        inx
        stx indx
        bne @go
@serial:
        bcc @none
        lda status
        bne @end
        jmp serial_in
@end:   lda #$0d
@none:  clc
        rts

;; char_out
*= at_char_out
char_out:
        pha
        lda dflto
        cmp #3
        bne @other
        pla
        jmp screen_out
@other: pla
        bcc @none
        jmp serial_out
@none:  clc
        rts

;; check_in
*= at_check_in
check_in:
        jsr find_file
        bne @missing
        jsr file_at
        lda fa
        beq @set
        cmp #3
        beq @set
        bcc @input
        jmp check_in_serial
@set:   sta dfltn
        clc
        rts
@missing:
        jmp error_not_open
@input: jmp error_not_input

;; check_in_serial
check_in_serial:
        jsr talk
        lda sa
        bpl @second
        jsr turn_around
        jmp @check
@second:
        jsr talk_second
@check: bit status
        bmi @absent
        lda fa
        sta dfltn
        clc
        rts
@absent:
        jmp error_no_device

;; check_out
*= at_check_out
check_out:
        jsr find_file
        bne @missing
        jsr file_at
        lda fa
        beq @output
        cmp #3
        beq @set
        bcc @output
        jmp check_out_serial
@set:   sta dflto
        clc
        rts
@missing:
        jmp error_not_open
@output:
        jmp error_not_output

;; check_out_serial
check_out_serial:
        jsr listen
        lda sa
        bpl @second
        jsr release_attention
        jmp @check
@second:
        jsr second
@check: bit status
        bmi @absent
        lda fa
        sta dflto
        clc
        rts
@absent:
        jmp error_no_device

;; close_file
*= at_close_file
close_file:
        jsr find_file_a
        beq @found
        clc
        rts
@found: jsr file_at
        txa
        pha
        lda fa
        cmp #4
        bcc @remove
        jsr close_serial
@remove:
        pla
        tax
        jmp remove_file

;; close_serial
close_serial:
        lda sa
        bmi @done
        and #$0f
        ora #$e0
        pha
        lda fa
        jsr listen
        pla
        jsr second
        jmp unlisten
@done:  rts

;; remove_file
; The last file of the table takes the place X.
remove_file:
        ldy ldtnd
        dey
        sty ldtnd
        lda sat,y
        sta sat,x
        lda lat,y
        sta lat,x
        lda fat,y
        sta fat,x
        clc
        rts

;; find_file
; The file whose number is in X (or A): its place in X and Z set.
find_file:
        txa
find_file_a:
        ldx #0
        stx status
        ldx ldtnd
@next:  dex
        bmi @none
        cmp lat,x
        bne @next
@none:  rts
; The file at place X becomes the current one.
file_at:
        lda lat,x
        sta la
        lda sat,x
        sta sa
        lda fat,x
        sta fa
        rts

;; close_all
*= at_close_all
close_all:
        ldx #0
        stx ldtnd
*= at_clear_channels
clear_channels:
        jmp default_channels

;; default_channels
default_channels:
        lda dfltn
        cmp #4
        bcc @output
        jsr untalk
@output:
        lda dflto
        cmp #4
        bcc @set
        jsr unlisten
@set:   ldx #3
        stx dflto
        lda #0
        sta dfltn
        rts

;; open_file
*= at_open_file
open_file:
        lda la
        bne @numbered
        jmp error_not_input
@numbered:
        jsr find_file_a
        bne @new
        jmp error_is_open
@new:   ldx ldtnd
        cpx #10
        bcc @room
        jmp error_too_many
@room:  lda fa
        beq @enter
        cmp #3
        beq @enter
        bcs @serial
        jmp error_no_device
@serial:
        lda sa
        bmi @enter
        lda fnlen
        beq @enter
        jsr open_serial
        bcs @failed
@enter: jmp enter_file
@failed:
        rts

;; enter_file
enter_file:
        ldy ldtnd
        lda #$60            ; the form in which DATA goes over the bus
        ora sa
        sta sa
        sta sat,y
        lda fa
        sta fat,y
        lda la
        sta lat,y
        iny
        sty ldtnd
        clc
        rts

;; open_serial
; Sends the name to the device as an OPEN.
open_serial:
        lda #0
        sta status
        lda fa
        jsr listen
        lda sa
        ora #$f0
        jsr second
        bit status
        bmi @absent
        ldy #0
@next:  cpy fnlen
        beq @sent
        lda (fnadr),y
        jsr serial_out
        iny
        bne @next
@sent:  jsr unlisten
        clc
        rts
@absent:
        jsr unlisten
        jmp error_no_device

;; errors
; Each name leads to its number, past the loads after it.
error_bad_device:
        ldx #9
        .byte $2c
error_no_name:
        ldx #8
        .byte $2c
error_not_output:
        ldx #7
        .byte $2c
error_not_input:
        ldx #6
        .byte $2c
error_no_device:
        ldx #5
        .byte $2c
error_not_found:
        ldx #4
        .byte $2c
error_not_open:
        ldx #3
        .byte $2c
error_is_open:
        ldx #2
        .byte $2c
error_too_many:
        ldx #1
failed: txa
        pha
        jsr $ffcc
        bit msgflg
        bvc @quiet
        ldy #message_error-messages
        jsr print_message
        pla
        pha
        ora #$30
        jsr $ffd2
@quiet: pla
        sec
        rts

;; messages
; Prints a message if control messages are on.
say:    bit msgflg
        bpl said
print_message:
        lda messages,y
        php
        and #$7f
        jsr $ffd2
        iny
        plp
        bpl print_message
said:   clc
        rts
messages:
message_error:
        .byte 13
        .text "FILE ERROR"
        .byte $20+$80
message_searching:
        .byte 13
        .text "SEARCHING"
        .byte $20+$80
message_for:
        .text "FOR"
        .byte $20+$80
message_loading:
        .byte 13
        .text "LOADIN"
        .byte $47+$80
message_verifying:
        .byte 13
        .text "VERIFYIN"
        .byte $47+$80
message_saving:
        .byte 13
        .text "SAVING"
        .byte $20+$80
message_play:
        .byte 13
        .text "PRESS PLAY ON TAP"
        .byte $45+$80
message_record:
        .byte 13
        .text "PRESS RECORD AND PLA"
        .byte $59+$80
message_ok:
        .byte 13
        .text "O"
        .byte $4b+$80
message_found:
        .byte 13
        .text "FOUND"
        .byte $20+$80

;; say_name
say_name:
        bit msgflg
        bpl @done
        ldy #0
@next:  cpy fnlen
        beq @done
        lda (fnadr),y
        jsr $ffd2
        iny
        bne @next
@done:  rts

;; load
*= at_load
load:   stx memuss
        sty memuss+1
        jmp (iload)
*= at_load_file
load_file:
        sta verck
        lda #0
        sta status
        lda fa
        cmp #4
        bcs load_serial
        cmp #1
        beq @tape
        jmp error_bad_device
@tape:  jmp load_tape
load_serial:
        ldy fnlen
        bne @named
        jmp error_no_name
@named: lda sa
        pha
        jsr say_searching
        lda #$60
        sta sa
        jsr open_serial
        bcs @failed
        lda fa
        jsr talk
        lda #$60
        jsr talk_second
        jsr serial_in
        sta eal
        lda status
        lsr
        lsr
        bcs @missing
        jsr serial_in
        sta eal+1
        pla
        bne @known
        lda memuss
        sta eal
        lda memuss+1
        sta eal+1
@known: jmp load_bytes
@missing:
        pla
        jsr untalk
        jsr close_load
        jmp error_not_found
@failed:
        tax
        pla
        txa
        rts

;; say_searching
say_searching:
        ldy #message_searching-messages
        jsr say
        lda fnlen
        beq @done
        ldy #message_for-messages
        jsr say
        jsr say_name
@done:  rts

;; close_load
close_load:
        lda #$60
        sta sa
        jmp close_serial

;; say_loading
say_loading:
        ldy #message_loading-messages
        lda verck
        beq @say
        ldy #message_verifying-messages
@say:   jmp say

;; load_bytes
load_bytes:
        jsr say_loading
@next:  jsr $ffe1
        beq @stopped
        lda status
        and #$fd            ; a timeout is tried again
        sta status
        jsr serial_in
        tax
        lda status
        lsr
        lsr
        bcs @next
        ldy #0
        txa
        jsr store_or_compare
        inc eal
        bne @more
        inc eal+1
@more:  bit status
        bvc @next
        jsr untalk
        jsr close_load
        lda #0
        jmp load_done
@stopped:
        jsr close_load
        lda #0
        sec
        rts
store_or_compare:
        ldx verck
        bne @compare
        sta (eal),y
        rts
@compare:
        cmp (eal),y
        beq @same
        lda #$10
        jsr or_status
@same:  rts

;; load_done
*= at_load_done
load_done:
        clc
        ldx eal
        ldy eal+1
        rts

;; save
*= at_save
save:   stx eal
        sty eal+1
        tax
        lda $00,x
        sta stal
        lda $01,x
        sta stal+1
        jmp (isave)
*= at_save_file
save_file:
        lda #0
        sta status
        lda fa
        cmp #4
        bcs @serial
        cmp #1
        beq @tape
        jmp error_bad_device
@tape:  jmp save_tape
@serial:
        ldy fnlen
        bne @named
        jmp error_no_name
@named: jmp save_serial

;; save_serial
save_serial:
        lda #$61
        sta sa
        jsr open_serial
        bcs @done
        ldy #message_saving-messages
        jsr say
        jsr say_name
        lda fa
        jsr listen
        lda #$61
        jsr second
        lda stal
        sta sal
        jsr serial_out
        lda stal+1
        sta sal+1
        jsr serial_out
        ldy #0
@next:  lda sal
        cmp eal
        lda sal+1
        sbc eal+1
        bcs @end
        lda (sal),y
        jsr serial_out
        jsr $ffe1
        beq @stopped
        inc sal
        bne @next
        inc sal+1
        bne @next
@end:   jsr unlisten
        jsr close_serial
        clc
@done:  rts
@stopped:
        jsr close_serial
        lda #0
        sec
        rts
