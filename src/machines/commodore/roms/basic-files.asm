; Files, LOAD and SAVE.

;; file_error
; A is the KERNAL's error number, 0 for STOP.
file_error:
        tax
        bne @error
        jmp say_break
@error: jmp error

;; channels
open_input:
        jsr eval_byte
        stx channl
        jsr $ffc6
        bcs file_failed
        rts
open_output:
        jsr eval_byte
        stx channl
        jsr $ffc9
        bcs file_failed
        rts
close_channel:
        jsr $ffcc
        lda #0
        sta channl
        rts
file_failed:
        pha
        jsr close_channel
        pla
        jmp file_error

;; channel_statements
print_file:
        jsr cmd
        jmp close_channel
cmd:    jsr open_output
        jsr chrgot
        beq @print
        jsr need_comma
@print: jmp print
input_file:
        jsr open_input
        jsr need_comma
        lda #0
        sta inpflg
        jsr read_line
        jsr buffer_items
        jmp close_channel

;; file_arguments
; name, device, secondary address of LOAD, SAVE and VERIFY.
program_arguments:
        lda #0
        jsr $ffbd
        ldx #1
        ldy #0
        jsr $ffba
        jsr chrgot
        beq @done
        jsr file_name
        jsr @more
        ldy #0
        stx forpnt
        jsr $ffba
        jsr @more
        txa
        tay
        ldx forpnt
        jmp $ffba
@more:  jsr chrgot
        beq @end
        jsr need_comma
        jmp eval_byte
@end:   pla
        pla
@done:  rts
file_name:
        jsr eval
        jsr need_string
        jsr free_string
        ldx index
        ldy index+1
        jmp $ffbd

;; open
; number, device, secondary address, name.
file_numbers:
        lda #0
        jsr $ffbd
        jsr eval_byte
        stx forpnt
        txa
        ldx #1
        ldy #0
        jsr $ffba
        jsr @more
        stx forpnt+1
        ldy #0
        cpx #3
        bcc @device
        dey
@device:
        lda forpnt
        jsr $ffba
        jsr @more
        txa
        tay
        lda forpnt
        ldx forpnt+1
        jsr $ffba
        jsr chrgot
        beq @done
        jsr need_comma
        jmp file_name
@more:  jsr chrgot
        beq @end
        jsr need_comma
        jmp eval_byte
@end:   pla
        pla
@done:  rts
open:   jsr file_numbers
        jsr $ffc0
        bcs @failed
        rts
@failed:
        jmp file_error
close:  jsr file_numbers
        lda forpnt
        jsr $ffc3
        bcs @failed
        rts
@failed:
        jmp file_error

;; load_program
verify: lda #1
        .byte $2c
load_program:
        lda #0
        sta dimflg
        jsr program_arguments
        lda dimflg
        ldx txttab
        ldy txttab+1
        jsr $ffd5
        bcs @failed
        lda dimflg
        bne @verify
        jsr $ffb7
        and #$bf
        bne @broken
        lda curlin+1
        cmp #$ff
        bne @running
        stx vartab
        sty vartab+1
        jsr relink
        jsr clear_from_start
        jmp ready
@running:
        jsr to_start
        jsr relink
        jsr restore
        jsr reset_stack
        jmp next_statement
@verify:
        lda #0
        sta dimflg
        jsr $ffb7
        and #$10
        bne @differs
        lda #<@ok
        ldy #>@ok
        jmp print_text
@failed:
        jmp file_error
@broken:
        ldx #29
        .byte $2c
@differs:
        ldx #28
        jmp error
@ok:    .byte 13
        .text "OK"
        .byte 13,0

;; save_program
save_program:
        jsr program_arguments
        lda #txttab
        ldx vartab
        ldy vartab+1
        jsr $ffd8
        bcs @failed
        rts
@failed:
        jmp file_error
