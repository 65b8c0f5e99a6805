; Cold and warm start, errors, READY.

;; head
*= basic_at
.if plus4
        jmp cold_start
        jmp warm_start
.else
        .word cold_start, warm_start
.endif
        .text "FPBASIC1"

;; cold
*= at_cold_start
cold_start:
        jmp cold

;; warm
*= at_warm_start
warm_start:
        jmp warm

;; cold_code
cold:   jsr init_vectors
        jsr init_cells
        jsr banner
        ldx #$fb
        txs
        bne to_ready
warm:   jsr $ffcc
        lda #0
        sta channl
        jsr reset_stack
        cli
to_ready:
        jmp ready

;; init_vectors
init_vectors:
        ldx #11
@next:  lda basic_vectors,x
        sta ierror,x
        dex
        bpl @next
        rts
basic_vectors:
.if plus4
        .word error_default, main_default, crunch_default, list_default, gone_default, eval_default
.else
.if c64
        .word at_error_vector
.else
        .word basic_at+$043a
.endif
        .word basic_at+$0483, basic_at+$057c, basic_at+$071a, basic_at+$07e4, basic_at+$0e86
.endif

;; init_cells
init_cells:
        lda #$4c            ; USR jumps to an error until somebody says where
        sta usrpok
        lda #<basic_at+$1248
        ldx #>basic_at+$1248
        sta usradd
        stx usradd+1
        lda #<basic_at+$11aa
        ldx #>basic_at+$11aa
        sta $03
        stx $04
        lda #<basic_at+$1391
        ldx #>basic_at+$1391
        sta $05
        stx $06
        ldx #@code_end-@code
@copy:  lda @code-1,x
        sta chrget-1,x
        dex
        bne @copy
        stx channl
.if c64
        stx $02
.endif
        ldx #4
@seed:  lda @random,x
        sta rndx,x
        dex
        bpl @seed
        lda #$19
        sta temppt
        lda #1
        sta $01fc           ; a link before the input buffer, as old programs expect
        sta $01fd
        sec
        jsr $ff9c
        stx txttab
        sty txttab+1
        sec
        jsr $ff99
        stx memsiz
        sty memsiz+1
        ldy #0
        tya
        sta (txttab),y
        inc txttab
        bne @new
        inc txttab+1
@new:   jmp scratch
@code:  inc txtptr
        bne @low
        inc txtptr+1
@low:   lda $0200
        jmp chrget_tail
@code_end:
@random:
        .byte $80,$4f,$c7,$52,$58

;; chrget_tail
; Skips blanks; carry clear for a digit, Z set at the end of a statement.
chrget_tail:
        cmp #$20
        beq @blank
        cmp #$3a
        bcs @done
        cmp #$30
        bcc @other
        cmp #$ff
@done:  rts
@other: cmp #0
        rts
@blank: jmp chrget

;; banner
banner: lda #<@text
        ldy #>@text
        jsr print_text
        sec
        lda memsiz
        sbc txttab
        tax
        lda memsiz+1
        sbc txttab+1
        jsr print_number
        lda #<@free
        ldy #>@free
        jmp print_text
@text:  .byte $93
.if c64
        .byte $0d
        .text "         **** FRONTPANEL 64 ****"
        .byte $0d,$0d
        .text "    OUR OWN ROMS   "
.endif
.if plus4
        .byte $0d
        .text " FRONTPANEL PLUS 4  OUR OWN ROMS"
        .byte $0d,$0d,$20
.endif
.if vic20
        .text "** FRONTPANEL 20 **"
        .byte $0d,$0d
.endif
        .byte 0
@free:  .text " BYTES FREE"
        .byte $0d,0

;; error
; X is the number of the error.
error:  jmp (ierror)
error_default:
        txa
        bmi to_ready_again
        pha
        jsr $ffcc
        lda #0
        sta channl
        jsr print_cr
        lda #'?'
        jsr print_char
        pla
        tax
        jsr print_error_name
        jsr reset_stack
        lda #<error_word
        ldy #>error_word
        jsr print_text
        jsr print_in_line
to_ready_again:
        jmp ready
error_word:
        .text "  ERROR"
        .byte 0

;; break
; The program was stopped; the stack keeps its frames for CONT.
say_break:
        jsr $ffcc
        lda #0
        sta channl
        jsr print_cr
        ldx #30
        jsr print_error_name
        jsr print_in_line
        jmp ready

