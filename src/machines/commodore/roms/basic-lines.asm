; Program text: reading a line, tokens, inserting, finding and listing lines.
; A line is: link to the next (2), number (2), tokens, 0. A link with a high byte of 0 ends the program.

;; read_line
; A line from the current input into the buffer; X/Y point in front of it.
read_line:
        ldx #0
@next:  jsr $ffcf
        bcs @error
        cmp #$0d
        beq @end
        sta buf,x
        inx
        cpx #89
        bcc @next
        jmp err_long
@end:   lda #0
        sta buf,x
        lda channl
        bne @file
        jsr print_cr
@file:  ldx #<buf-1
        ldy #>buf-1
        rts
@error: jmp file_error

;; crunch
; Turns words from txtptr on into tokens, to the start of the buffer. Y is the length, txtptr points in front.
crunch: jmp (icrnch)
crunch_default:
        ldx txtptr
        ldy #0
        sty garbfl
@char:  lda buf,x
        beq @end
        bpl @plain
        cmp #$ff
        beq @store
        inx                 ; a shifted letter means nothing outside quotes
        bne @char
@plain: cmp #$20
        beq @store
        cmp #$22
        beq @quote
        bit garbfl
        bvs @store
        cmp #'?'
        bne @word
        lda #$99
        bne @store
@word:  cmp #'0'
        bcc @search
        cmp #'<'
        bcc @store
@search:
        jsr find_keyword
@store: sta buf,y
        iny
        inx
        cmp #':'
        beq @plainly
        cmp #$83
        beq @data
        cmp #$8f
        bne @char
        lda #0              ; REM takes the line as it is
        beq @until
@plainly:
        lda #0
        .byte $2c
@data:  lda #$40
        sta garbfl
        jmp @char
@quote: sta buf,y
        iny
        inx
@until: sta endchr
@copy:  lda buf,x
        beq @end
        cmp endchr
        beq @store
        sta buf,y
        iny
        inx
        bne @copy
@end:   lda #0
        sta buf,y
        sta buf+1,y         ; no link: the end, for a direct line too
        sta buf+2,y
@done:  lda #<buf-1
        sta txtptr
        lda #>buf-1
        sta txtptr+1
        rts

;; find_keyword
; The word at buf,x: its token in A and X on its last character, or just the character. Keeps Y.
find_keyword:
        stx fbufpt
        sty fbufpt+1
        lda #<keywords
        sta index
        lda #>keywords
        sta index+1
        lda #$80
        sta count
@word:  ldx fbufpt
        ldy #0
        lda (index),y
        beq @none
@compare:
        lda buf,x
        sec
        sbc (index),y
        beq @same
        cmp #$80
        beq @found
@skip:  lda (index),y
        php
        iny
        plp
        bpl @skip
        tya
        clc
        adc index
        sta index
        bcc @next
        inc index+1
@next:  inc count
        bne @word
@same:  lda (index),y
        bmi @found
        inx
        iny
        bne @compare
@none:  ldy fbufpt+1
        lda buf,x
        rts
@found: ldy fbufpt+1
        lda count
        rts

