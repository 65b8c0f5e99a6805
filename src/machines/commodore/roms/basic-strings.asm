; Strings: a descriptor is length and address. Bodies lie between fretop and memsiz, grow downwards and are collected
; when room runs out. Up to three temporary descriptors lie at tempst.

;; string_space
; Room for A bytes: fac has the descriptor, frespc the address.
string_space:
        sta fac
        lda #0
        sta garbfl
@try:   sec
        lda fretop
        sbc fac
        ldy fretop+1
        bcs @high
        dey
@high:  cpy strend+1
        bcc @full
        bne @fits
        cmp strend
        bcc @full
@fits:  sta fretop
        sty fretop+1
        sta frespc
        sty frespc+1
        sta facho
        sty facho+1
        rts
@full:  lda garbfl
        bne @memory
        dec garbfl
        lda fac
        pha
        jsr collect
        pla
        sta fac
        jmp @try
@memory:
        jmp err_memory

;; push_string
; The descriptor in fac becomes a temporary one and the value of the expression.
push_string:
        ldx temppt
        cpx #$22
        beq @complex
        lda fac
        sta $00,x
        lda facho
        sta $01,x
        lda facho+1
        sta $02,x
        stx facho+2
        stx lastpt
        ldy #0
        sty facho+3
        sty lastpt+1
        sty facov
        dey
        sty valtyp
        inx
        inx
        inx
        stx temppt
        rts
@complex:
        jmp err_complex

;; free_string
; The string value is used up: A is its length, index its address.
free_string:
        lda facho+2
        ldy facho+3
free_descriptor:
        sta index
        sty index+1
        jsr pop_temporary
        php
        ldy #0
        lda (index),y
        pha
        iny
        lda (index),y
        tax
        iny
        lda (index),y
        stx index
        sta index+1
        pla
        plp
        bne @done
        ldx index+1         ; the newest body: its room is free again
        cpx fretop+1
        bne @done
        ldx index
        cpx fretop
        bne @done
        pha
        clc
        adc fretop
        sta fretop
        bcc @low
        inc fretop+1
@low:   pla
@done:  rts
; Z set if the descriptor at A/Y was the last temporary one, which is dropped.
pop_temporary:
        cmp lastpt
        bne @done
        cpy lastpt+1
        bne @done
        sta temppt
        tay
        dey
        dey
        dey
        sty lastpt
        cmp temppt
@done:  rts

;; copy_string
; A bytes from index to frespc, which moves on.
copy_string:
        sta bits
        ldy #0
@next:  cpy bits
        beq @end
        lda (index),y
        sta (frespc),y
        iny
        bne @next
@end:   tya
        clc
        adc frespc
        sta frespc
        lda #0
        adc frespc+1
        sta frespc+1
        rts

;; load_descriptor
; The descriptor at A/Y: length in A, address in index.
load_descriptor:
        sta index2
        sty index2+1
        ldy #1
        lda (index2),y
        sta index
        iny
        lda (index2),y
        sta index+1
        ldy #0
        lda (index2),y
        rts

;; concatenate
concatenate:
        lda argho+2
        pha
        lda argho+3
        pha
        ldy #0
        lda (argho+2),y
        clc
        adc (facho+2),y
        bcc @fits
        jmp err_long
@fits:  jsr string_space
        pla
        tay
        pla
        pha
        tax
        tya
        pha
        txa
        jsr load_descriptor
        jsr copy_string
        lda facho+2
        ldy facho+3
        jsr load_descriptor
        jsr copy_string
        jsr free_string
        pla
        tay
        pla
        jsr free_descriptor
        jmp push_string

;; compare_strings
; 1, 0 or $ff in A: the left string (arg) is above, equal, below the right one (fac).
compare_strings:
        jsr free_string
        sta saved
        lda index
        sta temp1
        lda index+1
        sta temp1+1
        lda argho+2
        ldy argho+3
        jsr free_descriptor
        sta saved+1
        ldy #0
@next:  cpy saved+1
        beq @left_ends
        cpy saved
        beq @above
        lda (index),y
        cmp (temp1),y
        bne @differ
        iny
        bne @next
@left_ends:
        cpy saved
        beq @equal
        bne @below
@differ:
        bcs @above
@below: lda #$ff
        rts
@above: lda #1
        rts
@equal: lda #0
        rts

