; PRINT, INPUT, GET, READ.

;; print_statement
print:  beq @line
@next:  beq @done
        cmp #$a3
        beq @tab
        cmp #$a6
        beq @spaces
        cmp #','
        beq @comma
        cmp #';'
        beq @skip
        jsr eval
        bit valtyp
        bmi @string
        jsr number_text
        jsr print_text
        jsr print_gap
        jmp @after
@string:
        jsr print_string
@after: jsr chrgot
        bne @next
@line:  jmp print_cr
@comma: jsr column_of_print
        sec
@tens:  sbc #comma_columns
        bcs @tens
        eor #$ff
        tax
        inx
        bne @count
@tab:   jsr eval_byte_next
        jsr @close
        jsr column_of_print
        sta endchr
        txa
        sec
        sbc endchr
        bcc @again
        tax
        jmp @count
@spaces:
        jsr eval_byte_next
        jsr @close
@count: inx
@gaps:  dex
        beq @again
        jsr print_gap
        jmp @gaps
@again:
@skip:  jsr chrget
        jmp @next
@close: cmp #')'
        bne @wrong
        rts
@wrong: jmp err_syntax
@done:  rts

;; print_parts
column_of_print:
        txa
        pha
        sec
        jsr $fff0
        pla
        tax
        tya
        rts
; A blank: on the screen the cursor just moves on.
print_gap:
        lda channl
        bne @blank
        lda #$1d
        .byte $2c
@blank: lda #$20
        jmp print_char
; The string value.
print_string:
        jsr free_string
        tax
        inx
        ldy #0
@next:  dex
        beq @done
        lda (index),y
        jsr print_char
        iny
        bne @next
@done:  rts

;; input_statement
input:  jsr need_direct
        cmp #$22
        bne @ask
        jsr string_literal
        lda #';'
        jsr need
        jsr print_string
@ask:   lda #0
        sta inpflg
        jsr ask_line
        lda buf
        bne @items
        lda channl
        bne @items
        jmp data            ; an empty line changes nothing
@items: jmp buffer_items

;; ask_line
ask_again:
        jsr print_question
ask_line:
        jsr print_question
        lda channl
        bne @read
        lda #$20
        jsr print_char
@read:  jmp read_line
print_question:
        lda channl
        bne @done
        lda #'?'
        jmp print_char
@done:  rts

;; buffer_items
buffer_items:
        lda #','
        sta buf-1
        lda #<buf-1
        ldy #>buf-1
        sta inpptr
        sty inpptr+1
        jmp items

;; read
read:   lda #$98
        sta inpflg
        lda datptr
        ldy datptr+1
        sta inpptr
        sty inpptr+1
; Fills a list of variables. inpptr is in front of the next item: on a comma, or at an end, where more has to be found.
items:  jsr find_or_make
        sta forpnt
        sty forpnt+1
        lda txtptr
        ldy txtptr+1
        sta opptr
        sty opptr+1
        lda inpptr
        ldy inpptr+1
        sta txtptr
        sty txtptr+1
        jsr chrgot
        cmp #','
        beq @item
        jsr more_input
@item:  jsr chrget
        jsr take_item
        jsr chrgot
        beq @good
        cmp #','
        bne @bad
@good:  lda txtptr
        ldy txtptr+1
        sta inpptr
        sty inpptr+1
        lda opptr
        ldy opptr+1
        sta txtptr
        sty txtptr+1
        jsr assign
        jsr chrgot
        beq @end
        jsr need_comma
        jmp items
@bad:   jmp bad_item
@end:   jmp items_end

;; items_end
items_end:
        lda inpptr
        ldy inpptr+1
        bit inpflg
        bmi @read
        ldy #0
        lda (inpptr),y
        beq @done
        lda channl
        bne @done
        lda #<@extra
        ldy #>@extra
        jmp print_text
@read:  sta datptr
        sty datptr+1
@done:  rts
@extra: .text "?THE REST IS IGNORED"
        .byte 13,0

;; bad_item
bad_item:
        bit inpflg
        bpl @input
        lda datlin
        ldy datlin+1
        sta curlin
        sty curlin+1
        jmp err_syntax
@input: lda channl
        beq @redo
        ldx #24
        jmp error
@redo:  lda #<@text
        ldy #>@text
        jsr print_text
        lda oldtxt          ; the whole statement once more
        ldy oldtxt+1
        sta txtptr
        sty txtptr+1
        rts
@text:  .text "?A NUMBER, PLEASE"
        .byte 13,0

;; take_item
; One item at txtptr as the type of the variable asks.
take_item:
        bit valtyp
        bmi @string
        jmp read_number
@string:
        cmp #$22
        bne @plain
        jmp string_literal
@plain: lda #':'
        sta charac
        lda #','
        sta endchr
        lda txtptr
        ldy txtptr+1
        jsr text_string
        lda index
        sta txtptr
        lda index+1
        sta txtptr+1
        rts

;; more_input
; The items are used up: the next line of input, or the next DATA. txtptr is in front of an item afterwards.
more_input:
        bit inpflg
        bmi next_data
        lda forpnt
        pha
        lda forpnt+1
        pha
        lda valtyp
        pha
        jsr ask_again
        stx txtptr
        sty txtptr+1
        pla
        sta valtyp
        pla
        sta forpnt+1
        pla
        sta forpnt
        rts
next_data:
        jsr scan_statement
        jsr skip_scanned
        ldy #0
        lda (txtptr),y
        bne @colon
        ldy #2
        lda (txtptr),y
        beq @out
        iny
        lda (txtptr),y
        sta datlin
        iny
        lda (txtptr),y
        sta datlin+1
        tya
        clc
        adc txtptr
        sta txtptr
        bcc @colon
        inc txtptr+1
@colon: jsr chrget
        cmp #$83
        bne next_data
        rts
@out:   ldx #13
        jmp error

;; get
get:    jsr need_direct
        cmp #'#'
        bne @next
        jsr chrget
        jsr open_input
        jsr need_comma
        jsr @next
        jmp close_channel
@next:  jsr find_or_make
        sta forpnt
        sty forpnt+1
        jsr $ffe4
        bit valtyp
        bmi @string
        sta buf
        lda #0
        sta buf+1
        lda txtptr
        pha
        lda txtptr+1
        pha
        lda #<buf
        sta txtptr
        lda #>buf
        sta txtptr+1
        jsr chrgot
        jsr read_number
        pla
        sta txtptr+1
        pla
        sta txtptr
        jmp @assign
@string:
        cmp #0
        beq @empty
        jsr char_string
        jmp @assign
@empty: jsr string_space
        jsr push_string
@assign:
        jsr assign
        jsr chrgot
        beq @done
        jsr need_comma
        jmp @next
@done:  rts