;; keywords
keywords:
        .text "EN"
        .byte 'D'+$80
        .text "FO"
        .byte 'R'+$80
        .text "NEX"
        .byte 'T'+$80
        .text "DAT"
        .byte 'A'+$80
        .text "INPUT"
        .byte '#'+$80
        .text "INPU"
        .byte 'T'+$80
        .text "DI"
        .byte 'M'+$80
        .text "REA"
        .byte 'D'+$80
        .text "LE"
        .byte 'T'+$80
        .text "GOT"
        .byte 'O'+$80
        .text "RU"
        .byte 'N'+$80
        .text "I"
        .byte 'F'+$80
        .text "RESTOR"
        .byte 'E'+$80
        .text "GOSU"
        .byte 'B'+$80
        .text "RETUR"
        .byte 'N'+$80
        .text "RE"
        .byte 'M'+$80
        .text "STO"
        .byte 'P'+$80
        .text "O"
        .byte 'N'+$80
        .text "WAI"
        .byte 'T'+$80
        .text "LOA"
        .byte 'D'+$80
        .text "SAV"
        .byte 'E'+$80
        .text "VERIF"
        .byte 'Y'+$80
        .text "DE"
        .byte 'F'+$80
        .text "POK"
        .byte 'E'+$80
        .text "PRINT"
        .byte '#'+$80
        .text "PRIN"
        .byte 'T'+$80
        .text "CON"
        .byte 'T'+$80
        .text "LIS"
        .byte 'T'+$80
        .text "CL"
        .byte 'R'+$80
        .text "CM"
        .byte 'D'+$80
        .text "SY"
        .byte 'S'+$80
        .text "OPE"
        .byte 'N'+$80
        .text "CLOS"
        .byte 'E'+$80
        .text "GE"
        .byte 'T'+$80
        .text "NE"
        .byte 'W'+$80
        .text "TAB"
        .byte '('+$80
        .text "T"
        .byte 'O'+$80
        .text "F"
        .byte 'N'+$80
        .text "SPC"
        .byte '('+$80
        .text "THE"
        .byte 'N'+$80
        .text "NO"
        .byte 'T'+$80
        .text "STE"
        .byte 'P'+$80
        .byte '+'+$80,'-'+$80,'*'+$80,'/'+$80,$5e+$80
        .text "AN"
        .byte 'D'+$80
        .text "O"
        .byte 'R'+$80
        .byte '>'+$80,'='+$80,'<'+$80
        .text "SG"
        .byte 'N'+$80
        .text "IN"
        .byte 'T'+$80
        .text "AB"
        .byte 'S'+$80
        .text "US"
        .byte 'R'+$80
        .text "FR"
        .byte 'E'+$80
        .text "PO"
        .byte 'S'+$80
        .text "SQ"
        .byte 'R'+$80
        .text "RN"
        .byte 'D'+$80
        .text "LO"
        .byte 'G'+$80
        .text "EX"
        .byte 'P'+$80
        .text "CO"
        .byte 'S'+$80
        .text "SI"
        .byte 'N'+$80
        .text "TA"
        .byte 'N'+$80
        .text "AT"
        .byte 'N'+$80
        .text "PEE"
        .byte 'K'+$80
        .text "LE"
        .byte 'N'+$80
        .text "STR"
        .byte '$'+$80
        .text "VA"
        .byte 'L'+$80
        .text "AS"
        .byte 'C'+$80
        .text "CHR"
        .byte '$'+$80
        .text "LEFT"
        .byte '$'+$80
        .text "RIGHT"
        .byte '$'+$80
        .text "MID"
        .byte '$'+$80
        .text "G"
        .byte 'O'+$80
        .byte 0

;; edit_program
; A line with a number: it replaces the one that is there, or only removes it.
edit_program:
        jsr get_line_number
        jsr crunch
        sty count
        jsr find_line
        bcc @insert
        jsr delete_line
@insert:
        lda buf
        beq @done
        jsr open_line
        ldy #1
        lda #$ff
        sta (lowtr),y
        iny
        lda linnum
        sta (lowtr),y
        iny
        lda linnum+1
        sta (lowtr),y
        ldx #$ff
@copy:  iny
        inx
        lda buf,x
        sta (lowtr),y
        bne @copy
@done:  jsr relink
        jsr clear_from_start
        jmp main

;; delete_line
; Everything after the line at lowtr moves down over it.
delete_line:
        ldy #1
        lda (lowtr),y
        sta index+1
        dey
        lda (lowtr),y
        sta index
        lda lowtr
        sta index2
        lda lowtr+1
        sta index2+1
@next:  lda index
        cmp vartab
        lda index+1
        sbc vartab+1
        bcs @end
        lda (index),y
        sta (index2),y
        inc index
        bne @low
        inc index+1
@low:   inc index2
        bne @next
        inc index2+1
        bne @next
@end:   lda index2
        sta vartab
        lda index2+1
        sta vartab+1
        rts

;; open_line
; Makes room for a line of count bytes at lowtr.
open_line:
        lda vartab
        sta $5a
        ldx vartab+1
        stx $5b
        clc
        adc #5
        bcc @low
        inx
        clc
@low:   adc count
        bcc @fits
        inx
@fits:  sta $58
        stx $59
        cmp memsiz
        txa
        sbc memsiz+1
        bcc @room
        jmp err_memory
@room:  lda $58
        sta vartab
        stx vartab+1
; Moves the bytes from lowtr up to $5a so that they end below $58, the last one first.
move_up:
        ldy #0
@next:  lda $5a
        cmp lowtr
        bne @move
        lda $5b
        cmp lowtr+1
        beq @done
@move:  lda $5a
        bne @low
        dec $5b
@low:   dec $5a
        lda $58
        bne @low2
        dec $59
@low2:  dec $58
        lda ($5a),y
        sta ($58),y
        jmp @next
@done:  rts

;; find_line
; The line whose number is in linnum, or the one after it: lowtr. Carry set if it is there.
*= basic_at+$0613
find_line:
        lda txttab
        ldx txttab+1