;; string_literal
; txtptr is on the opening quote.
string_literal:
        lda #$22
        sta charac
        sta endchr
        clc
        lda txtptr
        adc #1
        ldy txtptr+1
        bcc @text
        iny
@text:  jsr text_string
        ldx index
        stx txtptr
        ldx index+1
        stx txtptr+1
        jsr chrgot
        cmp #$22
        bne @done
        jmp chrget
@done:  rts

;; text_string
; The text at A/Y up to charac, endchr or 0 becomes a string value; index points to its end. Text in the buffers below
; $0300 is copied, text in the program is not.
text_string:
        sta index
        sty index+1
        sta facho
        sty facho+1
        ldy #0
@next:  lda (index),y
        beq @end
        cmp charac
        beq @end
        cmp endchr
        beq @end
        iny
        bne @next
@end:   sty fac
        tya
        clc
        adc index
        pha
        lda index+1
        adc #0
        pha
        lda index+1
        cmp #$03
        bcs @stays
        lda index
        pha
        lda index+1
        pha
        tya
        jsr string_space
        pla
        sta index+1
        pla
        sta index
        lda fac
        jsr copy_string
@stays: jsr push_string
        pla
        sta index+1
        pla
        sta index
        rts

;; assign_string
; A string value to the variable at forpnt. A body that belongs to another variable is copied.
assign_string:
        lda varnam
        cmp #'T'
        bne @plain
        lda varnam+1
        cmp #'I'+$80
        bne @plain
        jmp set_clock_text
@plain: ldy #2
        lda (facho+2),y
        cmp fretop+1
        bcc @take
        bne @heap
        dey
        lda (facho+2),y
        cmp fretop
        bcc @take
@heap:  ldy facho+3
        cpy vartab+1
        bcc @take
        bne @copy
        lda facho+2
        cmp vartab
        bcc @take
@copy:  ldy #0
        lda (facho+2),y
        jsr string_space
        lda facho+2
        ldy facho+3
        jsr load_descriptor
        jsr copy_string
        ldy #2
@new:   lda fac,y
        sta (forpnt),y
        dey
        bpl @new
        rts
@take:  ldy #2
@old:   lda (facho+2),y
        sta (forpnt),y
        dey
        bpl @old
        lda facho+2
        ldy facho+3
        jmp pop_temporary

;; collect
; Garbage collection: of the bodies not yet moved the highest goes to the top, until none is left.
*= basic_at+$1526
collect:
        lda memsiz
        sta fretop
        lda memsiz+1
        sta fretop+1
@again: lda #0
        sta fac             ; no descriptor found
        lda strend
        sta index2
        lda strend+1
        sta index2+1
        lda #tempst
        ldx #0
@temporaries:
        cmp temppt
        beq @variables
        sta index
        stx index+1
        jsr consider
        lda index
        clc
        adc #3
        ldx #0
        beq @temporaries
@variables:
        lda vartab
        ldx vartab+1
@variable:
        sta lowtr
        stx lowtr+1
        cpx arytab+1
        bne @look
        cmp arytab
        beq @arrays
@look:  jsr is_string
        bcc @step
        lda lowtr
        adc #1
        sta index
        lda lowtr+1
        adc #0
        sta index+1
        jsr consider
@step:  clc
        lda lowtr
        adc #7
        ldx lowtr+1
        bcc @variable
        inx
        bcs @variable
@arrays:
        jsr consider_arrays
        lda fac
        beq @done
        jsr lift
        jmp @again
@done:  rts

;; is_string
; Carry set if the variable or array at lowtr holds strings.
is_string:
        ldy #0
        lda (lowtr),y
        bmi @no
        iny
        lda (lowtr),y
        bpl @no
        sec
        rts
@no:    clc
        rts
; The descriptor at index: is its body the highest so far?
consider:
        ldy #2
        lda (index),y
        sta bits
        dey
        lda (index),y
        tax
        dey
        lda (index),y
        beq @no
        cpx fretop
        lda bits
        sbc fretop+1
        bcs @no             ; moved already
        cpx index2
        lda bits
        sbc index2+1
        bcc @no
        lda bits
        sta index2+1
        stx index2
        lda index
        sta temp2
        lda index+1
        sta temp2+1
        lda #1
        sta fac
@no:    rts

;; lift
; Moves the body at index2 below fretop and tells its descriptor.
lift:   ldy #0
        lda (temp2),y
        tax
        sec
        lda fretop
        stx fac
        sbc fac
        sta fretop
        bcs @high
        dec fretop+1