;; print_in_line
print_in_line:
        ldy curlin+1
        iny
        beq @done
        lda #<@in
        ldy #>@in
        jsr print_text
        lda curlin+1
        ldx curlin
        jmp print_number
@done:  rts
@in:    .text " IN "
        .byte 0

;; print_error_name
print_error_name:
        lda #<error_names
        ldy #>error_names
        jmp print_word

;; error_names
error_names:
        .text "NO ROOM FOR A FIL"
        .byte 'E'+$80
        .text "FILE IS OPE"
        .byte 'N'+$80
        .text "FILE IS NOT OPE"
        .byte 'N'+$80
        .text "FILE NOT FOUN"
        .byte 'D'+$80
        .text "DEVICE NOT PRESEN"
        .byte 'T'+$80
        .text "FILE IS NOT FOR INPU"
        .byte 'T'+$80
        .text "FILE IS NOT FOR OUTPU"
        .byte 'T'+$80
        .text "NO FILE NAM"
        .byte 'E'+$80
        .text "BAD DEVIC"
        .byte 'E'+$80
        .text "NEXT WITHOUT FO"
        .byte 'R'+$80
        .text "SYNTA"
        .byte 'X'+$80
        .text "RETURN WITHOUT GOSU"
        .byte 'B'+$80
        .text "OUT OF DAT"
        .byte 'A'+$80
        .text "BAD VALU"
        .byte 'E'+$80
        .text "NUMBER TOO LARG"
        .byte 'E'+$80
        .text "OUT OF MEMOR"
        .byte 'Y'+$80
        .text "NO SUCH LIN"
        .byte 'E'+$80
        .text "BAD SUBSCRIP"
        .byte 'T'+$80
        .text "ARRAY EXIST"
        .byte 'S'+$80
        .text "DIVISION BY ZER"
        .byte 'O'+$80
        .text "NOT IN DIRECT MOD"
        .byte 'E'+$80
        .text "WRONG TYP"
        .byte 'E'+$80
        .text "STRING TOO LON"
        .byte 'G'+$80
        .text "BAD FILE DAT"
        .byte 'A'+$80
        .text "TOO COMPLE"
        .byte 'X'+$80
        .text "NOTHING TO CONTINU"
        .byte 'E'+$80
        .text "NO SUCH FUNCTIO"
        .byte 'N'+$80
        .text "FILES DIFFE"
        .byte 'R'+$80
        .text "LOA"
        .byte 'D'+$80
        .text "BREA"
        .byte 'K'+$80

;; common_errors
err_syntax:
        ldx #11
        .byte $2c
err_quantity:
        ldx #14
        .byte $2c
err_overflow:
        ldx #15
        .byte $2c
err_memory:
        ldx #16
        .byte $2c
err_subscript:
        ldx #18
        .byte $2c
err_division:
        ldx #20
        .byte $2c
err_direct:
        ldx #21
        .byte $2c
err_type:
        ldx #22
        .byte $2c
err_long:
        ldx #23
        .byte $2c
err_complex:
        ldx #25
        jmp error

;; ready
ready:  lda #<ready_text
        ldy #>ready_text
        jsr print_text
        lda #$80            ; control messages on, error messages off
        jsr $ff90
main:   jmp (imain)
main_default:
        jsr read_line
        stx txtptr
        sty txtptr+1
        jsr chrget
        tax
        beq main
        ldx #$ff
        stx curlin+1
        bcc @numbered
        jsr crunch
        jmp gone
@numbered:
        jmp edit_program
ready_text:
        .byte $0d
        .text "READY."
        .byte $0d,0

;; reset_stack
; Throws all frames away, and what CONT would need.
reset_stack:
        pla
        sta index
        pla
        ldx #$fa
        txs
        pha
        lda index
        pha
        ldx #0
        stx subflg
        stx oldtxt+1
        ldx #$19
        stx temppt
        rts

;; print
; Text at A/Y, up to a zero.
print_text:
        sta index
        sty index+1
        ldy #0
@next:  lda (index),y
        beq @done
        jsr print_char
        iny
        bne @next
@done:  rts
print_cr:
        lda #$0d
        jsr print_char
        bit channl
        bpl @done
        lda #$0a
        jsr print_char
@done:  rts
print_char:
        jsr $ffd2
        bcs @error
        and #$ff
        rts
@error: jmp file_error
; The number in A (high) and X.
print_number:
        sta facho
        stx facho+1
        ldx #$90
        sec
        jsr float_word
        jsr number_text
        lda #<$0101         ; without the blank for the sign
        ldy #>$0101
        jmp print_text