find_line_from:
        sta lowtr
        stx lowtr+1
        ldy #1
        lda (lowtr),y
        beq @none
        ldy #3
        lda (lowtr),y
        cmp linnum+1
        bcc @next
        bne @none
        dey
        lda (lowtr),y
        cmp linnum
        bcs @maybe
@next:  ldy #1
        lda (lowtr),y
        tax
        dey
        lda (lowtr),y
        jmp find_line_from
@maybe: beq @here
@none:  clc
@here:  rts

;; relink
relink: lda txttab
        sta index
        lda txttab+1
        sta index+1
@line:  ldy #1
        lda (index),y
        beq @done
        ldy #4
@scan:  lda (index),y
        beq @end
        iny
        bne @scan
@end:   iny
        tya
        ldx index+1
        clc
        adc index
        bcc @low
        inx
@low:   ldy #0
        sta (index),y
        pha
        txa
        iny
        sta (index),y
        stx index+1
        pla
        sta index
        jmp @line
@done:  rts

;; scratch
new:    beq scratch
        rts
scratch:
        lda #0
        tay
        sta (txttab),y
        iny
        sta (txttab),y
        clc
        lda txttab
        adc #2
        sta vartab
        lda txttab+1
        adc #0
        sta vartab+1
; All variables gone, the program at its start.
clear_from_start:
        jsr to_start
        lda #0
clear:  bne clear_done
clear_variables:
        jsr $ffe7
        lda memsiz
        sta fretop
        lda memsiz+1
        sta fretop+1
        lda vartab
        ldy vartab+1
        sta arytab
        sty arytab+1
        sta strend
        sty strend+1
        jsr restore
        jmp reset_stack
clear_done:
        rts

;; to_start
; txtptr in front of the first line.
to_start:
        clc
        lda txttab
        adc #$ff
        sta txtptr
        lda txttab+1
        adc #$ff
        sta txtptr+1
        rts

;; get_line_number
; Digits at txtptr into linnum; none make 0.
get_line_number:
        ldx #0
        stx linnum
        stx linnum+1
        jsr chrgot
@digit: bcs @done
        and #$0f
        pha
        lda linnum+1
        cmp #$19            ; 6400 and up would pass 63999
        bcs @wrong
        sta index+1
        lda linnum
        asl
        rol index+1
        asl
        rol index+1
        adc linnum
        sta linnum
        lda index+1
        adc linnum+1
        asl linnum
        rol
        sta linnum+1
        pla
        adc linnum
        sta linnum
        bcc @next
        inc linnum+1
@next:  jsr chrget
        jmp @digit
@wrong: jmp err_syntax
@done:  rts

;; list
list:   php
        jsr get_line_number
        jsr find_line
        jsr chrgot
        cmp #$ab
        bne @single
        plp
        jsr chrget
        jsr get_line_number
        bne @syntax
        lda linnum
        ora linnum+1
        bne @lines
@open:  lda #$ff
        sta linnum
        sta linnum+1
        bne @lines
@syntax:
        jmp err_syntax
@single:
        plp
        beq @open
        jsr chrgot
        bne @syntax
@lines: ldy #1
        sty garbfl
        lda (lowtr),y
        beq @done
        iny
        lda linnum
        cmp (lowtr),y
        iny
        lda linnum+1
        sbc (lowtr),y
        bcc @done
        jsr check_stop
        jsr print_cr
        jsr list_line
        ldy #1
        lda (lowtr),y
        tax
        dey
        lda (lowtr),y
        sta lowtr
        stx lowtr+1
        jmp @lines
@done:  pla
        pla
        jmp ready

;; list_line
list_line:
        ldy #2
        lda (lowtr),y
        tax
        iny
        lda (lowtr),y
        jsr print_number
        lda #$20
        jsr print_char
        ldy #3
list_next:
        iny
        lda (lowtr),y
        beq list_done
        sty forpnt
        jmp (iqplop)
list_default:
        bpl @put
        cmp #$ff
        beq @put
        bit garbfl
        bmi @put
        sec
        sbc #$7f
        tax
        lda #<keywords
        ldy #>keywords
        jsr print_word
        jmp @next
@put:   jsr print_char
        cmp #$22
        bne @next
        lda garbfl
        eor #$80
        sta garbfl
@next:  ldy forpnt
        bne list_next
list_done:
        rts

;; print_word
; Word X (from 1) of the table at A/Y whose words end with bit 7 set.
print_word:
        sta index
        sty index+1
        ldy #0
@skip:  dex
        beq @print
@word:  jsr @step
        bpl @word
        bmi @skip
@print: jsr @step
        php
        and #$7f
        jsr print_char
        plp
        bpl @print
        rts
@step:  lda (index),y
        inc index
        bne @got
        inc index+1
@got:   ora #0
        rts