@high:  txa
        tay
@next:  dey
        lda (index2),y
        sta (fretop),y
        tya
        bne @next
        ldy #1
        lda fretop
        sta (temp2),y
        iny
        lda fretop+1
        sta (temp2),y
        rts

;; consider_arrays
consider_arrays:
        lda arytab
        ldx arytab+1
@array: sta lowtr
        stx lowtr+1
        cpx strend+1
        bne @look
        cmp strend
        beq @done
@look:  ldy #2
        lda (lowtr),y
        clc
        adc lowtr
        sta temp1
        iny
        lda (lowtr),y
        adc lowtr+1
        sta temp1+1
        jsr is_string
        bcc @next
        ldy #4
        lda (lowtr),y
        asl
        adc #5
        adc lowtr
        sta index
        lda lowtr+1
        adc #0
        sta index+1
@element:
        lda index
        cmp temp1
        bne @one
        lda index+1
        cmp temp1+1
        beq @next
@one:   jsr consider
        clc
        lda index
        adc #3
        sta index
        bcc @element
        inc index+1
        bne @element
@next:  lda temp1
        ldx temp1+1
        jmp @array
@done:  rts

;; string_functions
len:    jsr free_string
        tay
        jmp float_byte
asc:    jsr free_string
        tay
        beq @empty
        ldy #0
        lda (index),y
        tay
        jmp float_byte
@empty: jmp err_quantity
chr:    jsr byte_of
        txa
; The character in A as a string value.
char_string:
        pha
        lda #1
        jsr string_space
        ldy #0
        pla
        sta (frespc),y
        jmp push_string
str:    jsr number_text
        lda #0
        sta charac
        sta endchr
        lda #<$0100
        ldy #>$0100
        jmp text_string

;; val
val:    jsr free_string
        tay
        bne @some
        jmp float_byte
@some:  ldx txtptr
        stx saved
        ldx txtptr+1
        stx saved+1
        clc
        adc index
        sta index2
        lda index+1
        adc #0
        sta index2+1
        lda index
        sta txtptr
        lda index+1
        sta txtptr+1
        ldy #0
        sty valtyp
        lda (index2),y
        pha
        tya
        sta (index2),y
        lda index2+1
        pha
        lda index2
        pha
        lda saved
        pha
        lda saved+1
        pha
        jsr chrgot
        jsr read_number
        pla
        sta txtptr+1
        pla
        sta txtptr
        pla
        sta index2
        pla
        sta index2+1
        pla
        ldy #0
        sta (index2),y
        rts

;; cut
; A piece of the source from A on, at most saved+1 long.
left:   jsr cut_source
        jsr need_close
        lda #0
        beq cut_piece
right:  jsr cut_source
        jsr need_close
        jsr source_length
        sec
        sbc saved+1
        bcs cut_piece
        lda #0
cut_piece:
        sta saved
        jsr source_length
        sec
        sbc saved
        bcs @inside
        lda #0
@inside:
        cmp saved+1
        bcs @long
        sta saved+1
@long:  lda saved+1
        jsr string_space
        lda argho+2
        ldy argho+3
        jsr load_descriptor
        lda index
        clc
        adc saved
        sta index
        bcc @low
        inc index+1
@low:   lda saved+1
        jsr copy_string
        lda argho+2
        ldy argho+3
        jsr free_descriptor
        jmp push_string
source_length:
        ldy #0
        lda (argho+2),y
        rts

;; mid
mid:    jsr cut_source
        beq mid_wrong
        dec saved+1
        lda saved+1
        pha
        lda #255
        sta saved+1
        jsr chrgot
        cmp #')'
        beq @close
        lda argho+3
        pha
        lda argho+2
        pha
        jsr need_comma
        jsr eval_byte
        stx saved+1
        pla
        sta argho+2
        pla
        sta argho+3
@close: jsr need_close
        pla
        jmp cut_piece
mid_wrong:
        jmp err_quantity

;; cut_source
; "(string, number": arg points to the descriptor, saved+1 is the number.
cut_source:
        jsr need_open
        jsr eval
        jsr need_string
        jsr need_comma
        lda facho+3
        pha
        lda facho+2
        pha
        jsr eval_byte
        pla
        sta argho+2
        pla
        sta argho+3
        stx saved+1
        txa
        rts
